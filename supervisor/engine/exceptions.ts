// The exceptions of policy, for the operator: one event for each place that threw, and /ready (specification/sequence.md#readiness).
import { errorTrace } from '../../shared/domain/base/error-message.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import type { Loss } from '../policy/base/loss.js';

/** A bug that comes back seldom is still there; after this without an exception it is taken to be gone. */
const troubleMs = 10 * 60_000;
/** Bounds what the file keeps. Policy has fewer places that an operator would tell apart. */
const mostPlaces = 50;

/** Plain data, for the file of the reserve. */
export interface KnownExceptions {
  readonly lastMs: number | null;
  /** Those told, by the line of code that threw. */
  readonly places: readonly string[];
}

export const noExceptions: KnownExceptions = { lastMs: null, places: [] };

export class Exceptions {
  #known: KnownExceptions;
  readonly #record: (event: RecordedEvent) => void;

  constructor(known: KnownExceptions, record: (event: RecordedEvent) => void) {
    this.#known = known;
    this.#record = record;
  }

  get known(): KnownExceptions {
    return this.#known;
  }

  caught({ place, error }: Loss, nowMs: number): void {
    const trace = errorTrace(error);
    const [summary = '', at = place] = trace
      .split('\n')
      .filter((line, index) => index === 0 || /^\s+at /.test(line));
    const { places } = this.#known;
    const isNew = !places.includes(at.trim()) && places.length < mostPlaces;
    this.#known = { lastMs: nowMs, places: isNew ? [...places, at.trim()] : places };
    if (!isNew) return;
    const detail = `${place}: ${summary} ${at.trim()}`;
    this.#record({ source: 'daemon', type: 'POLICY_EXCEPTION', detail });
  }

  /** Why the daemon is not ready; null when no step has thrown for ten minutes. */
  trouble(nowMs: number): string | null {
    const { lastMs, places } = this.#known;
    if (lastMs === null || nowMs - lastMs >= troubleMs) return null;
    return `the decision has thrown an exception (${String(places.length)} places), and the reserve stands in: a bug of this daemon, please report it`;
  }
}
