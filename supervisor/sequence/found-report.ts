// Writes to the journal which guests a step has found running and stops, so that they can be started again. A step is
// neither delayed nor failed by it.
import { listNames } from '../../shared/domain/base/list-names.js';
import type { PlanStep } from '../../shared/domain/outage/plan.js';
import type { StoppedGuest } from '../../shared/domain/recovery/guest.js';
import type { SequencerDependencies } from './dependencies.js';
import { takenOf } from './journal/found-guests.js';

export class FoundReport {
  readonly #deps: Pick<SequencerDependencies, 'guard' | 'clock' | 'log' | 'journal'>;

  constructor(deps: Pick<SequencerDependencies, 'guard' | 'clock' | 'log' | 'journal'>) {
    this.#deps = deps;
  }

  /** Never throws. What does not fit is said. */
  report(group: string, { id }: Pick<PlanStep, 'id'>, reported: readonly StoppedGuest[]): void {
    this.#deps.guard.run('the report of guests', () => this.#write(group, id, reported));
  }

  #write(group: string, step: string, reported: readonly StoppedGuest[]): void {
    const { clock, log, journal } = this.#deps;
    const known = journal.of(group)?.found.get(step);
    const { guests, tooMany, malformed } = takenOf(reported, known, journal.foundChars);
    const moment = { atMs: clock.monotonicMs(), unixSeconds: clock.wallSeconds() };
    if (guests.length > 0) journal.write({ kind: 'found', group, step, guests, ...moment });
    const lost = [
      ...(tooMany.length === 0 ? [] : [`${listNames(tooMany)} (too many)`]),
      ...(malformed === 0 ? [] : [`${String(malformed)} whose name or id has an unknown form`]),
    ];
    if (lost.length === 0) return;
    const text = `${step}: these are stopped and not recorded, so that they are not started again: ${lost.join(', ')}; start them by hand`;
    log.warning(text, { category: 'shutdown', group });
  }
}
