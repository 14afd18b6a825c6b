// `ridethrough validate`: checks a configuration file and prints what the daemon would do with it. Starts nothing, polls no
// UPS, changes nothing; requests readings from a running daemon.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type {
  Configuration,
  Loaded,
  NotLoaded,
} from '../../../supervisor/config/configuration/configuration.js';
import { readConfiguration } from '../../../supervisor/config/load/read.js';
import { plansOf } from '../../../supervisor/config/derive/plans.js';
import { batteryTriggers } from '../../../shared/domain/triggers/table.js';
import { unfedText } from '../../../shared/domain/status/wording.js';
import { StatusBody } from '../../../shared/http/bodies.js';
import { systemClock } from '../../../shared/runtime/clock.js';
import { readAccounts } from '../../../supervisor/host/accounts.js';
import { detectHost } from '../../../supervisor/host/host-facts.js';
import { runCommand } from '../../../supervisor/host/run-command.js';
import { setTimer } from '../../../supervisor/host/timer.js';
import { containerRemarks } from '../../../supervisor/sequence/phases/kept-off.js';
import { requestDaemon } from '../control/control-socket.js';
import { fullBatteryWarning } from '../status/full-battery.js';
import { printable } from '../terminal/printable.js';
import { configOption, exitCode, jsonOption, withoutConfiguration } from '../usage.js';
import type { JudgedOutput } from './output-returns.js';
import { judgedOutputs } from './output-returns.js';
import { outlook } from './validate-outlook.js';

export async function validate(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { ...configOption, ...jsonOption },
    strict: true,
  });
  const { outputs, ...live } = await withReadings(await readConfiguration(values.config));
  const loaded = await withContainers(live.loaded);
  if (values.json)
    process.stdout.write(`${JSON.stringify(asJson(values.config, loaded, outputs), null, 2)}\n`);
  else if (loaded.ok) process.stdout.write(printable(outlook(values.config, loaded.configuration, outputs)));
  else process.stderr.write(printable(refusal(values.config, loaded)));
  if (loaded.ok) return exitCode.fine;
  return withoutConfiguration(loaded);
}

/** The check works without the daemon: do not wait longer for one that hangs. */
const requestMs = 2_000;

interface WithReadings {
  readonly loaded: Loaded;
  readonly outputs: readonly JudgedOutput[];
}

/** Adds warnings by the last readings of a running daemon: a battery too small for a threshold, an output that may stay off. */
async function withReadings(loaded: Loaded): Promise<WithReadings> {
  if (!loaded.ok) return { loaded, outputs: [] };
  const { configuration } = loaded;
  const socket = join(configuration.supervisor.runtimeDirectory, 'control.sock');
  const reply = await requestDaemon(socket, 'status', StatusBody, { method: 'GET', withinMs: requestMs });
  if (!reply.ok) return { loaded, outputs: [] };
  const found = configuration.ups.flatMap(({ policy: { groupId, triggers } }) => {
    const row = reply.value.ups.find((one) => one.groupId === groupId);
    if (row === undefined) return [];
    const isOn = (name: string): boolean =>
      batteryTriggers.some((trigger) => trigger.name === name && trigger.isOn(triggers));
    const unfed = row.unavailableTriggers.filter(isOn);
    const full = fullBatteryWarning(row, triggers.criticalRuntimeSeconds);
    return [...(full === null ? [] : [full]), ...(unfed.length === 0 ? [] : [unfedText(row.name, unfed)])];
  });
  const outputs = await judgedOutputs(socket, configuration.ups, requestMs);
  const kept = outputs.flatMap(({ ups, warning }) =>
    warning === '' ? [] : [`${ups}: the output after the shutdown: ${warning}`],
  );
  const warnings = [...configuration.warnings, ...found, ...kept];
  return { loaded: { ok: true, configuration: { ...configuration, warnings } }, outputs };
}

/** Adds a warning for each step whose containers stay off at the next boot, or are tasks of a swarm. */
async function withContainers(loaded: Loaded): Promise<Loaded> {
  if (!loaded.ok) return loaded;
  const { configuration } = loaded;
  const silent = { info: () => undefined, warning: () => undefined };
  const found: string[] = [];
  for (const { action, target } of plansOf(configuration).flatMap(({ phases }) =>
    phases.flatMap(({ steps }) => steps),
  )) {
    if (action.kind !== 'stopContainers' && action.kind !== 'stopCompose') continue;
    const tools = {
      clock: systemClock,
      log: silent,
      setTimer,
      run: runCommand,
      host: detectHost(readAccounts()),
    };
    const text = await containerRemarks(action, tools);
    if (text !== '') found.push(`${target}: ${text}`);
  }
  const warnings = [...configuration.warnings, ...new Set(found)];
  return { ok: true, configuration: { ...configuration, warnings } };
}

/** The text about an invalid file. */
export function refusal(file: string, { problems, warnings, isUnread }: NotLoaded): string {
  const count = problems.length === 1 ? 'one problem' : `${String(problems.length)} problems`;
  const lines = problems.map(({ path, message }) => `  ${path === '' ? '' : `${path}: `}${message}`);
  const also = warnings.length === 0 ? [] : ['', 'Warnings:', ...warnings.map((text) => `  ${text}`)];
  return [
    isUnread === true
      ? `${file} could not be checked:`
      : `${file} is not valid (${count}); the daemon does not start with it:`,
    '',
    ...lines,
    ...also,
    '',
  ].join('\n');
}

/** The result as JSON, with the plans that the sequencer runs, without settings and secrets. */
function asJson(file: string, loaded: Loaded, outputs: readonly JudgedOutput[]): unknown {
  if (!loaded.ok) return { file, ...loaded };
  const { configuration } = loaded;
  return {
    file,
    ok: true,
    dryRun: configuration.dryRun,
    ups: configuration.ups.map(({ policy }) => policy),
    redundancyGroups: configuration.redundancyGroups.map(({ policy }) => policy),
    plans: plansOf(configuration),
    outputs: outputs.map(({ ups, verdict, reason }) => ({ ups, verdict, reason })),
    api: apiOf(configuration),
    notActive: configuration.notActive,
    upsmon: configuration.upsmon,
    warnings: configuration.warnings,
  };
}

function apiOf({ api }: Configuration): unknown {
  return { enabled: api.enabled, bind: api.bind, port: api.port };
}
