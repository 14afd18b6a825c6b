// The path from a reading to a command: policy's loop, the snapshot and the sequences. It talks to no worker. It reports to an
// observer, and only after it has acted.
import type { RuntimeEstimate } from '../../shared/domain/battery/health.js';
import type { EventType } from '../../shared/domain/events.js';
import type { Instant } from '../../shared/domain/instant.js';
import type { SequenceModel, UpsRow } from '../../shared/domain/status-model.js';
import type { UpsPolled } from '../../shared/protocol/poller.js';
import type { Configuration } from '../config/configuration/configuration.js';
import { policySettings } from '../config/derive/policy-settings.js';
import { EventHold } from './event-hold.js';
import { DeferredEvents } from './deferred-events.js';
import type { EngineDependencies } from './dependencies.js';
import { Guard } from '../guard/guard.js';
import type { GuardedDependencies } from './guarded-dependencies.js';
import { guardDependencies } from './guarded-dependencies.js';
import { noPreviousState, readPreviousState } from './previous-state.js';
import { Loop } from './loop.js';
import { findUnfinished, OpenSequences } from '../sequence/open-sequences.js';
import { performEffects } from './perform-effects.js';
import { policyQueries } from './policy-queries.js';
import { plansOf } from '../config/derive/plans.js';
import { powerIsBack } from '../policy/power.js';
import type { Effect } from '../policy/effects.js';
import type { ForcedShutdownState, Input } from '../policy/inputs.js';
import { explain } from '../policy/explain.js';
import { openSequences, snapshotOf } from '../policy/snapshot.js';
import type { PolicyState } from '../policy/state.js';
import { groupOf, upsOf } from '../policy/state.js';
import { forcedShutdowns } from '../sequence/journal/fold.js';
import { ShutdownRecord } from '../sequence/journal/record.js';
import { progressOf } from '../sequence/journal/summary.js';
import { Sequences } from '../sequence/sequences.js';
import { SnapshotWriter } from './snapshot-file.js';

export class ShutdownEngine {
  /** What was decided and done, for the history. */
  readonly journal: ShutdownRecord;
  readonly #deps: GuardedDependencies;
  readonly #snapshot: SnapshotWriter;
  readonly #sequences: Sequences;
  readonly #loop: Loop;
  readonly #openSequences: OpenSequences;
  readonly #events: DeferredEvents;
  readonly #eventHold: EventHold;
  #commitDue = false;

  constructor(configuration: Configuration, deps: EngineDependencies) {
    this.#deps = guardDependencies(new Guard(deps.log), deps);
    const { guard, snapshot, observer } = this.#deps;
    this.#events = new DeferredEvents((event) => observer.record(event), guard);
    const previous = this.#orElse(noPreviousState, 'the outage snapshot', () =>
      readPreviousState(this.#deps, policySettings(configuration), this.#now()),
    );
    this.#loop = new Loop(
      previous.state,
      (effects) => this.#perform(effects),
      () => observer.stepped(),
      this.#deps,
    );
    const commit = (): unknown => guard.run('the commit', () => this.#commit());
    this.#eventHold = new EventHold({ ...this.#deps, commit });
    this.#snapshot = new SnapshotWriter(snapshot, () => snapshotOf(this.#loop.state));
    this.journal = new ShutdownRecord(this.#deps.journals);
    this.#sequences = this.#createSequences();
    this.configure(configuration);
    this.#openSequences = new OpenSequences(this.journal, this.#deps.clock.monotonicMs());
    guard.run('the journal of the previous daemon', () => this.#recoverSequences(previous.takenMs));
  }

  get state(): PolicyState {
    return this.#loop.state;
  }

  /** Applies a loaded configuration. A running sequence keeps its plan. */
  configure(configuration: Configuration): void {
    this.#sequences.load(plansOf(configuration));
    this.#post({ kind: 'configured', at: this.#now(), settings: policySettings(configuration) });
  }

  polled(groupId: string, { outcome, startedAt, endedAt }: UpsPolled): void {
    this.#post({ kind: 'polled', at: this.#now(), groupId, outcome, tookMs: endedAt - startedAt });
    this.#settleOpenSequences();
  }

  /** A battery test that the daemon started runs, or has ended. */
  tested(groupId: string, running: boolean): void {
    this.#post({ kind: 'tested', at: this.#now(), groupId, running });
  }

  /** A step of a plan sets FSD at the server of the UPS. */
  forcedShutdown(groupId: string, state: ForcedShutdownState): void {
    this.#post({ kind: 'forcedShutdown', at: this.#now(), groupId, state });
  }

  /** Storage has assessed the battery of a UPS. */
  assessed(groupId: string, estimate: RuntimeEstimate | null): void {
    this.#post({ kind: 'assessed', at: this.#now(), groupId, estimate });
  }

  /** Call it every 250 ms, or every 500 ms while all is quiet. */
  tick(): void {
    const { guard, journals, clock } = this.#deps;
    this.#post({ kind: 'ticked', at: this.#now() });
    guard.run('the search for lost sequences', () => this.#findLostSequences());
    guard.run('the sequences that are open', () => this.#settleOpenSequences());
    journals.flush();
    guard.run('the commit of a change of power', () => this.#eventHold.settle());
    guard.run('the snapshot', () => this.#snapshot.tick(clock.monotonicMs()));
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
    return explain(this.state, group, this.#now(), this.planOf(group)?.dryRun);
  }

  /** The return of the group's power is confirmed; true also for a group that is no longer configured. */
  isOutageOver(group: string): boolean {
    const row = upsOf(this.state, group) ?? groupOf(this.state, group);
    return row === undefined || powerIsBack(this.state, group);
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
    return this.#openSequences.any;
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

  /** The result of `act`, or `otherwise` when it throws: no content of a file on tmpfs may prevent the start of the daemon. */
  #orElse<T>(otherwise: T, what: string, act: () => T): T {
    let value = otherwise;
    this.#deps.guard.run(what, () => (value = act()));
    return value;
  }

  /** Finds the sequences that previous daemons started and did not end. None of them runs before the first tick. */
  #recoverSequences(takenMs: number): void {
    const { fired, undecided, unknownToPolicy, over } = findUnfinished(this.journal, this.state, takenMs);
    for (const { group, cause } of unknownToPolicy) {
      const { firedAtUnixSeconds: sinceUnixSeconds, ...request } = cause;
      this.#post({ kind: 'openSequenceFound', at: this.#now(), groupId: group, request, sinceUnixSeconds });
    }
    for (const { group, cancelled } of over)
      this.#post({ kind: 'sequenceEnded', at: this.#now(), groupId: group, cancelled });
    this.#recoverForcedShutdowns();
    this.#sequences.decide(undecided);
    this.#sequences.resumePowerOff();
    for (const open of [...fired, ...unknownToPolicy]) this.#openSequences.add(open);
  }

  /** FSD that is read now is our own, also when the snapshot is older than the step that has set it. */
  #recoverForcedShutdowns(): void {
    for (const record of this.journal.groups)
      for (const [ups, state] of forcedShutdowns(record)) {
        const known = upsOf(this.state, ups)?.fsd.kind;
        if (record.over === null ? known !== 'own' : known === 'unseen') this.forcedShutdown(ups, state);
      }
  }

  /** Resumes each open sequence that is due. Drops it instead when power is back before its point of no return. */
  #settleOpenSequences(): void {
    const { guard, clock, observer } = this.#deps;
    const { run, drop } = this.#openSequences.settle(this.state, clock.monotonicMs());
    for (const open of run) {
      const { group, cause } = open;
      const known = this.journal.of(group);
      const isDecided = known?.over === null && known.cause.firedAtUnixSeconds === cause.firedAtUnixSeconds;
      const reason = `${cause.trigger}: ${cause.why}`;
      const detail = isDecided ? `${reason}; ${progressOf(known)}` : reason;
      this.#events.after(`the resumption of ${group}`, () => {
        const runs = isDecided ? this.#sequences.resume(group) : this.#sequences.start([open]);
        if (runs) observer.sequenceStarted(group);
        if (runs) observer.record({ source: group, type: 'SHUTDOWN_RESUMED', detail });
      });
    }
    for (const { group, cause } of drop) {
      const detail = `${cause.trigger}: power returned before the first destructive step`;
      guard.run(`the cancellation of ${group}`, () => this.#sequences.drop(group, detail));
      observer.record({ source: group, type: 'SHUTDOWN_CANCELLED', detail });
      this.#sequenceEnded(group, true);
    }
  }

  /** Finds groups that policy has fired and that have no running sequence, after an exception between the two. */
  #findLostSequences(): void {
    const isLost = (group: string) => this.#sequences.isIdle(group) && !this.#openSequences.has(group);
    if (!openSequences(this.state).some(({ group }) => isLost(group))) return;
    const { fired, over } = findUnfinished(this.journal, this.state);
    for (const open of fired) if (isLost(open.group)) this.#openSequences.add(open);
    for (const { group, cancelled } of over) if (isLost(group)) this.#sequenceEnded(group, cancelled);
  }

  #sequenceEnded(group: string, cancelled: boolean): void {
    this.#commitDue = true;
    this.#post({ kind: 'sequenceEnded', at: this.#now(), groupId: group, cancelled });
    this.#deps.observer.sequenceEnded(group);
  }

  #perform(effects: readonly Effect[]): void {
    this.#events.after('the effects of an input', () =>
      performEffects(effects, this.#effectHandlers(), this.#deps.guard),
    );
  }

  /** Commits the end of a sequence after its input: after a crash its steps must not run again. */
  #post(input: Input): void {
    this.#loop.post(input);
    if (!this.#commitDue || this.#loop.isHandling) return;
    this.#commitDue = false;
    this.#commit();
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
        // The time of the decision, as in policy's state: recovery matches journal and snapshot by it.
        const firedAtUnixSeconds = this.state.clock.unixSeconds;
        this.#sequences.start(
          requests.map(({ group, request }) => ({ group, cause: { ...request, firedAtUnixSeconds } })),
        );
        for (const { group } of requests) observer.sequenceStarted(group);
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
      journal: this.journal,
      record: (source: string, type: EventType, detail: string) =>
        this.#events.record({ source, type, detail }),
      changed: () => observer.sequenceChanged(),
      ended: (group, cancelled) => this.#sequenceEnded(group, cancelled),
      ...policyQueries(deps.guard, () => this.#loop.state, deps.clock.monotonicMs()),
      isOutageOver: (group) => this.isOutageOver(group),
    });
  }

  #now(): Instant {
    return { monotonicMs: this.#deps.clock.monotonicMs(), unixSeconds: this.#deps.clock.wallSeconds() };
  }
}
