// An answer that does not end, as a stream: whoever reads it is asked again and again who he is, so that a session that
// has ended, a deleted user or a revoked key reads no further.
import type { Readable } from 'node:stream';
import { Problem } from '../http/problem.js';

/** Ends the body once `authorize` throws a Problem. */
export function recheckAuthorization(body: Readable, everyMs: number, authorize: () => unknown): void {
  const ask = async (): Promise<void> => {
    try {
      await authorize();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      body.destroy();
    }
  };
  const timer = setInterval(() => void ask(), everyMs);
  body.once('close', () => clearInterval(timer));
}
