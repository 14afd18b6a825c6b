// From a reading to a command: policy's loop, the snapshot and the sequences, wired so that nothing else stands
// between them. It talks to no worker; what it has to tell goes to an observer, after the act.
import type { EventType } from '../../shared/domain/events.js';
import type { Instant } from '../../shared/domain/instant.js';
import type { SequenceModel, UpsRow } from '../../shared/domain/status-model.js';
import type { UpsPolled } from '../../shared/protocol/poller.js';
import type { Configuration } from '../config/configuration.js';
import { policySettings } from '../config/derive/policy-settings.js';
import type { EngineDependencies } from './dependencies.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import { Guard } from '../guard/guard.js';
import type { GuardedDependencies } from './guarded-dependencies.js';
import { guardedTools } from './guarded-dependencies.js';
import { Loop } from './loop.js';
import { OpenSequences } from '../sequence/recovery/open-sequences.js';
import { performEffects } from './perform-effects.js';
import { plansOf } from '../config/derive/plans.js';
import { isSeenOnBattery, powerIsBack } from '../policy/power.js';
import type { Effect } from '../policy/effects.js';
import type { Input, PolicySettings } from '../policy/inputs.js';
import { explain } from '../policy/explain.js';
import { openSequences, restored, snapshotOf } from '../policy/snapshot.js';
import type { PolicyState } from '../policy/state.js';
import { groupOf, initialState, upsOf } from '../policy/state.js';
import type { Plan } from '../../shared/domain/plan.js';
import { progressOf } from '../sequence/journal/summary.js';
import { Sequences } from '../sequence/sequences.js';
import { SnapshotKeeper } from './snapshot-file.js';
import { unfinished } from '../sequence/recovery/recovery.js';

/** Where nobody can say how the power is, the decision stands. */
const noSight = { powerIsBack: () => false, isSeenOnBattery: () => false };

export class ShutdownEngine {
  readonly #tools: GuardedDependencies;
  readonly #keeper: SnapshotKeeper;
  readonly #sequences: Sequences;
  readonly #loop: Loop;
  readonly #open: OpenSequences;
  /** Events of sequences while effects are performed. */
  #told: RecordedEvent[] | undefined;
  #endsToCommit = false;

  constructor(configuration: Configuration, tools: EngineDependencies) {
    this.#tools = guardedTools(new Guard(tools.log), tools);
    const { snapshot, observer } = this.#tools;
    this.#loop = new Loop(
      this.#or(initialState, 'the outage snapshot', () => this.#remembered(policySettings(configuration))),
      (effects) => this.#perform(effects),
      () => observer.stepped(),
      this.#tools,
    );
    this.#keeper = new SnapshotKeeper(snapshot, () => snapshotOf(this.#loop.state));
    this.#sequences = this.#newSequences();
    this.configured(configuration);
    const none = new OpenSequences([], this.#tools.clock.monotonicMs());
    this.#open = this.#or(none, 'the journals of the daemon before', () => this.#takeOver());
  }

  get state(): PolicyState {
    return this.#loop.state;
  }

  /** A configuration was loaded. A sequence that runs keeps the plan it started with. */
  configured(configuration: Configuration): void {
    this.#sequences.load(plansOf(configuration));
    this.#post({ kind: 'configured', at: this.#now(), settings: policySettings(configuration) });
  }

  polled(groupId: string, { outcome, startedAt, endedAt }: UpsPolled): void {
    this.#post({ kind: 'polled', at: this.#now(), groupId, outcome, tookMs: endedAt - startedAt });
    this.#settleOpenSequences();
  }

  /** Time passes; to be called every 250 ms. */
  tick(): void {
    const { guard, journals, clock } = this.#tools;
    this.#post({ kind: 'ticked', at: this.#now() });
    guard.run('the search for lost sequences', () => this.#findLostSequences());
    guard.run('the sequences that are open', () => this.#settleOpenSequences());
    journals.catchUp();
    guard.run('the snapshot', () => this.#keeper.tick(clock.monotonicMs()));
  }

  /** A UPS, or whatever else has a plan. */
  knows(group: string): boolean {
    return this.rowOf(group) !== undefined || this.planOf(group) !== undefined;
  }

  /** The row of one UPS; undefined when it is not configured any more. */
  rowOf(groupId: string): UpsRow | undefined {
    return upsOf(this.state, groupId)?.row;
  }

  /** What policy says of one UPS or group: each trigger, its reading, its margin, and what will happen next. */
  explain(group: string): ReturnType<typeof explain> {
    return explain(this.state, group, this.#now());
  }

  /** The power of the group is back, confirmed. Of one that is not configured any more nobody is left to say so. */
  outageIsOver(group: string): boolean {
    const isKnown = (upsOf(this.state, group) ?? groupOf(this.state, group)) !== undefined;
    return !isKnown || powerIsBack(this.state, group);
  }

  planOf(group: string): Plan | undefined {
    return this.#sequences.planOf(group);
  }

  get sequence(): SequenceModel {
    return this.#sequences.model();
  }

  get sequenceRuns(): boolean {
    return this.#sequences.active;
  }

  /** Calls off what still can be called off; false when nothing was. */
  cancel(principal: string): boolean {
    return this.#sequences.cancel(principal).length > 0;
  }

  /** No sequence runs that the end of the daemon would cut short (specification/sequence.md#sigterm). */
  get mayEnd(): boolean {
    return !this.#sequences.active || this.#sequences.powerOffBegun;
  }

  /** The daemon ends: the snapshot stays for the next start on this boot. */
  stop(): void {
    this.#sequences.stop();
    this.#commit();
  }

  /** What `act` gives; `otherwise` when it throws: nothing that lies on tmpfs may keep the daemon from its start. */
  #or<T>(otherwise: T, what: string, act: () => T): T {
    let value = otherwise;
    this.#tools.guard.run(what, () => (value = act()));
    return value;
  }

  /** The state of the daemon before this one, if it ran on this boot. */
  #remembered(settings: PolicySettings): PolicyState {
    const { snapshot, log } = this.#tools;
    const content = snapshot.read();
    if (content === null) return initialState;
    const state = restored(content, settings, this.#now());
    if (state.ok) return state.value;
    const where = state.problems[0];
    log.warning(
      `the outage snapshot cannot be used (${where?.path ?? ''}: ${where?.message ?? ''}): starting without it`,
    );
    return initialState;
  }

  /** What daemons before this one had begun and not ended. Nothing of it is run before the first tick. */
  #takeOver(): OpenSequences {
    const { journals, clock } = this.#tools;
    const { open, unknownToPolicy, over, histories, powerOff } = unfinished(journals, this.state);
    const awaited = open.map(({ group }) => group);
    this.#sequences.remember(histories, powerOff, awaited);
    for (const { group, cause } of unknownToPolicy) {
      const { firedAtUnixSeconds: sinceUnixSeconds, ...request } = cause;
      this.#post({ kind: 'sequenceFound', at: this.#now(), group, request, sinceUnixSeconds });
    }
    for (const { group, cancelled } of over)
      this.#post({ kind: 'sequenceEnded', at: this.#now(), group, cancelled });
    return new OpenSequences(open, clock.monotonicMs());
  }

  /** A daemon before this one had decided and not ended its sequence: the decision stands, unless power is back. */
  #settleOpenSequences(): void {
    const { guard, clock, observer } = this.#tools;
    const { run, drop } = this.#open.settle(this.state, clock.monotonicMs());
    for (const { group, cause, history } of run) {
      const reason = `${cause.trigger}: ${cause.why}`;
      const detail = history === null ? reason : `${reason}; ${progressOf(history)}`;
      this.#tellingAfter(`the resumption of ${group}`, () => {
        const runs = history === null ? this.#sequences.start(group, cause) : this.#sequences.resume(history);
        if (runs) observer.record({ source: group, type: 'SHUTDOWN_RESUMED', detail });
      });
    }
    for (const { group, cause, history } of drop) {
      const detail = `${cause.trigger}: power came back before any step that has to be finished had begun`;
      guard.run(`the cancellation of ${group}`, () => {
        if (history === null) this.#sequences.dismiss(group);
        else this.#sequences.drop(history, detail);
      });
      observer.record({ source: group, type: 'SHUTDOWN_CANCELLED', detail });
      this.#sequenceEnded(group, true);
    }
  }

  /**
   * Policy has fired a group, and nothing of it runs: an exception has come between the decision and its sequence, or
   * between the end of the sequence and policy. A journal says how far it came; without one it has not begun.
   */
  #findLostSequences(): void {
    const isLost = (group: string) => this.#sequences.isIdle(group) && !this.#open.has(group);
    if (!openSequences(this.state).some(({ group }) => isLost(group))) return;
    const { journals } = this.#tools;
    journals.catchUp();
    const { open, unknownToPolicy, over } = unfinished(journals, this.state);
    // What policy does not wait for has ended, whatever of its end the disk has refused to a journal.
    this.#open.add(open.filter((one) => isLost(one.group) && !unknownToPolicy.includes(one)));
    for (const { group, cancelled } of over) if (isLost(group)) this.#sequenceEnded(group, cancelled);
  }

  #sequenceEnded(group: string, cancelled: boolean): void {
    this.#endsToCommit = true;
    this.#post({ kind: 'sequenceEnded', at: this.#now(), group, cancelled });
    this.#tools.observer.sequenceEnded();
  }

  #perform(effects: readonly Effect[]): void {
    this.#tellingAfter('the effects of an input', () =>
      performEffects(effects, this.#hands(), this.#tools.guard),
    );
  }

  /** A sequence begins first; what it tells comes behind what led to it, also when the beginning throws. */
  #tellingAfter(what: string, begin: () => void): void {
    const { guard } = this.#tools;
    if (this.#told !== undefined) {
      guard.run(what, begin);
      return;
    }
    const told: RecordedEvent[] = [];
    this.#told = told;
    guard.run(what, begin);
    this.#told = undefined;
    for (const event of told) this.#tools.observer.record(event);
  }

  #recordOfSequence(event: RecordedEvent): void {
    if (this.#told === undefined) this.#tools.observer.record(event);
    else this.#told.push(event);
  }

  /**
   * The end of a sequence is committed at once: what has been done must not be done again after a crash. One that ends
   * within the input that started it is handled right after that input, and committed then.
   */
  #post(input: Input): void {
    this.#loop.post(input);
    if (!this.#endsToCommit || this.#loop.turning) return;
    this.#endsToCommit = false;
    this.#commit();
  }

  /** The snapshot is never to know of an end that the disk has refused to a journal: journals come first. */
  #commit(): void {
    const { journals, clock } = this.#tools;
    journals.catchUp();
    this.#keeper.commit(clock.monotonicMs());
  }

  #hands(): Parameters<typeof performEffects>[1] {
    const { observer } = this.#tools;
    return {
      commit: () => this.#commit(),
      saveSoon: () => this.#keeper.saveSoon(),
      startSequences: (asked) => {
        // The moment of the decision, as policy remembers it.
        const firedAtUnixSeconds = this.state.clock.unixSeconds;
        this.#sequences.startTogether(
          asked.map(({ group, request }) => ({ group, cause: { ...request, firedAtUnixSeconds } })),
        );
      },
      powerReturned: (group) => this.#sequences.powerReturned(group),
      record: (event) => observer.record(event),
      notify: (event) => observer.notify(event),
      publish: (groupId) => observer.upsChanged(groupId),
      prepare: (group) => observer.prepare(group),
    };
  }

  #newSequences(): Sequences {
    const { observer, ...tools } = this.#tools;
    const startedMs = tools.clock.monotonicMs();
    return new Sequences({
      ...tools,
      record: (source: string, type: EventType, detail: string) =>
        this.#recordOfSequence({ source, type, detail }),
      changed: () => observer.sequenceChanged(),
      ended: (group, cancelled) => this.#sequenceEnded(group, cancelled),
      ...tools.guard.tool(
        'policy',
        {
          powerIsBack: (group: string) => powerIsBack(this.#loop.state, group),
          isSeenOnBattery: (group: string) => isSeenOnBattery(this.#loop.state, group, startedMs),
        },
        noSight,
      ),
    });
  }

  #now(): Instant {
    const { clock } = this.#tools;
    return { monotonicMs: clock.monotonicMs(), unixSeconds: clock.wallSeconds() };
  }
}
