// Login sessions: in memory only, each with a lifetime. The gate checks whether the user still exists.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../shared/runtime/clock.js';

export interface Session {
  readonly user: string;
  /** The stamp of the password; a different one means that the password was reset or the user was created again. */
  readonly stamp: string;
}

interface Kept extends Session {
  readonly digest: Buffer;
  readonly endsMs: number;
}

/** A script that logs in for every call must not fill the memory: above this the oldest session of the user ends. */
const mostPerUser = 1_000;

export class Sessions {
  readonly #clock: Clock;
  /** By the digest of the token, in hexadecimal, oldest first. The tokens themselves are not stored. */
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the token of a new session; it is shown once. */
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
    // Compares digests, of which a client cannot choose a part: the time reveals nothing about a token.
    if (kept === undefined || !timingSafeEqual(kept.digest, digest)) return null;
    if (kept.endsMs > this.#clock.monotonicMs()) return kept;
    this.end(token);
    return null;
  }

  /** Ends the session, if there is one. */
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
