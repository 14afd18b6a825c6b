// The notification texts of events that come from sequences, workers and the daemon itself. Policy has its own (policy/view/), and so
// has remote health (remote-health/machine/messages.ts).
// An event type that is not in the table gets no message here.
import type { EventType } from '../../shared/domain/status/events.js';
import type { RecordedEvent } from './event-recorder.js';

/** `label`: of the UPS or redundancy group that the event is about. */
type Template = (detail: string, label: string) => string;

/** In the reason of a cancellation that somebody has asked for. */
export const byRequest = 'cancelled by ';

const keepsOutput = 'The UPS keeps its output on: when power is back, machines may not start by themselves.';
const checkFiles = 'The machine is shut down all the same; check its file systems afterwards.';
const stopIt = 'Stop what still runs there yourself if you can.';

/** By the beginning of the id of the step. */
const remedies: readonly (readonly [string, string])[] = [
  ['virtual_machines/', stopIt],
  ['containers/', stopIt],
  ['filesystem_', checkFiles],
  ['final_sync/', checkFiles],
  ['nut_secondaries/host/flag', keepsOutput],
  ['nut_secondaries/', 'Shut the secondaries of that UPS down yourself if you can.'],
  ['ups_output_off/', keepsOutput],
];

function remedyOf(step: string): string {
  const found = remedies.find(([beginning]) => step.startsWith(beginning));
  return found?.[1] ?? 'Shut that machine down yourself if you can.';
}

const templates: Readonly<Partial<Record<EventType, Template>>> = {
  SHUTDOWN_STEP_FAILED: (detail) =>
    `A step of a shutdown failed: ${detail}. The sequence continues without it. ${remedyOf(detail)}`,
  SHUTDOWN_SEQUENCE_COMPLETE: (detail) => `A shutdown sequence has ended. ${detail}.`,
  SHUTDOWN_RESUMED: (detail, label) =>
    `The shutdown of ${label} continues, after a restart of the daemon or a bug of it: ${detail}. Nothing needs to be done.`,
  SHUTDOWN_CANCELLED: (detail) =>
    `A shutdown was cancelled before anything was shut down: ${detail}. ${
      detail.includes(byRequest)
        ? 'No other shutdown starts in this outage: shut the machines down yourself, or they run until the battery is empty.'
        : 'Nothing needs to be done.'
    }`,
  REMOTE_SHUTDOWN_SUMMARY: (detail) =>
    `The shutdown of the remote machines has ended: ${detail}. Check those that are not ok.`,
  RECOVERY_STARTED: (detail) => `Power is back and the machines are started again: ${detail}.`,
  RECOVERY_TARGET_FAILED: (detail) => `A machine did not start again: ${detail}. Start it yourself.`,
  RECOVERY_COMPLETE: (detail) => `The start of the machines has ended: ${detail}.`,
  GUESTS_STAY_OFF: (detail) => `What ran before the shutdown is not running: ${detail}. Start it yourself.`,
  SELF_TEST_WARNING: (detail, label) =>
    `A battery test of ${label} ended with a warning (${detail}). The test was done; what the warning means only the UPS knows. If the next test says the same, plan a replacement of the battery.`,
  SELF_TEST_FAILED: (detail, label) =>
    `A battery test of ${label} failed (${detail}). Plan a shutdown to replace it, and test again.`,
  BATTERY_HEALTH_WARNING: (detail, label) =>
    `The battery of ${label} is weak: ${detail}. Plan its replacement.`,
  BATTERY_HEALTH_CRITICAL: (detail, label) =>
    `The battery of ${label} may not carry the load through an outage: ${detail}. Replace it now.`,
  BATTERY_REPLACEMENT_PREDICTED: (detail, label) =>
    `The battery of ${label} needs a replacement: ${detail}. Order one, and set battery_install_date afterwards.`,
  WORKER_FAILED: (detail) =>
    `A worker of the daemon keeps failing: ${detail}. Its function is not available meanwhile; see the log.`,
  POLICY_EXCEPTION: (detail) =>
    `A bug of the daemon has thrown an exception in its decisions: ${detail}. Where it decided nothing the reserve decides, by fewer rules. Please report it, with the log.`,
  DAEMON_RECOVERED: (detail) =>
    `The machine is up again after an outage shut it down (${detail}). Nothing needs to be done.`,
  DAEMON_AFTER_CRASH: (detail) =>
    `The daemon is up again after an unclean end (${detail}). If the machine lost its power, find out why it was not shut down.`,
};

/** The message for an event; undefined when this table has none. */
export function messageFor({ type, detail }: RecordedEvent, label: string): string | undefined {
  return templates[type]?.(detail, label);
}
