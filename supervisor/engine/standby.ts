// Stands in where policy has thrown: starts what the reserve decides, and tells policy of it when its steps succeed again. Its
// memory is a file beside the snapshot.
import type { Loss } from '../policy/base/loss.js';
import type { Input, PolicySettings } from '../policy/base/inputs.js';
import type { PolicyState } from '../policy/state/state.js';
import type { SequenceRecord } from '../sequence/journal/record.js';
import type { OpenSequence } from '../sequence/open-sequences.js';
import type { StandbyDependencies } from './dependencies.js';
import type { Fired } from './fired.js';
import { firedByPolicy, withPrevious } from './fired.js';
import type { KnownExceptions } from './exceptions.js';
import { Exceptions, noExceptions } from './exceptions.js';
import type { Known } from './reserve-watch.js';
import { afterLostEnd } from './lost-end.js';
import { afterLostPoll, afterLostTick, showsNothing, withRemembered } from './lost-reading.js';
import { afterLostSettings } from './lost-settings.js';
import type { PreviousState } from './previous-state.js';
import { ReserveWatch } from './reserve-watch.js';
import type { Watched } from '../reserve/reserve.js';
import { SnapshotWriter } from './snapshot-file.js';

interface Memory {
  readonly format: typeof format;
  readonly known: Known;
  readonly fired: Readonly<Record<string, Fired>>;
  readonly exceptions: KnownExceptions;
  readonly broken: Readonly<Record<string, readonly string[]>>;
}

/** How old its memory may be while policy works. */
const healthySaveMs = 10_000;
/** A shutdown of all groups takes one write in this time, not one for each. */
const burstMs = 100;
/** A file of another form is not used. */
const format = 5;

export class Standby {
  readonly exceptions: Exceptions;
  readonly #deps: StandbyDependencies;
  readonly #file: SnapshotWriter;
  readonly watch = new ReserveWatch();
  #fired = new Map<string, Fired>();
  /** By UPS, and for ticks: the UPSes and groups of which the last step has decided nothing. */
  readonly #broken = new Map<string, ReadonlySet<string>>();
  /** All of them. */
  #undecided: ReadonlySet<string> = new Set();
  /** Policy has thrown at the last settings. */
  #isUnconfigured = false;
  #savedMs = -Infinity;
  /** When policy has started sequences. */
  #startedMs = -Infinity;

  constructor(deps: StandbyDependencies) {
    this.#deps = deps;
    let exceptions = noExceptions;
    deps.guard.run('the memory of the reserve', () => {
      const memory = deps.file.read() as Memory | null;
      if (memory?.format !== format || memory.known.clock.atMs > deps.now().monotonicMs) return;
      this.watch.restore(memory.known);
      this.#fired = new Map(Object.entries(memory.fired));
      exceptions = memory.exceptions;
      for (const [source, all] of Object.entries(memory.broken)) this.#setBroken(source, new Set(all));
    });
    this.exceptions = new Exceptions(exceptions, (event) => deps.record(event));
    this.#file = new SnapshotWriter(deps.file, (): Memory => ({
      format,
      known: this.watch.known,
      fired: Object.fromEntries(this.#fired),
      exceptions: this.exceptions.known,
      broken: Object.fromEntries([...this.#broken].map(([source, all]) => [source, [...all]])),
    }));
  }

  configure(settings: PolicySettings): void {
    this.watch.configure(settings);
    for (const group of this.#fired.keys()) if (!this.watch.groups.has(group)) this.#fired.delete(group);
    for (const [source, all] of this.#broken)
      this.#setBroken(source, new Set([...all].filter((group) => this.watch.isKnown(group))));
  }

  /** Call it before the step of each input. */
  received(input: Input): void {
    if (this.watch.see(input)) this.#file.saveSoon();
    if (input.kind !== 'openSequenceFound' || this.#fired.has(input.groupId)) return;
    // Of a daemon that was killed before it could note it here.
    const { groupId, request, sinceUnixSeconds: firedAtUnixSeconds } = input;
    const state = { isOver: false, policyUnixSeconds: null, isPowerBack: false };
    this.#fired.set(groupId, { ...request, firedAtUnixSeconds, ...state });
  }

  /** What policy goes on from when the step of `input` has thrown, or its part of these groups. */
  afterLost(state: PolicyState, input: Input, partly: ReadonlySet<string> | null): PolicyState {
    const isArmed = (group: string) => !this.#fired.has(group) && this.watch.powerIsBack(group);
    if (input.kind === 'ticked') return afterLostTick(state, input, isArmed, partly);
    if (input.kind === 'configured') return afterLostSettings(state, input.settings);
    if (input.kind === 'sequenceEnded') return afterLostEnd(state, input.groupId);
    if (input.kind !== 'polled') return state;
    return afterLostPoll(state, input, this.watch.of(input.groupId), this.watch.clock, isArmed, partly);
  }

  /** Call it after the effects of each input. `isUndecided`: the step itself threw, and decided nothing of it. */
  handled(input: Input, lost: readonly Loss[], isUndecided: boolean): void {
    if (lost.length > 0) this.#file.saveSoon();
    if (input.kind === 'configured') this.#isUnconfigured = isUndecided;
    // About what policy does not have in its settings it decides nothing, without an exception.
    const undecided =
      isUndecided || this.#isUnconfigured
        ? this.watch.concerned(input)
        : new Set(lost.flatMap(({ undecided: group }) => group ?? []));
    const source = input.kind === 'polled' ? input.groupId : input.kind;
    // A poll that showed nothing brings policy no newer state of its UPS.
    const old = showsNothing(input) ? (this.#broken.get(source) ?? []) : [];
    const broken = new Set([...old, ...undecided]);
    this.#setBroken(source, broken);
    // Where policy works, its outage is the one that counts.
    const known = input.kind === 'polled' && broken.size === 0 ? this.#deps.knownOf(source) : undefined;
    if (known !== undefined) this.watch.follow(source, known);
    const isIdle = this.#broken.size === 0 && this.#fired.size === 0;
    const concerned = isIdle ? [] : this.#concernedBy(input);
    if (this.#broken.size > 0) this.#decide(concerned, input.at.unixSeconds);
    for (const loss of lost) this.exceptions.caught(loss, this.watch.nowMs);
    for (const { groupId: group } of concerned) this.#follow(group, input, isUndecided || undecided.size > 0);
  }

  tick(): void {
    const { nowMs } = this.watch;
    // A policy that works has a snapshot of its own.
    if (this.#broken.size === 0 && nowMs - this.#savedMs < healthySaveMs) return;
    this.#savedMs = nowMs;
    this.#file.tick(nowMs);
  }

  /** What policy starts, without the groups whose outage has had its sequence by the reserve: policy knows of them now. */
  withoutFired(requests: readonly OpenSequence[]): readonly OpenSequence[] {
    const known = requests.filter(({ group }) => this.isUnknownToPolicy(group));
    for (const { group } of known) this.#setKnown(group);
    return requests.filter((request) => !known.includes(request));
  }

  /** What policy knows to have fired, from before this daemon. Returns what the reserve knows since: the snapshot may be old, or useless. */
  adopt(previous: PreviousState, record: Pick<SequenceRecord, 'of'>): (state: PolicyState) => PolicyState {
    this.#fired = withPrevious(this.#fired, this.watch.nowMs, previous, record);
    const isLost = previous.takenMs === -Infinity;
    if (isLost) for (const ups of Object.keys(this.watch.known.ups)) this.#setBroken(ups, new Set([ups]));
    this.#file.saveSoon();
    return (first) => withRemembered(first, (ups) => this.watch.of(ups));
  }

  /** Policy has started these. */
  started(requests: readonly OpenSequence[]): void {
    for (const { group, cause } of requests) this.#fired.set(group, firedByPolicy(cause));
    if (requests.length === 0) return;
    this.#startedMs = this.watch.nowMs;
    this.#saveSoon();
  }

  ended(group: string): void {
    this.#change(group, { isOver: true });
  }

  /** What a previous daemon of this boot had begun in this outage and policy does not know: what is over, or what is not. */
  unknown({ isOver }: Pick<Fired, 'isOver'>): readonly OpenSequence[] {
    return [...this.#fired].flatMap(([group, { trigger, why, firedAtUnixSeconds, ...known }]) =>
      known.isOver === isOver && known.policyUnixSeconds === null
        ? [{ group, cause: { trigger, why, firedAtUnixSeconds } }]
        : [],
    );
  }

  /** The reserve has started its sequence, and policy does not know. */
  isUnknownToPolicy(group: string): boolean {
    return this.#fired.get(group)?.policyUnixSeconds === null;
  }

  /** When the sequence of this outage was decided: policy may have decided one after that of the reserve. */
  firedAt(group: string): number | undefined {
    return this.#fired.get(group)?.firedAtUnixSeconds;
  }

  /** Policy's state of the group is old: its last step about it or a member has thrown, or it does not know of its sequence. */
  answersFor(group: string): boolean {
    if (this.isUnknownToPolicy(group) || this.#isUnconfigured) return true;
    if (this.#broken.size === 0) return false;
    return this.#isUndecided([group, ...this.watch.membersOf(group)]);
  }

  #concernedBy(input: Input): readonly Watched[] {
    return input.kind === 'polled' ? this.watch.groupsWith(input.groupId) : [...this.watch.groups.values()];
  }

  #setBroken(source: string, all: ReadonlySet<string>): void {
    const before = this.#broken.get(source);
    if (all.size === (before?.size ?? 0) && [...all].every((group) => before?.has(group))) return;
    if (all.size === 0) this.#broken.delete(source);
    else this.#broken.set(source, all);
    this.#undecided = new Set([...this.#broken.values()].flatMap((groups) => [...groups]));
  }

  #isUndecided(groupIds: readonly string[]): boolean {
    return groupIds.some((group) => this.#undecided.has(group));
  }

  /** The decision is in the file before its command starts, as that of policy. */
  #decide(groups: readonly Watched[], firedAtUnixSeconds: number): void {
    const idle = groups.filter(
      ({ groupId, members }) =>
        !this.#fired.has(groupId) && this.#isUndecided([groupId, ...members]) && this.#deps.mayStart(groupId),
    );
    const requests = this.watch.decided(idle, this.#startedMs === this.watch.nowMs).map((group) => ({
      group: group.groupId,
      cause: { ...this.watch.causeOf(group), firedAtUnixSeconds },
    }));
    if (requests.length === 0) return;
    for (const { group, cause } of requests)
      this.#fired.set(group, { ...cause, isOver: false, policyUnixSeconds: null, isPowerBack: false });
    this.#save();
    this.#deps.start(requests);
  }

  /** A sequence of this outage, after an input. */
  #follow(group: string, input: Input, isLost: boolean): void {
    const fired = this.#fired.get(group);
    if (fired === undefined) return;
    const isOld = this.answersFor(group);
    // As policy does, a redundancy group is asked between the polls of its members.
    const isDue = input.kind !== 'polled' || this.watch.membersOf(group).includes(group);
    if (
      isDue &&
      fired.isOver &&
      (isOld ? this.watch.powerIsBack(group) : this.#deps.firedAt(group) === null)
    ) {
      this.#fired.delete(group);
      this.#saveSoon();
      return;
    }
    if (isDue && isOld && !fired.isPowerBack && this.watch.powerIsBack(group)) {
      this.#change(group, { isPowerBack: true });
      this.#deps.powerReturned(group);
    }
    if (fired.policyUnixSeconds !== null || isLost) return;
    if (input.kind === 'openSequenceFound' && input.groupId === group) this.#setKnown(group);
    if (input.kind !== 'polled' && input.kind !== 'ticked') return;
    const { trigger, why, firedAtUnixSeconds: sinceUnixSeconds } = fired;
    const request = { trigger, why };
    this.#deps.post({ kind: 'openSequenceFound', at: input.at, groupId: group, request, sinceUnixSeconds });
  }

  #setKnown(group: string): void {
    this.#change(group, { policyUnixSeconds: this.#deps.firedAt(group) });
    if (this.#fired.get(group)?.isOver !== true) return;
    this.#deps.post({ kind: 'sequenceEnded', at: this.#deps.now(), groupId: group, cancelled: false });
  }

  #change(group: string, change: Partial<Fired>): void {
    const fired = this.#fired.get(group);
    if (fired === undefined) return;
    this.#fired.set(group, { ...fired, ...change });
    // Of one that policy knows, the journal and the snapshot tell a restart.
    if (fired.policyUnixSeconds !== null) this.#saveSoon();
    else this.#save();
  }

  /** Many sequences may begin and end at once, and a write of 1,000 UPSes takes milliseconds. */
  #saveSoon(): void {
    if (this.watch.nowMs - this.#savedMs >= burstMs) this.#save();
    else this.#file.saveSoon();
  }

  #save(): void {
    this.#savedMs = this.watch.nowMs;
    this.#deps.guard.run('the memory of the reserve', () => this.#file.commit(this.watch.nowMs));
  }
}
