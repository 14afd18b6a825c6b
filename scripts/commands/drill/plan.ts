// `ridethrough plan [GROUP]`: the steps of a shutdown on a time axis. Built from the configuration by the same code as in the
// daemon; sends no request to a daemon, starts nothing.
import { parseArgs } from 'node:util';
import { readConfiguration } from '../../../supervisor/config/load/read.js';
import { fedTargets, runsWhenOf } from '../../../supervisor/config/derive/feeds.js';
import { plansOf } from '../../../supervisor/config/derive/plans.js';
import { plansCalled, runtimeThreshold, noPlanReason } from './selection.js';
import { planTree } from './plan-tree.js';
import { printable } from '../terminal/printable.js';
import { configOption, exitCode, jsonOption, UsageError } from '../usage.js';
import { refusal } from '../validate/validate.js';

/** The width of the output: narrower bars are too coarse, wider lines hard to follow. */
const minWidth = 72;
const maxWidth = 160;

/** Returns the exit code: 0 with a plan, 1 when there is no such group, 78 when the file is invalid. */
export async function plan(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...configOption, ...jsonOption },
  });
  if (positionals.length > 1)
    throw new UsageError('plan takes at most one name, of a UPS or a redundancy group');
  const loaded = await readConfiguration(values.config);
  if (!loaded.ok) {
    process.stderr.write(printable(refusal(values.config, loaded)));
    return exitCode.configuration;
  }
  const [name] = positionals;
  const { configuration } = loaded;
  const shown = name === undefined ? plansOf(configuration) : plansCalled(configuration, name);
  if (shown.length === 0) {
    const why = noPlanReason(configuration, name ?? '', 'ridethrough plan');
    process.stderr.write(printable(`ridethrough plan: ${why}\n`));
    return exitCode.failed;
  }
  if (values.json) process.stdout.write(`${JSON.stringify({ plans: shown }, null, 2)}\n`);
  else {
    const width = Math.min(maxWidth, Math.max(minWidth, process.stdout.columns ?? 100));
    const targets = fedTargets(configuration);
    const trees = shown.map((one) => {
      const runsWhen = runsWhenOf(configuration, one.group);
      return planTree(one, runtimeThreshold(one, configuration), { runsWhen, targets }, width);
    });
    process.stdout.write(printable(`${trees.join('\n\n')}\n`));
  }
  return exitCode.fine;
}
