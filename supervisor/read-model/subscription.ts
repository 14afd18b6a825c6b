// Keeps one worker's copy of the read model current: sends only what changed, newest wins, one change in flight.
import type { Outcome } from '../../shared/protocol/contract.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { SetTimer } from '../host/timer.js';

/** Several times what a change of 1,000 UPSes takes; then it counts as lost, and all is sent. */
const publishDeadlineMs = 5_000;

/** What the next change must contain. */
export interface ChangeSet {
  readonly full: boolean;
  /** groupIds that have changed; some may no longer exist. Unused while `full`. */
  readonly changed: readonly string[];
}

/**
 * The minimum time between two changes, and the period in which values are sent once that no change of state takes along: at its
 * first tick, with the other work of that moment.
 */
export interface ChangePauses {
  readonly stateMs: number;
  readonly valuesMs: number;
}

export interface PublisherTime {
  readonly clock: Clock;
  readonly setTimer: SetTimer;
}

export type Publish<C> = (change: C, deadlineMs: number) => Promise<Outcome<unknown>>;

export class ModelSubscription<C> {
  readonly #build: (wanted: ChangeSet) => C;
  readonly #pauses: ChangePauses;
  readonly #time: PublisherTime;
  readonly #lost: (change: C) => void;
  readonly #changed = new Set<string>();
  #full = false;
  #dirty = false;
  #inFlight = false;
  #sentAtMs = -Infinity;
  #answeredAtMs = -Infinity;
  /** Set while a change waits for the end of the pause. */
  #cancelLater: (() => void) | undefined;
  #publish: Publish<C> | undefined;

  /** `build` makes a change from the current model; `lost` gets a change that was not acknowledged. */
  constructor(
    build: (wanted: ChangeSet) => C,
    pauses: ChangePauses,
    time: PublisherTime,
    lost: (change: C) => void = () => undefined,
  ) {
    this.#build = build;
    this.#pauses = pauses;
    this.#time = time;
    this.#lost = lost;
  }

  get connected(): boolean {
    return this.#publish !== undefined;
  }

  /** The worker is ready: it gets everything. */
  connect(publish: Publish<C>): void {
    this.#publish = publish;
    this.#full = true;
    this.touch();
  }

  disconnect(): void {
    this.#publish = undefined;
    this.#cancelLater?.();
    this.#cancelLater = undefined;
    // After a restart the worker gets everything.
    this.#changed.clear();
  }

  /** A row has changed: its state, or only a value in it. */
  upsChanged(groupId: string, isState: boolean): void {
    if (this.#publish === undefined) return;
    this.#changed.add(groupId);
    if (isState) this.touch();
  }

  /** Call it at every tick. */
  tick(): void {
    const period = (atMs: number): number => Math.floor(atMs / this.#pauses.valuesMs);
    if (this.#changed.size > 0 && period(this.#nowMs()) > period(this.#sentAtMs)) this.touch();
  }

  /** UPSes were added or removed. */
  allChanged(): void {
    this.#full = true;
    this.touch();
  }

  /** Something other than a UPS row has changed. */
  touch(): void {
    this.#dirty = true;
    // On the next turn of the loop: building a change must not delay the path from a trigger to its command.
    if (!this.#inFlight && this.#publish !== undefined) setImmediate(() => this.#pump());
  }

  #pump(): void {
    const publish = this.#publish;
    if (this.#inFlight || !this.#dirty || publish === undefined) return;
    const waitMs = this.#answeredAtMs + this.#pauses.stateMs - this.#nowMs();
    this.#cancelLater?.();
    this.#cancelLater = waitMs > 0 ? this.#time.setTimer(Math.ceil(waitMs), () => this.#pump()) : undefined;
    if (this.#cancelLater !== undefined) return;
    const change = this.#build({ full: this.#full, changed: [...this.#changed] });
    this.#changed.clear();
    this.#full = false;
    this.#dirty = false;
    this.#inFlight = true;
    this.#sentAtMs = this.#nowMs();
    void publish(change, publishDeadlineMs).then((outcome) => {
      if (!outcome.ok) {
        this.#full = true;
        this.#dirty = true;
        this.#lost(change);
      }
      this.#inFlight = false;
      this.#answeredAtMs = this.#nowMs();
      this.#pump();
    });
  }

  #nowMs(): number {
    return this.#time.clock.monotonicMs();
  }
}
