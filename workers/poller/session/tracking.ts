// Tracks an accepted command or write until the driver has done it (GET TRACKING, NUT 2.8).
import type { Deadline } from '../wire/deadline.js';
import { pause } from '../wire/deadline.js';
import type { NutAnswer } from '../wire/errors.js';
import { answerOf, failureOf, isNotOffered } from '../wire/errors.js';
import { requestLine } from '../wire/wire.js';
import type { NutAsk } from '../wire/connection.js';

/** A driver answers in its next loop: a few quick requests first, then two a second. */
const firstPauseMs = 20;
const maxPauseMs = 500;

/** The identifier in `OK TRACKING <id>`, undefined for a plain OK. */
export function trackingId(words: readonly string[]): string | undefined {
  return words[0] === 'OK' && words[1] === 'TRACKING' ? words[2] : undefined;
}

/** Waits for SUCCESS. An ERR is the driver's answer; after the deadline the outcome is unknown. */
export async function trackedOutcome(
  id: string,
  ask: NutAsk,
  deadline: Deadline,
): Promise<NutAnswer<string>> {
  const line = requestLine('GET TRACKING', id);
  if (line === undefined)
    return failureOf('PROTOCOL_ERROR', 'the server sent an invalid tracking identifier');
  let waitMs = firstPauseMs;
  for (;;) {
    const answer = await ask(line, { kind: 'line' }, deadline);
    if (!answer.ok) {
      // The server accepted the request but does not track it: the result is "accepted".
      return isNotOffered(answer.failure) && answer.failure.code !== 'INVALID-ARGUMENT'
        ? answerOf('OK')
        : answer;
    }
    const state = answer.value.kind === 'line' ? answer.value.text : '';
    if (state === 'SUCCESS') return answerOf(state);
    if (state !== 'PENDING')
      return failureOf('PROTOCOL_ERROR', `unexpected tracking state: ${state.slice(0, 80)}`);
    await pause(waitMs, deadline);
    if (deadline.passed)
      return failureOf(
        'TIMEOUT',
        `accepted by the server, but not confirmed within ${String(deadline.totalMs)} ms`,
      );
    waitMs = Math.min(waitMs * 2, maxPauseMs);
  }
}
