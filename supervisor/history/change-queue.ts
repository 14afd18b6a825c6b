// Sends what changed in the variables of each UPS to storage, which keeps the last minutes as evidence. Never waits: when
// storage does not take it, it is dropped, and each UPS begins again with its complete reading.
import type { Variables } from '../../shared/domain/ups/reading.js';
import { changedVariables } from '../../shared/protocol/reading-change.js';
import type { ChangeRecord, storageContract } from '../../shared/protocol/storage.js';
import { maxChangedVariables, maxChangesPerRequest } from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';

/** A minute of 300 UPSes. */
const maxWaiting = 20_000;
const maxYoung = 250;
/** Of the texts of one request: half of the longest frame. */
const maxChars = 2_000_000;
const deadlineMs = 10_000;

export interface ChangeQueueDependencies {
  readonly storage: Pick<WorkerHandle<typeof storageContract>, 'request'>;
  readonly clock: Clock;
  readonly flushIntervalMs: number;
}

export class ChangeQueue {
  readonly #deps: ChangeQueueDependencies;
  flushIntervalMs: number;
  /** By groupId: the variables that storage has with what waits here. */
  readonly #known = new Map<string, Variables>();
  #waiting: ChangeRecord[] = [];
  #inFlight = 0;
  /** False until the first worker is ready: the readings before are evidence too. */
  #hasWorker = false;
  #flushedMs = 0;

  constructor(deps: ChangeQueueDependencies) {
    this.#deps = deps;
    this.flushIntervalMs = deps.flushIntervalMs;
  }

  tick(): void {
    if (this.#inFlight > 0) return;
    if (this.#deps.clock.monotonicMs() - this.#flushedMs >= this.flushIntervalMs) this.flush();
  }

  /** A good reading. Unchanged variables are the same object as before, which costs nothing here. */
  push(groupId: string, at: number, variables: Variables): void {
    const before = this.#known.get(groupId);
    if (before === variables) return;
    const changes = before === undefined ? { ...variables } : changedVariables(before, variables);
    this.#known.set(groupId, variables);
    const entries = Object.entries(changes);
    if (entries.length === 0) return;
    const bounded = entries.length > maxChangedVariables ? entries.slice(0, maxChangedVariables) : null;
    this.#waiting.push({
      groupId,
      at,
      isWhole: before === undefined,
      variables: bounded === null ? changes : Object.fromEntries(bounded),
    });
    if (this.#waiting.length > maxWaiting) this.startAgain();
    // Of a fleet soon: what waits for seconds moves to the old space of the heap, which then grows by half.
    else if (this.#waiting.length >= maxYoung && this.#inFlight === 0) this.flush();
  }

  /** A storage worker is ready and has nothing: what waits of each UPS counts from its complete reading on. */
  ready(): void {
    this.#hasWorker = true;
    const whole = new Set<string>();
    this.#waiting = this.#waiting.filter(({ groupId, isWhole }) => {
      if (isWhole) whole.add(groupId);
      return whole.has(groupId);
    });
    for (const groupId of this.#known.keys()) if (!whole.has(groupId)) this.#known.delete(groupId);
  }

  /** Storage misses something. */
  startAgain(): void {
    this.#known.clear();
    this.#waiting = [];
  }

  /** Sends what waits, now: before the event that is sent next. */
  flush(): void {
    if (!this.#hasWorker || this.#waiting.length === 0) return;
    const { storage, clock } = this.#deps;
    this.#flushedMs = clock.monotonicMs();
    const changes = this.#waiting.splice(0, this.#countOfRequest());
    this.#inFlight += 1;
    void storage.request('changes.append', { changes }, deadlineMs).then((outcome) => {
      this.#inFlight -= 1;
      if (!outcome.ok) this.startAgain();
      else for (const groupId of outcome.value.incomplete) this.#known.delete(groupId);
      if (this.#waiting.length >= maxChangesPerRequest) this.flush();
    });
  }

  #countOfRequest(): number {
    let chars = 0;
    const end = this.#waiting.slice(0, maxChangesPerRequest).findIndex(({ variables }) => {
      for (const [name, value] of Object.entries(variables)) chars += name.length + (value?.length ?? 4) + 8;
      return chars > maxChars;
    });
    return end === -1 ? maxChangesPerRequest : Math.max(1, end);
  }
}
