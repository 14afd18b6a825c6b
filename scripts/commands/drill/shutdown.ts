// `ridethrough shutdown remote|group|cancel`: drills, manual shutdowns, and the cancel of a sequence of the daemon.
// A drill runs in this process with the daemon's plan and sequencer and changes nothing.
import { parseArgs } from 'node:util';
import * as t from 'io-ts';
import { SequenceModel } from '../../../shared/domain/status/status-model.js';
import { nothing } from '../../../shared/protocol/contract.js';
import { maxServerTimes } from '../../../shared/protocol/storage.js';
import type { Plan } from '../../../shared/domain/outage/plan.js';
import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import { readConfiguration } from '../../../supervisor/config/load/read.js';
import { inDirectory, requestDaemon, socketOf } from '../control/control-socket.js';
import { ByHand } from './by-hand.js';
import { drillIntroduction, drillReport, stepLine } from './report.js';
import type { DrillResult } from './report.js';
import { runPlanByHand } from './run.js';
import type { Selected } from './selection.js';
import { planOfGroup, planOfServer } from './selection.js';
import { printable } from '../terminal/printable.js';
import {
  complain,
  configOption,
  daemonOptions,
  exitCode,
  jsonOption,
  UsageError,
  withoutConfiguration,
} from '../usage.js';
import { refusal } from '../validate/validate.js';

const forReal = 'i-really-want-to-shut-down';

/** Returns the exit code: 0 when every step succeeded. */
export async function shutdown(args: readonly string[]): Promise<number> {
  const [what, ...rest] = args;
  // The terminal may go with the switch that the plan takes: the sequence needs no reader.
  for (const stream of [process.stdout, process.stderr])
    if (stream.listenerCount('error') === 0) stream.on('error', () => undefined);
  if (what === 'remote') return drillOrShutDown(rest, 'server', planOfServer);
  if (what === 'group') return drillOrShutDown(rest, 'group', planOfGroup);
  if (what === 'cancel') return cancel(rest);
  throw new UsageError('shutdown needs a subcommand: remote, group or cancel');
}

async function drillOrShutDown(
  args: readonly string[],
  option: 'server' | 'group',
  select: (configuration: Configuration, name: string) => Selected,
): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...configOption,
      ...jsonOption,
      server: { type: 'string' },
      group: { type: 'string' },
      [forReal]: { type: 'boolean', default: false },
    },
  });
  const { config, json } = values;
  const name = values[option];
  const other = option === 'server' ? values.group : values.server;
  if (name === undefined || other !== undefined) throw new UsageError(`give --${option} NAME`);
  const loaded = await readConfiguration(config);
  if (!loaded.ok) {
    process.stderr.write(printable(refusal(config, loaded)));
    return withoutConfiguration(loaded);
  }
  const { configuration } = loaded;
  const selected = select(configuration, name);
  if (!selected.ok) return complain('shutdown', selected.message);
  const socket = inDirectory(configuration.supervisor.runtimeDirectory);
  const { busy, runs } = await daemonState(socket);
  if (busy !== null) return complain('shutdown', busy);
  const wanted = values[forReal];
  const plan: Plan = { ...selected.plan, dryRun: !wanted || configuration.dryRun };
  const byHand = new ByHand(configuration, plan.dryRun);
  const dryByConfiguration = wanted && configuration.dryRun;
  if (runs) await byHand.begins(plan);
  const result = await run(configuration, plan, { json, dryByConfiguration, byHand });
  await keep(socket, result.measured);
  const { recorded, problems } = await byHand.told(runs);
  if (recorded.length > 0 && !json)
    process.stdout.write(printable(`Recorded as shut down by hand: ${recorded.join(', ')}.\n`));
  for (const problem of problems) complain('shutdown', problem);
  const failed = result.steps.some(({ outcome }) => outcome.kind === 'failed');
  return failed || result.cancelled !== null ? exitCode.failed : exitCode.fine;
}

async function run(
  configuration: Configuration,
  plan: Plan,
  {
    json,
    dryByConfiguration,
    byHand,
  }: { readonly json: boolean; readonly dryByConfiguration: boolean; readonly byHand: ByHand },
): Promise<DrillResult> {
  const say = (text: string) => {
    if (!json) process.stdout.write(printable(`${text}\n`));
  };
  say(drillIntroduction(plan, dryByConfiguration));
  const running = runPlanByHand(configuration, plan, (step) => {
    byHand.ended(step);
    say(stepLine(step));
  });
  const interrupt = () => {
    if (!running.cancel())
      complain('shutdown', 'the point of no return is passed: the sequence runs to its end');
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, interrupt);
  const result = await running.result;
  for (const signal of signals) process.off(signal, interrupt);
  if (json) process.stdout.write(`${JSON.stringify(asJson(result), null, 2)}\n`);
  else say(drillReport(result));
  return result;
}

/** The daemon keeps what was measured; without one it is lost. */
async function keep(socket: string, measured: DrillResult['measured']): Promise<void> {
  if (measured.length === 0) return;
  const body = JSON.stringify({ times: measured.slice(0, maxServerTimes) });
  await requestDaemon(socket, 'servers', nothing, { method: 'POST', withinMs: answerMs, body });
}

function asJson({ plan, steps, ...rest }: DrillResult): unknown {
  return {
    group: plan.group,
    dryRun: plan.dryRun,
    boundSeconds: plan.boundSeconds,
    estimateSeconds: plan.estimateSeconds,
    steps: steps.map(({ step, outcome, seconds }) => ({
      id: step.id,
      phase: step.phase,
      target: step.target,
      seconds,
      ...outcome,
    })),
    ...rest,
  };
}

/** `busy`: the reason why the daemon forbids a drill now; null when it allows one. */
async function daemonState(
  socket: string,
): Promise<{ readonly busy: string | null; readonly runs: boolean }> {
  const reply = await requestDaemon(socket, 'sequence', SequenceModel);
  if (!reply.ok) return { busy: reply.notRunning === true ? null : reply.message, runs: false };
  const busy = reply.value.active ? 'the daemon runs a shutdown sequence; see ridethrough status' : null;
  return { busy, runs: true };
}

async function cancel(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: daemonOptions,
  });
  const socket = await socketOf(values);
  if (!socket.ok) return complain('shutdown', socket.message, socket.code);
  const Cancelled = t.type({ cancelled: t.literal(true) });
  const reply = await requestDaemon(socket.path, 'cancel', Cancelled, { method: 'POST', withinMs: answerMs });
  if (!reply.ok) return complain('shutdown', reply.message);
  process.stdout.write(
    values.json
      ? `${reply.text}\n`
      : 'Cancelled before the point of no return. The sequence does not start again in this outage.\n',
  );
  return exitCode.fine;
}

/** The daemon cancels immediately or not at all. */
const answerMs = 5_000;
