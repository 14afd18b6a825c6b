// The end of a plan: the outputs of UPSes, the power-off of this host, and the message to logged-in users.
import type { PhaseName, PlanStep } from '../../../shared/domain/outage/plan.js';
import { poweroffCommand, withTime } from '../../../shared/domain/commands/shutdown-line.js';
import type { PlanSettings, UpsOutputSettings } from './settings.js';
import { step } from './step.js';

/** Budgets: specification/sequence.md#phases. The power-off has its budget for each attempt. */
export const wallSeconds = 5;
const upsOutputSeconds = 10;
const poweroffSeconds = 30;
/** The login and FSD. */
const fsdSeconds = 5;
/** wall(1), shutdown(8) and upsd answer immediately. */
const momentSeconds = 1;

/** The poller acts by its own settings (`output`): `command` and `offDelaySeconds` are for words and the check of the way back. */
export function upsOutputStep({ ups, label, command, offDelaySeconds }: UpsOutputSettings): PlanStep {
  return step('ups_output_off', ups, {
    target: label,
    action: { kind: 'upsOutputOff', ups, command, offDelaySeconds },
    budgetSeconds: upsOutputSeconds,
    estimateSeconds: momentSeconds,
  });
}

/** Begins with the sequence, beside its phases: the other hosts need the time too. */
export function secondariesStep(
  { ups, label }: PlanSettings['primaries'][number],
  hostsyncSeconds: number,
): PlanStep {
  return step('nut_secondaries', ups, {
    target: label,
    lane: ups,
    begins: 'with_sequence',
    action: { kind: 'forceShutdown', ups, hostsyncSeconds },
    budgetSeconds: fsdSeconds + hostsyncSeconds,
    estimateSeconds: momentSeconds,
  });
}

export function powerdownFlagStep(path: string): PlanStep {
  return step('nut_secondaries', 'host/flag', {
    target: path,
    action: { kind: 'powerdownFlag', path },
    budgetSeconds: fsdSeconds,
    estimateSeconds: momentSeconds,
  });
}

export function poweroffStep({ poweroff }: PlanSettings): PlanStep {
  const { command, message, fallback, restart } = poweroff;
  return step('local_poweroff', 'host', {
    target: 'this host',
    action: {
      kind: 'poweroff',
      command: poweroffCommand(command, message),
      fallback: fallback === null ? null : poweroffCommand(fallback, message),
      // The message is about a power-off.
      ...(restart === undefined ? {} : { restart: withTime(restart) }),
    },
    budgetSeconds: poweroffSeconds,
    estimateSeconds: momentSeconds,
  });
}

/** The message to logged-in users. */
export function wallMessage({ poweroff: { message } }: PlanSettings): string {
  return message === '' ? 'This host is shutting down' : message;
}

/** In a lane of its own: nothing waits for it but the end of the first phase. */
export function wallStep(settings: PlanSettings, phase: PhaseName): PlanStep {
  return step(phase, 'users/wall', {
    target: 'logged-in users',
    action: { kind: 'wall', message: wallMessage(settings) },
    budgetSeconds: wallSeconds,
    estimateSeconds: momentSeconds,
    destructive: false,
  });
}
