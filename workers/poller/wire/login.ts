// The login to a NUT server: what is sent, and when a refusal asks for one. A server checks the two words at a later request.
import type { Deadline } from './deadline.js';
import type { NutAnswer, NutFailure } from './errors.js';
import { answerOf, cannotEncode, isNotOffered } from './errors.js';
import type { NutAsk } from './connection.js';
import { requestLine } from './wire.js';

export interface NutCredentials {
  readonly username: string;
  readonly password: string;
}

export type LogIn = (ask: NutAsk, deadline: Deadline) => Promise<NutAnswer<void>>;

/** Logs in on one connection after the other. What a server does not offer, since it has no accounts, is not sent again. */
export function loginOf({ username, password }: NutCredentials): LogIn {
  const notOffered = new Set<string>();
  return async (ask, deadline) => {
    for (const [verb, word] of [
      ['USERNAME', username],
      ['PASSWORD', password],
    ] as const) {
      if (notOffered.has(verb)) continue;
      const line = requestLine(verb, word);
      if (line === undefined) return cannotEncode();
      const reply = await ask(line, { kind: 'line' }, deadline);
      if (reply.ok) continue;
      if (!isNotOffered(reply.failure)) return reply;
      notOffered.add(verb);
    }
    return answerOf(undefined);
  };
}

/** True when a server may refuse a read only because nobody has logged in. */
export function asksForLogin({ code }: NutFailure): boolean {
  return code === 'ACCESS-DENIED' || code === 'USERNAME-REQUIRED';
}

/** The refusal of a read, with what the operator can do. */
export function refusedRead(failure: NutFailure, advice: string): NutAnswer<never> {
  return { ok: false, failure: { ...failure, message: `${failure.message}: ${advice}`.slice(0, 1024) } };
}
