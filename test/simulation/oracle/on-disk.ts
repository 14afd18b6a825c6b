// What a restarted daemon finds of the sequences: the oracle continues from the disk, as the daemon must.
import type { OutageSnapshot } from '../../../shared/domain/outage/outage-snapshot.js';
import type { GroupRecord, StepRecord } from '../../../supervisor/sequence/journal/fold.js';
import { entriesOf, foldOf } from '../../../supervisor/sequence/journal/record.js';
import type { OracleContext } from './oracle-context.js';
import type { SequenceModel, Running } from './sequence-model.js';
import type { ExpectedStep } from './expected-plan.js';
import { boundOf, keyOf } from './expected-plan.js';

interface Reserve {
  readonly fired: Readonly<Record<string, { readonly firedAtUnixSeconds: number }>>;
}

/** A resumed sequence waits at most 15 s for a reading, plus a tick (specification/sequence.md#restart-during-a-sequence). */
const lookMs = 16_000;

export class OnDisk {
  readonly #context: OracleContext;
  readonly #model: SequenceModel;
  readonly #planOf: (group: string) => readonly ExpectedStep[];

  constructor(
    context: OracleContext,
    model: SequenceModel,
    planOf: (group: string) => readonly ExpectedStep[],
  ) {
    this.#context = context;
    this.#model = model;
    this.#planOf = planOf;
  }

  /** The memory of the context is already that of the snapshot. */
  apply(): void {
    const { world, memory } = this.#context;
    const { sequences } = this.#model;
    const histories = [...foldOf(entriesOf(world.tmpfs.journals.read())).groups.values()];
    for (const history of histories) this.#applyJournal(history);
    this.#forgetUnwritten(histories);
    // In neither of them: the disk was full, or the daemon was killed before it wrote anything.
    for (const group of [...sequences.keys()]) {
      const isAsked = memory.fired.get(group)?.sequenceOver === false;
      const isJournaled = histories.some((one) => one.group === group && one.over === null);
      if (!isAsked && !isJournaled) this.#model.lose(group);
    }
    for (const running of sequences.values()) {
      const known = histories.find(({ group }) => group === running.group);
      this.#allot(running, known === undefined || isOfBefore(known, running) ? new Map() : pastOf(known));
    }
  }

  /** A step without an end on the disk may run again, within the rest of its budget. */
  #allot(running: Running, past: ReadonlyMap<string, StepRecord>): void {
    const nowMs = this.#context.world.machine.monotonicMs();
    const left = running.plan.map((step) => ({ ...step, budgetMs: leftOf(step, past.get(step.key), nowMs) }));
    running.endsByMs = nowMs + lookMs + boundOf(left);
  }

  #applyJournal(history: GroupRecord): void {
    const { group, startedMs, cause } = history;
    const context = this.#context;
    const later = this.#model.sequences.get(group);
    if (later !== undefined && isOfBefore(history, later)) {
      const firedMs = context.memory.fired.get(group)?.sinceMs ?? Infinity;
      if (firedMs > startedMs) return;
      // Decided when neither could be written: the daemon knows the one before.
      this.#model.lose(group);
    }
    const known = this.#model.sequences.get(group);
    if (history.over !== null) {
      this.#noteShared(history);
      // Not known any more: its end was seen. The snapshot comes after the journals and may not have it.
      if (known !== undefined) this.#model.end(group);
      if (this.#isOfReserve(history)) this.#fire(history);
      if (context.memory.fired.get(group)?.sequenceOver === false) context.sequenceOver(group);
      return;
    }
    // Only the journal may have got to the disk: then the daemon has it from there.
    const fired = context.memory.fired.get(group);
    if (fired?.sequenceOver !== false || fired.unixSeconds !== cause.firedAtUnixSeconds) this.#fire(history);
    const running = known ?? this.#found(group, startedMs);
    // Told before the end that the disk had no room for.
    if (history.phasesEnded.has('remote_servers')) running.summaries = Math.max(1, running.summaries);
    for (const [key, past] of pastOf(history)) {
      const expected = running.plan.find((one) => one.key === key);
      if (expected === undefined) continue;
      // "The journal's record of its start is the point of no return."
      if (expected.isDestructive) running.pastPointOfNoReturn = 'onDisk';
      this.#note(expected.key, past);
    }
  }

  #fire({ group, startedMs, cause }: GroupRecord): void {
    const { memory, world } = this.#context;
    this.#context.fire(group, startedMs, cause.firedAtUnixSeconds);
    const members = world.policies.groups.find(({ groupId }) => groupId === group)?.members;
    for (const one of [group, ...(members ?? [])]) memory.unseen.add(one);
  }

  /** It has ended, the snapshot is older, and the memory of the reserve has it: nothing starts it again in this outage. */
  #isOfReserve({ group, cause, lastMs }: GroupRecord): boolean {
    const { memory, world } = this.#context;
    const reserve = world.tmpfs.reserve.read() as Reserve | null;
    const snapshot = world.tmpfs.read() as OutageSnapshot | null;
    if (memory.fired.has(group) || (snapshot?.clock.monotonicMs ?? -Infinity) > lastMs) return false;
    return reserve?.fired[group]?.firedAtUnixSeconds === cause.firedAtUnixSeconds;
  }

  /** Steps that it shares with continuing sequences and that ended right before the kill. */
  #noteShared(history: GroupRecord): void {
    for (const [key, past] of pastOf(history)) {
      const state = this.#model.steps.get(key);
      if (past.ended !== null && state?.kind === 'cut' && past.beganMs >= state.firstBeganMs)
        this.#note(key, past);
    }
  }

  /** After a kill no daemon knows of a step whose start did not fit on the disk: its budget starts again. */
  #forgetUnwritten(histories: readonly GroupRecord[]): void {
    const pasts = histories.map(pastOf);
    for (const [key, state] of this.#model.steps) {
      const isKnown = pasts.some((past) => (past.get(key)?.beganMs ?? -Infinity) >= state.firstBeganMs);
      if (state.kind === 'cut' && state.isBeginUnwritten && !isKnown)
        this.#model.steps.set(key, { ...state, firstBeganMs: Infinity });
    }
  }

  #found(group: string, startedMs: number): Running {
    const running = this.#model.begin(group, this.#planOf(group), startedMs);
    running.looks = true;
    running.crashes += 1;
    return running;
  }

  /** The record of its start was written and the daemon killed before it started, or it ended without running again. */
  #note(key: string, { beganMs, ended }: StepRecord): void {
    const known = this.#model.steps.get(key);
    if (known !== undefined && (known.kind === 'over' || ended === null)) return;
    this.#model.steps.set(key, {
      beganMs,
      firstBeganMs: beganMs,
      isBeginUnwritten: false,
      kind: ended === null ? 'cut' : 'over',
      overMs: ended === null ? Infinity : this.#context.world.machine.monotonicMs(),
      outcome: ended?.outcome ?? null,
      mayRunAgain: ended === null,
      by: null,
    });
  }
}

/** Of an outage before the one of the sequence. */
const isOfBefore = ({ startedMs }: GroupRecord, { sinceMs }: Running): boolean => startedMs < sinceMs;

/** By step key. */
function pastOf({ plan, steps }: GroupRecord): ReadonlyMap<string, StepRecord> {
  const planned = plan.phases.flatMap((phase) => phase.steps);
  return new Map(
    planned.flatMap((step) => {
      const past = steps.get(step.id);
      const key = keyOf(step);
      return past === undefined || key === undefined ? [] : [[key, past] as const];
    }),
  );
}

function leftOf({ budgetMs, leastMs }: ExpectedStep, past: StepRecord | undefined, nowMs: number): number {
  if (past === undefined) return budgetMs;
  return past.ended === null ? Math.max(leastMs, budgetMs - (nowMs - past.beganMs)) : 0;
}
