// `ridethrough plan [GROUP]`: the steps of a shutdown on a time axis. Built from the configuration by the same code as in the
// daemon; starts nothing. A running daemon is asked how long the servers took so far.
import { parseArgs } from 'node:util';
import { readConfiguration } from '../../../supervisor/config/load/read.js';
import { fedTargets, runsWhenOf } from '../../../supervisor/config/derive/feeds.js';
import { ServersBody } from '../../../shared/http/device-bodies.js';
import { serverTimesText } from '../../../shared/domain/outage/server-time.js';
import { plansOf } from '../../../supervisor/config/derive/plans.js';
import { plansCalled, runtimeThreshold, noPlanReason } from './selection.js';
import { planTree } from './plan-tree.js';
import { inDirectory, requestDaemon } from '../control/control-socket.js';
import { printable } from '../terminal/printable.js';
import { configOption, exitCode, jsonOption, UsageError, withoutConfiguration } from '../usage.js';
import { refusal } from '../validate/validate.js';

/** The width of the output: narrower bars are too coarse, wider lines hard to follow. */
const minWidth = 72;
const maxWidth = 160;

/** The plan does not depend on it. */
const measuredMs = 1_000;

/** Returns the exit code: 0 with a plan, 1 when there is no such group, 78 when the file is invalid, 75 when nobody could read it. */
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
    return withoutConfiguration(loaded);
  }
  const [name] = positionals;
  const { configuration } = loaded;
  const shown = name === undefined ? plansOf(configuration) : plansCalled(configuration, name);
  if (shown.length === 0) {
    const why = noPlanReason(configuration, name ?? '', 'ridethrough plan');
    process.stderr.write(printable(`ridethrough plan: ${why}\n`));
    return exitCode.failed;
  }
  const measured = await measuredTimes(configuration.supervisor.runtimeDirectory);
  if (values.json) process.stdout.write(`${JSON.stringify({ plans: shown, servers: measured }, null, 2)}\n`);
  else {
    const width = Math.min(maxWidth, Math.max(minWidth, process.stdout.columns ?? 100));
    const targets = fedTargets(configuration);
    const took = new Map(measured?.map(({ server, times }) => [server, serverTimesText(times)]));
    const trees = shown.map((one) => {
      const runsWhen = runsWhenOf(configuration, one.group);
      return planTree(one, runtimeThreshold(one, configuration), { runsWhen, targets, took }, width);
    });
    process.stdout.write(printable(`${trees.join('\n\n')}\n`));
  }
  return exitCode.fine;
}

/** Null without a daemon, or when it keeps no history. */
async function measuredTimes(runtimeDirectory: string): Promise<ServersBody['servers'] | null> {
  const path = inDirectory(runtimeDirectory);
  const reply = await requestDaemon(path, 'servers', ServersBody, { method: 'GET', withinMs: measuredMs });
  return reply.ok ? reply.value.servers : null;
}
