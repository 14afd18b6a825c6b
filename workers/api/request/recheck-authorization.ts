// Checks the authorization of a stream at intervals: an ended session, a deleted user or a revoked key ends the stream.
import type { Readable } from 'node:stream';
import { ApiProblem } from '../http/problem.js';

/** Ends the body once `authorize` throws a Problem. */
export function recheckAuthorization(body: Readable, everyMs: number, authorize: () => unknown): void {
  const ask = async (): Promise<void> => {
    try {
      await authorize();
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      body.destroy();
    }
  };
  const timer = setInterval(() => void ask(), everyMs);
  body.once('close', () => clearInterval(timer));
}
