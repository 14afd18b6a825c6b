// The path from a reading to a command: policy's loop, the snapshot and the sequences. It talks to no worker. It reports to an
// observer, and only after it has acted.
import type { EventType } from '../../shared/domain/status/events.js';
import type { Instant } from '../../shared/domain/base/instant.js';
import type { SequenceModel, UpsRow } from '../../shared/domain/status/status-model.js';
import type { UpsPolled } from '../../shared/protocol/poller.js';
import type { Configuration } from '../config/configuration/configuration.js';
import { policySettings } from '../config/derive/policy-settings.js';
import { EventHold } from './event-hold.js';
import { DeferredEvents } from './deferred-events.js';
import type { EngineDependencies } from './dependencies.js';
import { Guard } from '../guard/guard.js';
import type { GuardedDependencies } from './guarded-dependencies.js';
import { guardDependencies } from './guarded-dependencies.js';
import { previousStateOf } from './previous-state.js';
import { Loop } from './loop.js';
import { performEffects } from './perform-effects.js';
import type { PolicyQueries } from './policy-queries.js';
import { firedAt, knownOf, policyQueries } from './policy-queries.js';
import { plansWithoutGaps } from './bare-plan.js';
import { reportStart } from './reserve-start.js';
import type { Unstamped } from './resumption.js';
import { Resumption } from './resumption.js';
import { Standby } from './standby.js';
import type { Effect } from '../policy/base/effects.js';
import type { ForcedShutdownState } from '../policy/base/inputs.js';
import { explain } from '../policy/view/explain.js';
import { snapshotOf } from '../policy/snapshot.js';
import type { PolicyState } from '../policy/state/state.js';
import { upsOf } from '../policy/state/state.js';
import { SequenceRecord } from '../sequence/journal/record.js';
import { Sequences } from '../sequence/sequences.js';
import { SnapshotWriter } from './snapshot-file.js';

export class ShutdownEngine {
  /** What was decided and done, for the history. */
  readonly journal: SequenceRecord;
  readonly #deps: GuardedDependencies;
  readonly #snapshot: SnapshotWriter;
  readonly #sequences: Sequences;
  readonly #loop: Loop;
  readonly #standby: Standby;
  readonly #queries: PolicyQueries;
  readonly #resumption: Resumption;
  readonly #events: DeferredEvents;
  readonly #eventHold: EventHold;
  #commitDue = false;

  constructor(configuration: Configuration, deps: EngineDependencies) {
    this.#deps = guardDependencies(new Guard(deps.log), deps);
    const { guard, snapshot, observer } = this.#deps;
    this.#events = new DeferredEvents((event) => observer.record(event), guard);
    const previous = previousStateOf(this.#deps, policySettings(configuration), this.#now());
    this.#loop = new Loop(previous.state, {
      ...this.#deps,
      perform: (effects) => this.#perform(effects),
      stepped: () => observer.stepped(),
      received: (input) => this.#standby.received(input),
      afterLost: (...lost) => {
        this.#snapshot.saveSoon();
        return this.#standby.afterLost(...lost);
      },
      handled: (...input) => this.#standby.handled(...input),
    });
    const commit = (): unknown => guard.run('the commit', () => this.#commit());
    this.#eventHold = new EventHold({ ...this.#deps, commit });
    this.#snapshot = new SnapshotWriter(snapshot, () => snapshotOf(this.#loop.state));
    this.journal = new SequenceRecord(this.#deps.journals);
    this.#standby = this.#createStandby();
    this.#queries = policyQueries(guard, () => this.state, this.#standby, this.#deps.clock.monotonicMs());
    this.#sequences = this.#createSequences();
    guard.run('what the reserve has kept', () =>
      this.#loop.amend(this.#standby.adopt(previous, this.journal)),
    );
    this.configure(configuration);
    this.#resumption = this.#createResumption();
    guard.run('the journal of the previous daemon', () => this.#resumption.recover(previous.takenMs));
  }

  get state(): PolicyState {
    return this.#loop.state;
  }

  /** Applies a loaded configuration. A running sequence keeps its plan. */
  configure(configuration: Configuration): void {
    const settings = policySettings(configuration);
    this.#sequences.load(plansWithoutGaps(configuration, this.#deps.guard));
    this.#deps.guard.run('the settings of the reserve', () => this.#standby.configure(settings));
    this.#post({ kind: 'configured', settings });
  }

  polled(groupId: string, { outcome, startedAt, endedAt }: UpsPolled): void {
    this.#post({ kind: 'polled', groupId, outcome, tookMs: endedAt - startedAt, askedMs: startedAt });
    this.#deps.guard.run('the sequences that are open', () => this.#resumption.settle());
  }

  /** A battery test that the daemon started runs, or has ended. */
  tested(groupId: string, running: boolean): void {
    this.#post({ kind: 'tested', groupId, running });
  }

  /** A step of a plan sets FSD at the server of the UPS. */
  forcedShutdown(groupId: string, state: ForcedShutdownState): void {
    this.#post({ kind: 'forcedShutdown', groupId, state });
  }

  /** What the history says of a UPS: its battery, and whether it has a gauge. */
  recalled(found: Extract<Unstamped, { kind: 'assessed' | 'gaugesRecalled' }>): void {
    this.#post(found);
  }

  /** Call it every 250 ms, or every 500 ms while all is quiet. */
  tick(): void {
    const { guard, journals, clock } = this.#deps;
    this.#loop.retry(this.#now());
    this.#post({ kind: 'ticked' });
    guard.run('the search for lost sequences', () => this.#resumption.findLost());
    guard.run('the sequences that are open', () => this.#resumption.settle());
    journals.flush();
    guard.run('the commit of a change of power', () => this.#eventHold.settle());
    guard.run('the snapshot', () => this.#snapshot.tick(clock.monotonicMs()));
    guard.run('the memory of the reserve', () => this.#standby.tick());
  }

  /** Why the daemon is not ready, by exceptions of policy; null: there were none for ten minutes. */
  get trouble(): string | null {
    return this.#standby.exceptions.trouble(this.#deps.clock.monotonicMs());
  }

  /** Performs `act` when the snapshot has every change of the power source so far: now, or within 100 ms. */
  whenCommitted(act: () => void): void {
    this.#eventHold.perform(() => this.#deps.guard.run('after a commit', act));
  }

  /** True for a UPS and for any group that has a plan. */
  hasGroup(group: string): boolean {
    return this.rowOf(group) !== undefined || this.planOf(group) !== undefined;
  }

  /** The row of one UPS; undefined when it is no longer configured. */
  rowOf(groupId: string): UpsRow | undefined {
    return upsOf(this.state, groupId)?.row;
  }

  /** Policy's explanation of one UPS or group: each trigger, its reading, its margin, and the next step. */
  explain(group: string): ReturnType<typeof explain> {
    const past = firedAt(this.state, group) === null ? undefined : this.journal.of(group);
    return explain(this.state, group, this.#now(), (past?.plan ?? this.planOf(group))?.dryRun);
  }

  /** The return of the group's power is confirmed; true also for a group that is no longer configured. */
  isOutageOver(group: string): boolean {
    return this.#queries.isOutageOver(group);
  }

  planOf(group: string): ReturnType<Sequences['planOf']> {
    return this.#sequences.planOf(group);
  }

  get sequence(): SequenceModel {
    return this.#sequences.model();
  }

  get isSequenceRunning(): boolean {
    return this.#sequences.active;
  }

  get hasOpenSequences(): boolean {
    return this.#resumption.any;
  }

  /** Cancels every sequence that has not passed its point of no return; false when none was cancelled. */
  cancel(principal: string): boolean {
    return this.#sequences.cancel(principal).length > 0;
  }

  /** True when no running sequence would be cut short by the end of the daemon (specification/sequence.md#sigterm). */
  get mayEnd(): boolean {
    return !this.#sequences.active || this.#sequences.powerOffBegun;
  }

  /** Ends the engine. The snapshot stays on tmpfs for the next start on this boot. */
  stop(): void {
    this.#sequences.stop();
    this.#commit();
    this.#eventHold.release();
  }

  #sequenceEnded(group: string, cancelled: boolean): void {
    this.#commitDue = true;
    this.#standby.ended(group);
    this.#post({ kind: 'sequenceEnded', groupId: group, cancelled });
    this.#deps.observer.sequenceEnded(group);
  }

  #perform(effects: readonly Effect[]): void {
    this.#events.after('the effects of an input', () =>
      performEffects(effects, this.#effectHandlers(), this.#deps.guard),
    );
  }

  /** Commits the end of a sequence after its input: after a crash its steps must not run again. */
  #post(input: Unstamped): void {
    this.#loop.post({ ...input, at: this.#now() });
    if (!this.#commitDue || this.#loop.isHandling) return;
    this.#commitDue = false;
    this.#deps.guard.run('the commit of an end', () => this.#commit());
  }

  /** Writes the journals first: the snapshot must not contain the end of a sequence that its journal lacks. */
  #commit(): void {
    const { journals, clock } = this.#deps;
    journals.flush();
    this.#snapshot.commit(clock.monotonicMs());
  }

  #effectHandlers(): Parameters<typeof performEffects>[1] {
    const { observer } = this.#deps;
    return {
      commit: () => this.#commit(),
      saveSoon: () => this.#snapshot.saveSoon(),
      eventHold: this.#eventHold,
      startSequences: (requests) => {
        // The time of the decision, as in policy's state: the resumption matches journal and snapshot by it.
        const firedAtUnixSeconds = this.state.clock.unixSeconds;
        const decided = requests.map(({ group, request }) => ({
          group,
          cause: { ...request, firedAtUnixSeconds },
        }));
        const due = this.#standby.withoutFired(decided);
        this.#sequences.start(due);
        for (const { group } of due) observer.sequenceStarted(group);
        this.#standby.started(due);
      },
      powerReturned: (group) => this.#sequences.powerReturned(group),
      record: (event) => observer.record(event),
      notify: (event) => observer.notify(event),
      publish: (groupId) => observer.upsChanged(groupId),
      prepare: () => observer.prepare(),
    };
  }

  #createSequences(): Sequences {
    const { observer, ...deps } = this.#deps;
    return new Sequences({
      ...deps,
      ...this.#queries,
      journal: this.journal,
      record: (source: string, type: EventType, detail: string) =>
        this.#events.record({ source, type, detail }),
      changed: () => observer.sequenceChanged(),
      ended: (group, cancelled) => this.#sequenceEnded(group, cancelled),
    });
  }

  #createResumption(): Resumption {
    return new Resumption({
      ...this.#deps,
      journal: this.journal,
      sequences: this.#sequences,
      standby: this.#standby,
      queries: this.#queries,
      events: this.#events,
      state: () => this.state,
      post: (input) => this.#post(input),
      forcedShutdown: (ups, state) => this.forcedShutdown(ups, state),
      ended: (group, cancelled) => this.#sequenceEnded(group, cancelled),
    });
  }

  #createStandby(): Standby {
    const { guard, reserve: file, observer } = this.#deps;
    return new Standby({
      guard,
      file,
      now: () => this.#now(),
      firedAt: (group) => firedAt(this.state, group),
      knownOf: (ups) => knownOf(this.state, ups),
      mayStart: (group) =>
        this.#sequences.planOf(group)?.phases.length !== 0 &&
        this.#sequences.isIdle(group) &&
        !this.#resumption.has(group),
      start: (requests) =>
        this.#events.after('the sequences of the reserve', () => {
          this.#sequences.start(requests);
          for (const open of requests) {
            observer.sequenceStarted(open.group);
            reportStart(open, this.#standby.watch.groups.get(open.group), this.#deps);
          }
        }),
      powerReturned: (group) => this.#sequences.powerReturned(group),
      post: (input) => this.#loop.post(input),
      record: (event) => observer.record(event),
    });
  }

  #now(): Instant {
    return { monotonicMs: this.#deps.clock.monotonicMs(), unixSeconds: this.#deps.clock.wallSeconds() };
  }
}
