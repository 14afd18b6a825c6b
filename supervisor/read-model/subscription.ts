// Keeps one worker's copy of the read model current: only what changed, newest wins, one change under way at a time.
import type { Outcome } from '../../shared/protocol/contract.js';

const publishDeadlineMs = 5_000;

/** What the next change has to hold. */
export interface ChangeSet {
  readonly full: boolean;
  /** groupIds that have changed; some may exist no more. Without meaning while `whole`. */
  readonly changed: readonly string[];
}

export type Publish<C> = (change: C, deadlineMs: number) => Promise<Outcome<unknown>>;

export class ModelSubscription<C> {
  readonly #build: (wanted: ChangeSet) => C;
  readonly #pauseMs: number;
  readonly #lost: (change: C) => void;
  readonly #changed = new Set<string>();
  #full = false;
  #dirty = false;
  #inFlight = false;
  #publish: Publish<C> | undefined;

  /**
   * `build` makes a change from the model as it is then; `pauseMs` is the least time between two of them; `lost` gets
   * one that did not arrive back, or may not have.
   */
  constructor(build: (wanted: ChangeSet) => C, pauseMs: number, lost: (change: C) => void = () => undefined) {
    this.#build = build;
    this.#pauseMs = pauseMs;
    this.#lost = lost;
  }

  get connected(): boolean {
    return this.#publish !== undefined;
  }

  /** The worker is ready (again): it gets everything. */
  connect(publish: Publish<C>): void {
    this.#publish = publish;
    this.#full = true;
    this.touch();
  }

  disconnect(): void {
    this.#publish = undefined;
    // It begins with everything when it is back.
    this.#changed.clear();
  }

  upsChanged(groupId: string): void {
    if (this.#publish === undefined) return;
    this.#changed.add(groupId);
    this.touch();
  }

  /** UPSes came or went. */
  allChanged(): void {
    this.#full = true;
    this.touch();
  }

  /** Something besides a UPS row has changed. */
  touch(): void {
    this.#dirty = true;
    // On the next turn: what stands between a trigger and its command must not pay for the picture of it.
    if (!this.#inFlight && this.#publish !== undefined) setImmediate(() => this.#pump());
  }

  #pump(): void {
    const publish = this.#publish;
    if (this.#inFlight || !this.#dirty || publish === undefined) return;
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
      }, this.#pauseMs);
    });
  }
}
