// The oracle of a run: sees everything the world and the daemon do, and lets each judge check it. It knows the truth and
// the specification, and nothing of how policy decides.
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { UpsPolled } from '../../../shared/protocol/poller.js';
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';
import type { CommandOutcome } from '../../../supervisor/host/run-command.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import { isPowerOff } from '../configuration.js';
import type { Truth } from '../truth.js';
import type { Loss, WorldEvent, Policies } from '../scenario.js';
import { lookBackMs } from '../scenario.js';
import { Versions } from '../versions.js';
import type { World } from '../world.js';
import type { Observer } from '../observer.js';
import { OutageDeadlineInvariant } from './outage-deadline-invariant.js';
import { checkFailsafe } from './failsafe-invariant.js';
import type { Violation } from './oracle-context.js';
import { OracleContext } from './oracle-context.js';
import { GroupInvariant } from './group-invariant.js';
import { HostInvariant } from './host-invariant.js';
import { PollerInvariant } from './poller-invariant.js';
import { isWall } from './expected-plan.js';
import { Memory } from './memory.js';
import { OutputInvariant } from './output-invariant.js';
import { PlanInvariant } from './plan-invariant.js';
import { RecoveryInvariant } from './recovery-invariant.js';
import { SequenceInvariant } from './sequence-invariant.js';
import { PersistenceInvariant } from './persistence-invariant.js';
import { GroundTruthInvariant } from './ground-truth-invariant.js';
import { isFalseReading, tells } from './false-reading.js';
import { eventsOf, checkPoll } from './ups-invariant.js';

interface Kept {
  readonly memory: Memory;
  /** When the daemon handled its last input before, by the clock of the boot. */
  readonly handledMs: number;
}

export class Oracle implements Observer {
  readonly #context: OracleContext;
  readonly #world: World;
  readonly #truth: GroundTruthInvariant;
  readonly #sequences: SequenceInvariant;
  readonly #plans: PlanInvariant;
  readonly #recovery: RecoveryInvariant;
  readonly #outputs: OutputInvariant;
  readonly #host: HostInvariant;
  readonly #groups: GroupInvariant;
  readonly #survival: PersistenceInvariant;
  readonly #endurance: OutageDeadlineInvariant;
  readonly #pollers: PollerInvariant;
  readonly #truths = new Map<UpsPolled, Truth>();
  /** What the snapshots on the disk hold. */
  readonly #kept: Versions<Kept>;
  #isKept = false;
  /** A stall or a suspend has started; the next input is the first one after it. */
  #isInterrupted = false;
  readings = 0;
  starts = 0;
  powerOffs = 0;
  blackouts = 0;

  constructor(world: World) {
    this.#world = world;
    this.#kept = new Versions(lookBackMs(world.site));
    this.#context = new OracleContext(world);
    this.#truth = new GroundTruthInvariant(this.#context);
    this.#sequences = new SequenceInvariant(this.#context);
    this.#plans = new PlanInvariant(this.#context);
    this.#recovery = new RecoveryInvariant(this.#context);
    this.#host = new HostInvariant(this.#context);
    this.#groups = new GroupInvariant(this.#context);
    this.#outputs = new OutputInvariant(this.#context, this.#plans, this.#groups);
    this.#survival = new PersistenceInvariant(this.#context);
    this.#endurance = new OutageDeadlineInvariant(this.#context);
    this.#pollers = new PollerInvariant(this.#context);
  }

  get violation(): Violation | null {
    return this.#context.violation;
  }

  recorded(event: RecordedEvent): void {
    const isInVain = this.#world.daemon.pendingKillMs !== null;
    if (!isInVain || !ofSequences.has(event.type)) this.#context.events.push(event);
    if (!isInVain || opening.has(event.type)) this.#plans.event(event);
    if (event.type !== 'SHUTDOWN_TRIGGERED') return;
    this.starts += 1;
    this.#recovery.triggered();
  }

  notified(): void {
    // Every message has its event.
  }

  ran(command: readonly string[]): void {
    const isHost = isPowerOff(command);
    this.#commandBegan(command.join(' '), isHost);
    if (isHost) this.#plans.commandBegan('host', command);
    else if (isWall(command)) this.#plans.commandBegan('wall', command);
  }

  #commandBegan(text: string, isPowerOff: boolean): void {
    const isCommitted = this.#isKept || this.#world.tmpfs.full;
    this.#context.commands.push({ text, isCommitted, isPowerOff });
  }

  commandEnded(outcome: CommandOutcome, command: readonly string[]): void {
    if (isWall(command)) this.#plans.commandEnded('wall', command);
    if (!isPowerOff(command)) return;
    this.#host.ended(outcome.kind === 'exited' && outcome.code === 0);
    this.#plans.commandEnded('host', command);
  }

  began(step: PlanStep): void {
    this.#recovery.began();
    if (step.action.kind === 'poweroffDelegate') this.#commandBegan(step.id, true);
    this.#outputs.began(step);
    this.#plans.began(step);
  }

  ended(step: PlanStep, outcome: StepOutcome | null): void {
    if (step.action.kind === 'poweroffDelegate') this.#host.ended(outcome?.kind === 'done');
    this.#plans.ended(step, outcome);
    this.#outputs.ended(step, outcome);
  }

  commanded(server: string): void {
    this.#plans.commanded(server);
  }

  cut(ups: string): void {
    this.#outputs.cut(ups);
  }

  recovered(done: string | null): void {
    this.#recovery.told(done);
  }

  loggedError(message: string): void {
    this.#context.violated('policy never throws', message);
  }

  reported(poll: UpsPolled, truth: Truth): void {
    this.#truths.set(poll, truth);
  }

  polled(groupId: string, poll: UpsPolled): void {
    this.#begin();
    const truth = this.#truths.get(poll);
    this.#truths.delete(poll);
    const { outcome } = poll;
    this.#pollers.polled(groupId);
    checkPoll(this.#context, groupId, poll, truth !== undefined && isFalseReading(outcome, truth));
    if (outcome.kind === 'reading') {
      this.readings += 1;
      if (tells(outcome.reading.status)) {
        this.#context.memory.unseen.delete(groupId);
        this.#truth.answered(groupId, poll, truth);
        this.#endurance.answered(groupId, outcome.reading);
      }
      this.#groups.read(groupId, outcome.reading.status);
    }
    this.#groups.check();
    const memory = this.#context.memory.ups.get(groupId);
    if (memory !== undefined) this.#survival.note(groupId, memory);
    this.#finish();
  }

  ticked(): void {
    this.#begin();
    const { memory, world, events } = this.#context;
    for (const ups of world.policies.ups) {
      const { groupId, checkIntervalMs, pollDeadlineMs } = ups;
      this.#pollers.check(ups);
      const upsHistory = memory.ups.get(groupId)?.upsHistory;
      if (upsHistory === undefined) continue;
      const isSilent = memory.watchedMs - upsHistory.lastReportMs > checkIntervalMs + pollDeadlineMs;
      if (isSilent || upsHistory.failedPolls > 0 || events.length > 0) checkFailsafe(this.#context, groupId);
      const after = this.#context.memory.ups.get(groupId);
      if (after !== undefined) this.#survival.note(groupId, after);
    }
    this.#groups.check();
    this.#endurance.check();
    this.#finish();
    this.#plans.ticked();
    this.#outputs.look();
  }

  handledOther(): void {
    if (this.#context.events.some(({ type }) => type === 'SHUTDOWN_TRIGGERED')) {
      this.#context.violated('only a poll or a tick starts anything', eventsOf(this.#context));
    }
    this.#finish();
  }

  worldChanged(worldEvent: WorldEvent): void {
    const { kind } = worldEvent;
    if (worldEvent.kind === 'stall') this.#plans.stalled(worldEvent.ms);
    if (worldEvent.kind === 'remoteWorker') this.#plans.workerFault(worldEvent);
    if (worldEvent.kind === 'worker') this.#pollers.faulted(worldEvent.fault === 'never-ready');
    if (kind === 'stall' || kind === 'suspend') {
      this.#truth.absent();
      this.#endurance.beginAnew();
      this.#isInterrupted = true;
    }
    if (kind === 'disk') this.#survival.diskChanged();
  }

  configured(policies: Policies): void {
    this.#context.memory = this.#context.memory.fittedTo(policies);
    this.#endurance.beginAnew();
  }

  daemonStarted(): void {
    const { policies } = this.#world;
    const kept = this.#kept.newest;
    this.#context.memory = (kept?.memory ?? new Memory()).fittedTo(policies);
    this.#context.restartClock();
    this.#context.memory.wasAway(this.#context.nowMs - (kept?.handledMs ?? 0));
    this.#plans.daemonStarted();
    this.#sequences.daemonStarted();
    this.#groups.daemonStarted();
    this.#endurance.beginAnew();
    this.#outputs.daemonStarted();
    this.#pollers.daemonStarted();
  }

  daemonDied(isWithin: boolean): void {
    this.#plans.daemonDied(isWithin);
    this.#outputs.daemonDied();
    this.#host.daemonDied(isWithin);
    this.#truth.absent();
    this.#survival.check(this.#kept.newest?.memory.ups ?? null);
  }

  lost(loss: Loss): void {
    if (loss.kind === 'journals') {
      this.#plans.journalsLost();
      this.#host.journalsLost();
      this.#recovery.journalsLost();
    } else this.#kept.goBackTo(loss.kind === 'age' ? this.#world.machine.monotonicMs() - loss.ms : -Infinity);
  }

  snapshotWritten(): void {
    this.#isKept = true;
  }

  hostDown(why: 'power-off' | 'blackout'): void {
    this.#kept.clear();
    this.#plans.hostDown();
    this.#outputs.hostDown();
    this.#recovery.hostDown();
    if (why === 'power-off') this.powerOffs += 1;
    else this.blackouts += 1;
  }

  hostUp(): void {
    this.#context.restartClock();
    this.#host.hostUp();
  }

  #begin(): void {
    this.#truth.present();
    if (this.#isInterrupted) this.#pollers.interrupted();
    this.#isInterrupted = false;
    this.#context.advance();
  }

  #finish(): void {
    const context = this.#context;
    this.#plans.check();
    if (context.events.length > 0 || context.commands.length > 0) {
      this.#truth.check();
      this.#host.check(this.#plans.powerOffAsked);
    }
    this.#sequences.check();
    this.#outputs.check();
    context.events = [];
    context.commands = [];
    if (this.#isKept) {
      this.#kept.put(
        { memory: context.memory.copy(), handledMs: context.nowMs },
        this.#world.machine.monotonicMs(),
      );
    }
    this.#isKept = false;
  }
}

/** What the journals tell the next daemon: of one that is dead already nobody hears it. */
const ofSequences: ReadonlySet<string> = new Set([
  'SHUTDOWN_RESUMED',
  'SHUTDOWN_CANCELLED',
  'SHUTDOWN_SEQUENCE_COMPLETE',
  'REMOTE_SHUTDOWN_SUMMARY',
]);

/** A sequence may have done something before it is told. */
const opening: ReadonlySet<string> = new Set(['SHUTDOWN_TRIGGERED', 'SHUTDOWN_RESUMED']);
