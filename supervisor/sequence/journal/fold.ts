// What the journal says, entry by entry: whose shutdown is decided, how far each has come, which servers and outputs have had
// their commands, how often the power-off was tried. A restart continues from this and from nothing else. No I/O.
import type { Plan, PlanPhase, PlanStep } from '../../../shared/domain/outage/plan.js';
import { kindOf } from '../../../shared/domain/actions/table.js';
import { phaseOrder } from '../../../shared/domain/outage/plan.js';
import { unreachable } from '../../../shared/domain/base/unreachable.js';
import type { StepOutcome } from '../outcome.js';
import { isUnsent } from '../outcome.js';
import type { Cause, JournalEntry } from './entries.js';
import type { FoundByStep, FoundGuest } from './found-guests.js';
import { charsOf, foundAfter } from './found-guests.js';
import type { PowerOffRecord, RestartRecord } from './power-off-record.js';
import { noPowerOff, powerOffAfter, restartAfter } from './power-off-record.js';

export interface Moment {
  readonly atMs: number;
  readonly unixSeconds: number;
}

export interface StepRecord {
  readonly beganMs: number;
  readonly beganUnixSeconds: number;
  /** Null: the journal has no end of the step. */
  readonly ended: ({ readonly outcome: StepOutcome } & Moment) | null;
}

/** The date of the end of a step, Unix seconds; null while it has none. The wall clock may be set while it runs: its length is monotonic. */
export function endDateOf({ beganMs, beganUnixSeconds, ended }: StepRecord): number | null {
  return ended === null ? null : beganUnixSeconds + Math.max(0, ended.atMs - beganMs) / 1000;
}

/** The sequence of one group. */
export interface GroupRecord {
  readonly group: string;
  readonly cause: Cause;
  readonly plan: Plan;
  readonly startedMs: number;
  readonly startedUnixSeconds: number;
  /** Of its last entry. */
  readonly lastMs: number;
  readonly steps: ReadonlyMap<string, StepRecord>;
  readonly phasesEnded: ReadonlySet<string>;
  readonly found: FoundByStep;
  /** Null while it is open; `cancelled` is the reason of a cancellation. */
  readonly over: { readonly cancelled: string | null } | null;
  /** The number of its entries. */
  readonly entries: number;
}

interface OpenGroup extends GroupRecord {
  readonly steps: Map<string, StepRecord>;
  readonly phasesEnded: Set<string>;
  readonly found: Map<string, ReadonlyMap<string, FoundGuest>>;
  over: GroupRecord['over'];
  entries: number;
  lastMs: number;
  /** By step id: `sharedKeyOf`. */
  readonly shared: ReadonlyMap<string, string>;
}

type GroupEntry = Extract<
  JournalEntry,
  { kind: 'stepBegan' | 'stepEnded' | 'found' | 'phaseEnded' | 'over' }
>;

/** Changed in place: the steps of a thousand servers begin in one turn. */
export class Fold {
  readonly #groups = new Map<string, OpenGroup>();
  readonly #shared = new Map<string, StepRecord>();
  /** Groups decided since `#shared` was empty. */
  readonly #sideBySide = new Set<string>();
  #powerOff = noPowerOff;
  #foundChars = 0;
  #restart: RestartRecord | null = null;

  /** The last decided one is the last. */
  get groups(): ReadonlyMap<string, GroupRecord> {
    return this.#groups;
  }

  /** By `sharedKeyOf`: what open sequences, and those that ran side by side with them, have commanded. */
  get shared(): ReadonlyMap<string, StepRecord> {
    return this.#shared;
  }

  get powerOff(): PowerOffRecord {
    return this.#powerOff;
  }

  /** The size of all reports of found guests. */
  get foundChars(): number {
    return this.#foundChars;
  }

  get restart(): RestartRecord | null {
    return this.#restart;
  }

  /** An entry of a group without a decision says nothing. */
  add(entry: JournalEntry): void {
    switch (entry.kind) {
      case 'decided':
        // An entry that contradicts itself is damaged, and its plan may be too.
        if (entry.plan.group === entry.group) this.#decide(entry);
        return;
      case 'stepBegan':
      case 'stepEnded':
      case 'found':
      case 'phaseEnded':
      case 'over': {
        const group = this.#groups.get(entry.group);
        if (group !== undefined) this.#progress(group, entry);
        return;
      }
      case 'powerOffAsked':
      case 'tryBegan':
      case 'tryEnded':
      case 'givenUp':
        this.#powerOff = powerOffAfter(this.#powerOff, entry);
        return;
      case 'restartChosen':
      case 'restartEnded':
        this.#restart = restartAfter(this.#restart, entry);
        return;
      default:
        unreachable(entry);
    }
  }

  #progress(group: OpenGroup, entry: GroupEntry): void {
    group.entries += 1;
    group.lastMs = entry.atMs;
    switch (entry.kind) {
      case 'stepBegan':
        // A step that started again after a restart keeps its first start: the budget counts from there.
        this.#step(group, entry, null);
        return;
      case 'stepEnded': {
        const { outcome, atMs, unixSeconds } = entry;
        this.#step(group, entry, { outcome, atMs, unixSeconds });
        return;
      }
      case 'found':
        this.#foundChars += charsOf(entry.guests);
        group.found.set(entry.step, foundAfter(group.found.get(entry.step), entry));
        return;
      case 'phaseEnded':
        group.phasesEnded.add(entry.phase);
        return;
      case 'over':
        group.over = { cancelled: entry.cancelled };
        return;
      default:
        unreachable(entry);
    }
  }

  /**
   * The group begins from its start. What open sequences, and those that ran side by side with them, have done stays done.
   * When the group itself ran side by side with them, this is another outage of it: what no open sequence shares gets its
   * commands again. The power-off that none has asked for is another one.
   */
  #decide({ group, cause, plan, atMs, unixSeconds }: Extract<JournalEntry, { kind: 'decided' }>): void {
    const before = this.#groups.get(group);
    const open = [...this.#groups.values()].filter(({ over }) => over === null);
    const steps = stepsOf(plan);
    const shared = new Map(
      plan.dryRun
        ? []
        : steps.flatMap((step) => {
            const key = sharedKeyOf(step);
            return key === null ? [] : [[step.id, key] as const];
          }),
    );
    if (open.length === 0) {
      this.#shared.clear();
      this.#sideBySide.clear();
    } else if (this.#sideBySide.has(group) && before !== undefined && before.over !== null) {
      const kept = new Set(open.flatMap((one) => [...one.shared.values()]));
      for (const key of shared.values()) if (!kept.has(key)) this.#shared.delete(key);
    }
    this.#sideBySide.add(group);
    const isAsked = open.some((one) => this.#powerOff.askedBy.has(one.group));
    if (!isAsked && !plan.dryRun && powersOffHost(plan)) {
      this.#powerOff = noPowerOff;
      if (this.#restart !== null) this.#restart = { ...this.#restart, isPast: true };
    }
    // The newest is the last.
    this.#groups.delete(group);
    this.#groups.set(group, {
      group,
      cause,
      plan,
      startedMs: atMs,
      startedUnixSeconds: unixSeconds,
      lastMs: atMs,
      steps: new Map(),
      phasesEnded: new Set(),
      found: new Map(),
      over: null,
      entries: 1,
      shared,
    });
  }

  #step(
    group: OpenGroup,
    { step, atMs, unixSeconds }: Extract<GroupEntry, { kind: 'stepBegan' | 'stepEnded' }>,
    ended: StepRecord['ended'],
  ): void {
    const next = (before: StepRecord | undefined): StepRecord => ({
      beganMs: before?.beganMs ?? atMs,
      beganUnixSeconds: before?.beganUnixSeconds ?? unixSeconds,
      ended,
    });
    group.steps.set(step, next(group.steps.get(step)));
    const key = group.shared.get(step);
    if (key === undefined) return;
    const known = this.#shared.get(key)?.ended?.outcome;
    // An output that was not cut is tried by the next sequence that has it.
    if (ended !== null && !isFinal(key, ended.outcome)) this.#shared.delete(key);
    // Another sequence takes the outcome of the first.
    else if (known === undefined || (ended !== null && saysMore(ended.outcome, known)))
      this.#shared.set(key, next(this.#shared.get(key)));
  }
}

/** Another try has reached the server, or it may have got its command from a supervisor that was lost. */
function saysMore(outcome: StepOutcome, known: StepOutcome): boolean {
  if (!isUnsent(known)) return false;
  return !isUnsent(outcome) || (outcome.maybeSent === true && known.maybeSent !== true);
}

/** Past the point of no return: a destructive step has begun (specification/sequence.md#cancelling). */
export function isPastPointOfNoReturn({ plan, steps }: Pick<GroupRecord, 'plan' | 'steps'>): boolean {
  return stepsOf(plan).some(({ id, destructive }) => destructive && steps.has(id));
}

export const powersOffHost = (plan: Plan): boolean =>
  stepsOf(plan).some(({ action }) => kindOf(action).powersOffHost);

export const stepsOf = ({ phases }: Plan): readonly PlanStep[] => phases.flatMap((phase) => phase.steps);

/** The phase `remote_servers` and those before it. */
export function precedesFinalSync({ name }: PlanPhase): boolean {
  return phaseOrder.indexOf(name) <= phaseOrder.indexOf('remote_servers');
}

/** Every step that shuts something down over the network or before has ended. */
export function areServersDone({ plan, steps, phasesEnded }: GroupRecord): boolean {
  return plan.phases
    .filter(precedesFinalSync)
    .every(
      ({ name, steps: own }) =>
        phasesEnded.has(name) || own.every(({ id }) => (steps.get(id)?.ended ?? null) !== null),
    );
}

/** UPSes at whose servers a step has set FSD, or may have. */
export function forcedShutdowns({ plan, steps }: GroupRecord): ReadonlyMap<string, 'asked' | 'set'> {
  return new Map(
    stepsOf(plan).flatMap(({ id, action }): readonly (readonly [string, 'asked' | 'set'])[] => {
      const record = steps.get(id);
      if (action.kind !== 'forceShutdown' || record === undefined) return [];
      if (record.ended === null) return [[action.ups, 'asked']];
      return record.ended.outcome.kind === 'done' ? [[action.ups, 'set']] : [];
    }),
  );
}

/** Several plans may have the step, and one does it: a server, an output. Null: each plan has its own. */
export function sharedKeyOf({ action }: PlanStep): string | null {
  const { serverOf, outputOf } = kindOf(action);
  const server = serverOf(action);
  const output = outputOf(action);
  if (server !== null) return serverKey(server);
  return output === null ? null : `output ${output}`;
}

export const serverKey = (server: string): string => `server ${server}`;

/** The other plans take this outcome. An output that failed, or still fed something, is tried again. */
export function isFinal(key: string, { kind }: StepOutcome): boolean {
  return kind === 'done' || !key.startsWith('output ');
}
