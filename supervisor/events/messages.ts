// The words for what people are told of events that policy does not put into words itself: sequences, recovery, workers
// and the daemon's own life. What is not in the table has its own message, or is worth a row and no message.
import type { EventType } from '../../shared/domain/events.js';
import type { RecordedEvent } from './event-recorder.js';

type Words = (detail: string) => string;

const words: Readonly<Partial<Record<EventType, Words>>> = {
  SHUTDOWN_STEP_FAILED: (detail) =>
    `A step of a shutdown failed: ${detail}. The sequence goes on without it; see to that machine yourself if you can.`,
  SHUTDOWN_SEQUENCE_COMPLETE: (detail) => `A shutdown sequence has ended. ${detail}.`,
  SHUTDOWN_RESUMED: (detail) => `The daemon was restarted during a shutdown and goes on with it: ${detail}.`,
  SHUTDOWN_CANCELLED: (detail) =>
    `A shutdown was called off before anything was shut down: ${detail}. Nothing needs to be done.`,
  REMOTE_SHUTDOWN_SUMMARY: (detail) =>
    `The shutdown of the remote machines has ended: ${detail}. Look after those that are not ok.`,
  RECOVERY_STARTED: (detail) => `Power is back and the machines are started again: ${detail}.`,
  RECOVERY_TARGET_FAILED: (detail) => `A machine did not come up again: ${detail}. Start it by hand.`,
  RECOVERY_COMPLETE: (detail) => `Starting the machines again has ended: ${detail}.`,
  WORKER_FAILED: (detail) =>
    `A part of the daemon does not stay alive: ${detail}. What it does is not done meanwhile; see the log.`,
  DAEMON_RECOVERED: (detail) =>
    `The machine is up again after an outage shut it down (${detail}). Nothing needs to be done.`,
  DAEMON_AFTER_CRASH: (detail) =>
    `The daemon is up again after it had not ended in order (${detail}). If the machine lost its power, find out why it was not shut down.`,
};

/** The message for an event, or undefined when nobody is to be told in this way. */
export function messageFor({ type, detail }: RecordedEvent): string | undefined {
  return words[type]?.(detail);
}
