// Sequences that are decided and do not run: those of a previous daemon, and those that an exception has lost. Each is resumed, or
// dropped when power is back.
import type { ForcedShutdownState, Input } from '../policy/base/inputs.js';
import { openSequences } from '../policy/snapshot.js';
import type { PolicyState } from '../policy/state/state.js';
import { upsOf } from '../policy/state/state.js';
import { forcedShutdowns } from '../sequence/journal/fold.js';
import type { SequenceRecord } from '../sequence/journal/record.js';
import { progressOf } from '../sequence/journal/summary.js';
import type { OpenSequence } from '../sequence/open-sequences.js';
import { findUnfinished, OpenSequences } from '../sequence/open-sequences.js';
import type { Sequences } from '../sequence/sequences.js';
import type { DeferredEvents } from './deferred-events.js';
import type { GuardedDependencies } from './guarded-dependencies.js';
import type { PolicyQueries } from './policy-queries.js';
import type { Standby } from './standby.js';

export interface ResumptionDependencies extends Pick<GuardedDependencies, 'guard' | 'clock' | 'observer'> {
  readonly journal: SequenceRecord;
  readonly sequences: Sequences;
  readonly standby: Standby;
  readonly queries: PolicyQueries;
  readonly events: DeferredEvents;
  readonly state: () => PolicyState;
  readonly post: (input: Unstamped) => void;
  readonly forcedShutdown: (ups: string, state: ForcedShutdownState) => void;
  readonly ended: (group: string, cancelled: boolean) => void;
}

type Without<T> = T extends Input ? Omit<T, 'at'> : never;
/** An input that happens now. */
export type Unstamped = Without<Input>;

export class Resumption {
  readonly #deps: ResumptionDependencies;
  readonly #open: OpenSequences;

  constructor(deps: ResumptionDependencies) {
    this.#deps = deps;
    this.#open = new OpenSequences(deps.journal, deps.clock.monotonicMs());
  }

  get any(): boolean {
    return this.#open.any;
  }

  /** The group has a sequence that does not run. */
  has(group: string): boolean {
    return this.#open.has(group);
  }

  /**
   * Finds the sequences that previous daemons started and did not end. None of them runs before the first poll or tick.
   * `takenMs`: when policy's state was saved, monotonic ms; -Infinity when policy knows nothing.
   */
  recover(takenMs: number): void {
    const { guard, journal, sequences, standby, state, post } = this.#deps;
    const firedAt = (group: string) => standby.firedAt(group);
    let found: ReturnType<typeof findUnfinished> | undefined;
    guard.run(
      'the sequences that policy knows',
      () => (found = findUnfinished(journal, state(), takenMs, firedAt)),
    );
    const { fired = [], undecided = [], unknownToPolicy = journal.open, over = [] } = found ?? {};
    for (const { group, cancelled } of over) post({ kind: 'sequenceEnded', groupId: group, cancelled });
    const known = [...fired, ...unknownToPolicy].filter(({ group }) => !standby.isUnknownToPolicy(group));
    for (const open of known.filter((one) => unknownToPolicy.includes(one))) this.#tell(open);
    guard.run('FSD of this daemon', () => this.#recoverForcedShutdowns());
    guard.run('the decisions of policy', () =>
      sequences.decide(undecided.filter((open) => known.includes(open))),
    );
    for (const open of known) this.#open.add(open);
    guard.run('the sequences of the reserve', () => this.#findOfReserve());
    // The first poll may meet a trigger: policy would announce a shutdown that has ended, and that nothing starts again.
    guard.run('what has ended for the reserve', () => {
      for (const ended of standby.unknown({ isOver: true })) this.#tell(ended);
    });
    sequences.resumePowerOff();
  }

  /** Those that an exception has lost: of policy, or of the reserve. */
  findLost(): void {
    const { guard, journal, sequences, standby, state, ended } = this.#deps;
    const isLost = (group: string) => sequences.isIdle(group) && !this.#open.has(group);
    guard.run('the lost sequences of the reserve', () => this.#findOfReserve());
    if (!openSequences(state()).some(({ group }) => isLost(group))) return;
    const { fired, over } = findUnfinished(journal, state(), Infinity, (group) => standby.firedAt(group));
    for (const open of fired)
      if (isLost(open.group) && !standby.isUnknownToPolicy(open.group)) this.#open.add(open);
    for (const { group, cancelled } of over) if (isLost(group)) ended(group, cancelled);
  }

  /** Resumes each open sequence that is due. Drops it instead when power is back before its point of no return. */
  settle(): void {
    const { guard, clock, observer, events, journal, sequences, queries, ended } = this.#deps;
    const { run, drop } = this.#open.settle(queries, clock.monotonicMs());
    for (const open of run) {
      const { group, cause } = open;
      const known = journal.of(group);
      const isDecided = known?.over === null && known.cause.firedAtUnixSeconds === cause.firedAtUnixSeconds;
      const reason = `${cause.trigger}: ${cause.why}`;
      const detail = isDecided ? `${reason}; ${progressOf(known)}` : reason;
      events.after(`the resumption of ${group}`, () => {
        const runs = isDecided ? sequences.resume(group) : sequences.start([open]);
        if (runs) observer.sequenceStarted(group);
        if (runs) observer.record({ source: group, type: 'SHUTDOWN_RESUMED', detail });
      });
    }
    for (const { group, cause } of drop) {
      const detail = `${cause.trigger}: power returned before the first destructive step`;
      guard.run(`the cancellation of ${group}`, () => sequences.drop(group, detail));
      observer.record({ source: group, type: 'SHUTDOWN_CANCELLED', detail });
      ended(group, true);
    }
  }

  /** Policy does not know it: its snapshot is lost, or older. */
  #tell({ group, cause: { firedAtUnixSeconds: sinceUnixSeconds, ...request } }: OpenSequence): void {
    this.#deps.post({ kind: 'openSequenceFound', groupId: group, request, sinceUnixSeconds });
  }

  /** The record may be lost, or have the end of one that the memory of the reserve lacks. */
  #findOfReserve(): void {
    const { journal, sequences, standby } = this.#deps;
    for (const open of standby.unknown({ isOver: false })) {
      const { group, cause } = open;
      if (!sequences.isIdle(group) || this.#open.has(group)) continue;
      const known = journal.of(group);
      const isSame = known?.cause.firedAtUnixSeconds === cause.firedAtUnixSeconds;
      if (isSame && known.over !== null) standby.ended(group);
      else this.#open.add(open);
    }
  }

  /** FSD that is read now is our own, also when the snapshot is older than the step that has set it. */
  #recoverForcedShutdowns(): void {
    const { journal, state, forcedShutdown } = this.#deps;
    for (const record of journal.groups)
      for (const [ups, fsd] of forcedShutdowns(record)) {
        const known = upsOf(state(), ups)?.fsd.kind;
        if (record.over === null ? known !== 'own' : known === 'unseen') forcedShutdown(ups, fsd);
      }
  }
}
