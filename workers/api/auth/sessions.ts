// Login sessions: in memory only, each with a lifetime. Whether its user still exists is the gate's to ask.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../shared/runtime/clock.js';

export interface Session {
  readonly user: string;
  /** Of the password it was opened with; another one means that the password was reset or the user made anew. */
  readonly stamp: string;
}

interface Kept extends Session {
  readonly digest: Buffer;
  readonly endsMs: number;
}

/** A script that logs in for every call must not fill the memory; beyond it the user's own oldest session ends. */
const mostPerUser = 1_000;

export class Sessions {
  readonly #clock: Clock;
  /** By the digest of the token, in hexadecimal, oldest first. The tokens themselves are kept by nobody. */
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The token of a new session; it is shown to its user and never again. */
  open(session: Session, ttlSeconds: number): string {
    this.#forgetEnded();
    const own = [...this.#kept].filter(([, { user }]) => user === session.user);
    for (const [key] of own.slice(0, Math.max(0, own.length - mostPerUser + 1))) this.#kept.delete(key);
    const token = `rs_${randomBytes(32).toString('base64url')}`;
    const digest = digestOf(token);
    this.#kept.set(digest.toString('hex'), {
      ...session,
      digest,
      endsMs: this.#clock.monotonicMs() + ttlSeconds * 1000,
    });
    return token;
  }

  find(token: string): Session | null {
    const digest = digestOf(token);
    const kept = this.#kept.get(digest.toString('hex'));
    // What is compared is a digest, of which nobody can choose a part: the time taken tells nothing of a token.
    if (kept === undefined || !timingSafeEqual(kept.digest, digest)) return null;
    if (kept.endsMs > this.#clock.monotonicMs()) return kept;
    this.end(token);
    return null;
  }

  /** Ends it; nothing happens when there is none. */
  end(token: string): void {
    this.#kept.delete(digestOf(token).toString('hex'));
  }

  #forgetEnded(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const [key, { endsMs }] of this.#kept) if (endsMs <= nowMs) this.#kept.delete(key);
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
