// The guests that the scripts of a step found running, from their marked lines (shared/domain/actions/stop-script.ts). The server may
// send anything there.
import { guestKey, maxGuests, StoppedGuest } from '../../shared/domain/recovery/guest.js';

/** Of one message, far below the bound of a frame. */
const maxReported = 100;
/** The lines of a script come one by one, and its machine may lose power a second later. */
const reportMs = 50;

export interface FoundDependencies {
  readonly report: (guests: readonly StoppedGuest[]) => void;
  /** Called once, with the text of the problem. */
  readonly warn: (problem: string) => void;
  readonly setTimer: (ms: number, then: () => void) => () => void;
}

export class FoundGuests {
  readonly #deps: FoundDependencies;
  readonly #keys = new Set<string>();
  #unreported: StoppedGuest[] = [];
  #cancelTimer: (() => void) | null = null;
  #isFull = false;

  constructor(deps: FoundDependencies) {
    this.#deps = deps;
  }

  /** A line without its mark. One that names no guest in its strict form is dropped. */
  add(line: string): void {
    const guest = guestOf(line);
    if (guest === null) return;
    const key = guestKey(guest);
    if (!this.#keys.has(key)) {
      if (this.#keys.size >= maxGuests) return this.#full();
      this.#keys.add(key);
    }
    this.#unreported.push(guest);
    if (this.#unreported.length >= maxReported) this.flush();
    else this.#cancelTimer ??= this.#deps.setTimer(reportMs, () => this.flush());
  }

  flush(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const guests = this.#unreported;
    this.#unreported = [];
    if (guests.length > 0) this.#deps.report(guests);
  }

  #full(): void {
    if (this.#isFull) return;
    this.#isFull = true;
    this.#deps.warn(
      `more than ${String(maxGuests)} guests and containers run: all are stopped, but only the first ${String(maxGuests)} are recorded, so the others are not started again`,
    );
  }
}

/** `ENGINE ID USER NAME`, each after a tab. A name that cannot be shown is replaced by the id. Pure. */
export function guestOf(line: string): StoppedGuest | null {
  const [, engine, id = '', user = '', ...name] = line.split('\t');
  const known = { engine, id, name: name.join('\t') || id, user: user === '' ? null : user };
  const guest = StoppedGuest.is(known) ? known : { ...known, name: id };
  return StoppedGuest.is(guest) ? guest : null;
}
