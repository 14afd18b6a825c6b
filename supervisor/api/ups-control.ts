// Passes instant commands and variable writes from the API worker to a poller. Repeats the checks of the API worker, which
// may be compromised, and records every command and write with its principal.
import { cutsPower } from '../../shared/domain/ups/power-cutting.js';
import { shownValue } from '../../shared/domain/ups/secret-variables.js';
import { singleLine } from '../../shared/domain/base/single-line.js';
import type { AuditEventType } from '../../shared/domain/status/events.js';
import type { AuditRecord, apiContract } from '../../shared/protocol/api.js';
import { controlFailure } from '../../shared/protocol/poller.js';
import type { pollerContract } from '../../shared/protocol/poller.js';
import { linkFailure } from '../../shared/protocol/contract.js';
import type { Answer, Failure, Outcome, Params, RequestName } from '../../shared/protocol/contract.js';
import type {
  Configuration,
  ControlConfiguration,
  UpsConfiguration,
} from '../config/configuration/configuration.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import type { WorkerHandle, WorkerSpec } from '../supervision/worker-spec.js';

type PollerRequests = (typeof pollerContract)['requests'];
type ControlAsk = 'control.commands' | 'control.run' | 'control.variables' | 'control.write' | 'selfTest.run';
type Serve = Pick<WorkerSpec<typeof apiContract>['asks'], ControlAsk>;

/** The poller enforces `nut_control.timeout`, and its message is better than that of the link, so it gets this much longer. */
const graceMs = 1_000;

export interface ControlDependencies {
  configuration(): Configuration;
  poller(groupId: string): Pick<WorkerHandle<typeof pollerContract>, 'request'> | undefined;
  requestSelfTest(group: string): Promise<Outcome<{ command: string }>>;
  record(event: RecordedEvent): void;
  /** Records a command or write that was not done, at a limited rate: a flood must not evict power events. */
  recordRefused(record: AuditRecord): void;
}

/**
 * Concurrent requests to one poller, also across restarts of the API worker. A link has room for many more, so that
 * a compromised API worker cannot block the request of a plan to cut the output.
 */
const maxInFlight = 64;

type Ask = <N extends RequestName<typeof pollerContract>>(
  groupId: string,
  name: N,
  params: Params<PollerRequests, N>,
  objection: (control: ControlConfiguration) => string | null,
) => Promise<Outcome<Answer<PollerRequests, N>>>;

/** Answers the asks of the API worker about one UPS. */
export function controlAnswers(deps: ControlDependencies): Serve {
  const inFlight = new Map<string, number>();
  const ask: Ask = async (groupId, name, params, objection) => {
    const control = configurationOf(deps, groupId)?.control;
    const poller = deps.poller(groupId);
    if (control === undefined || poller === undefined)
      return failedOutcome({ code: 'NOT_FOUND', message: 'there is no such UPS' });
    const message = control === null ? 'nut_control.enabled is false' : objection(control);
    if (control === null || message !== null)
      return failedOutcome({ code: controlFailure.notAllowed, message: message ?? '' });
    const others = inFlight.get(groupId) ?? 0;
    if (others >= maxInFlight)
      return failedOutcome({
        code: linkFailure.refused,
        message: 'too many concurrent commands for this UPS; try again',
      });
    inFlight.set(groupId, others + 1);
    const outcome = await poller.request(name, params, control.timeoutMs + graceMs);
    inFlight.set(groupId, (inFlight.get(groupId) ?? 1) - 1);
    return outcome;
  };
  return {
    'control.commands': async ({ group }) => {
      const listed = await ask(group, 'commands.list', {}, () => null);
      return listed.ok ? { ok: true, value: { supported: listed.value.commands } } : listed;
    },
    'control.variables': ({ group }) => ask(group, 'variables.list', {}, () => null),
    'control.run': async ({ group, principal, command, value }) => {
      const outcome = await ask(group, 'command.run', { command, value }, (control) =>
        cutsPower('command', command) || !control.allowedCommands.includes(command)
          ? `the command ${command} is not allowed`
          : null,
      );
      record(deps, 'CONTROL_COMMAND', group, principal, `run ${command}`, outcome);
      return outcome;
    },
    'selfTest.run': async ({ group, principal }) => {
      const outcome = await deps.requestSelfTest(group);
      record(deps, 'CONTROL_SELF_TEST', group, principal, 'start a self test', outcome);
      return outcome;
    },
    'control.write': async ({ group, principal, variable, value }) => {
      const outcome = await ask(group, 'variable.write', { variable, value }, (control) =>
        cutsPower('variable', variable) || !control.allowedVariables.includes(variable)
          ? `the variable ${variable} is not allowed`
          : null,
      );
      record(
        deps,
        'CONTROL_VARIABLE',
        group,
        principal,
        `set ${variable} to ${shownValue(variable, value)}`,
        outcome,
      );
      return outcome;
    },
  };
}

function configurationOf(deps: ControlDependencies, groupId: string): UpsConfiguration | undefined {
  return deps.configuration().ups.find(({ policy }) => policy.groupId === groupId);
}

function record(
  deps: ControlDependencies,
  type: AuditEventType,
  group: string,
  principal: string,
  target: string,
  outcome: Outcome<unknown>,
): void {
  // Refused for lack of room: the API worker records it, as it does a request that did not reach the supervisor.
  if (!outcome.ok && outcome.error.code === linkFailure.refused) return;
  const known = configurationOf(deps, group) !== undefined;
  const detail = `${principal}: ${target}: ${resultOf(outcome)}`;
  const event = { source: known ? group : 'daemon', type, detail: singleLine(detail) };
  if (outcome.ok) deps.record(event);
  else deps.recordRefused(event);
}

/** `ok`, `denied` or `failed: text` (specification/events.md#audit-rows). */
function resultOf(outcome: Outcome<unknown>): string {
  if (outcome.ok) return 'ok';
  return outcome.error.code === controlFailure.notAllowed ? 'denied' : `failed: ${outcome.error.message}`;
}

function failedOutcome(error: Failure): Outcome<never> {
  return { ok: false, error };
}
