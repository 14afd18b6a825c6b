// Microsoft Teams. Its webhooks of connectors answer 200 also where Teams did not take the message; the text of the answer says so.
import type { HttpRefusal } from './http-post.js';
import type { SendOutcome } from './outcome.js';
import { delivered, failureOf } from './outcome.js';

/** The status whose text is read. */
export const teamsDoubtful = 200;

/** Undefined where the status alone decides. */
export function teamsOutcome({ status, body, words }: HttpRefusal): SendOutcome | undefined {
  if (status !== teamsDoubtful) return undefined;
  if (!/^[\s"]*Webhook message delivery failed/i.test(body)) return delivered;
  const own = Number(/HTTP error (\d{3})\b/.exec(body)?.[1] ?? 0);
  const answer = `(HTTP ${String(status)})${words}`;
  if (own === 429) return failureOf('BUSY', `it limits the rate of messages ${answer}`);
  if (own === 403 || own === 404 || own === 410)
    return failureOf('WRONG_ADDRESS', `its channel takes no message ${answer}; make a new webhook there`);
  if (own >= 400 && own < 500) return failureOf('REFUSED', `it refuses this message ${answer}`);
  return failureOf('SERVICE_ERROR', `it did not pass the message on ${answer}`);
}
