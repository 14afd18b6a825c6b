// Keeps one worker's copy of the read model current: sends only what changed, newest wins, one change in flight.
import type { Outcome } from '../../shared/protocol/contract.js';

const publishDeadlineMs = 5_000;

/** What the next change must contain. */
export interface ChangeSet {
  readonly full: boolean;
  /** groupIds that have changed; some may no longer exist. Unused while `full`. */
  readonly changed: readonly string[];
}

/** The minimum time between two changes, and until a change of values is sent that no change of state takes along. */
export interface Pauses {
  readonly stateMs: number;
  readonly valuesMs: number;
}

export type Publish<C> = (change: C, deadlineMs: number) => Promise<Outcome<unknown>>;

export class ModelSubscription<C> {
  readonly #build: (wanted: ChangeSet) => C;
  readonly #pauses: Pauses;
  readonly #lost: (change: C) => void;
  readonly #changed = new Set<string>();
  #full = false;
  #dirty = false;
  #inFlight = false;
  /** Set while only values have changed: they are sent when it fires. */
  #later: NodeJS.Timeout | undefined;
  #publish: Publish<C> | undefined;

  /** `build` makes a change from the current model; `lost` gets a change that was not acknowledged. */
  constructor(build: (wanted: ChangeSet) => C, pauses: Pauses, lost: (change: C) => void = () => undefined) {
    this.#build = build;
    this.#pauses = pauses;
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
    clearTimeout(this.#later);
    this.#later = undefined;
    // After a restart the worker gets everything.
    this.#changed.clear();
  }

  /** A row has changed: its state, or only a value in it. */
  upsChanged(groupId: string, isState: boolean): void {
    if (this.#publish === undefined) return;
    this.#changed.add(groupId);
    if (isState) this.touch();
    else this.#later ??= setTimeout(() => this.touch(), this.#pauses.valuesMs);
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
    clearTimeout(this.#later);
    this.#later = undefined;
    const change = this.#build({ full: this.#full, changed: [...this.#changed] });
    this.#changed.clear();
    this.#full = false;
    this.#dirty = false;
    this.#inFlight = true;
    void publish(change, publishDeadlineMs).then((outcome) => {
      if (!outcome.ok) {
        this.#full = true;
        this.#dirty = true;
        this.#lost(change);
      }
      setTimeout(() => {
        this.#inFlight = false;
        this.#pump();
      }, this.#pauses.stateMs);
    });
  }
}
