// Login sessions: in memory only, each with a lifetime. The request handler checks whether the user still exists.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Role } from '../../../shared/domain/status/role.js';
import type { Clock } from '../../../shared/runtime/clock.js';

export interface UserSession {
  readonly user: string;
  /** The stamp of the password; a different one means that the password was reset or the user was created again. */
  readonly stamp: string;
  /** The role at the login: it counts while the database cannot be read. */
  readonly role: Role;
}

interface StoredSession extends UserSession {
  readonly digest: Buffer;
  readonly endsMs: number;
}

/** A script that logs in for every call must not fill the memory: above this the oldest session of the user ends. */
const maxPerUser = 1_000;

export class Sessions {
  readonly #clock: Clock;
  /** By the digest of the token, in hexadecimal, oldest first. The tokens themselves are not stored. */
  readonly #sessions = new Map<string, StoredSession>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the token of a new session; it is shown once. */
  open(session: UserSession, ttlSeconds: number): string {
    this.#forgetEnded();
    const own = [...this.#sessions].filter(([, { user }]) => user === session.user);
    for (const [key] of own.slice(0, Math.max(0, own.length - maxPerUser + 1))) this.#sessions.delete(key);
    const token = `rs_${randomBytes(32).toString('base64url')}`;
    const digest = digestOf(token);
    this.#sessions.set(digest.toString('hex'), {
      ...session,
      digest,
      endsMs: this.#clock.monotonicMs() + ttlSeconds * 1000,
    });
    return token;
  }

  find(token: string): UserSession | null {
    const digest = digestOf(token);
    const stored = this.#sessions.get(digest.toString('hex'));
    // Compares digests, of which a client cannot choose a part: the time reveals nothing about a token.
    if (stored === undefined || !timingSafeEqual(stored.digest, digest)) return null;
    if (stored.endsMs > this.#clock.monotonicMs()) return stored;
    this.end(token);
    return null;
  }

  end(token: string): void {
    this.#sessions.delete(digestOf(token).toString('hex'));
  }

  #forgetEnded(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const [key, { endsMs }] of this.#sessions) if (endsMs <= nowMs) this.#sessions.delete(key);
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
