// Writes a run as a transcript of test/scenarios: the inputs of policy in that format.
import type { UpsPolled } from '../../shared/protocol/poller.js';
import type { CommandLine } from '../../shared/domain/commands/command-line.js';
import type { PlanStep } from '../../shared/domain/outage/plan.js';
import type { StepOutcome } from '../../supervisor/sequence/outcome.js';
import type { RecordedEvent } from '../../supervisor/events/event-recorder.js';
import type { GroupSettings, UpsSettings } from '../../supervisor/policy/base/inputs.js';
import { formatDuration } from '../transcript/duration.js';
import { triggerWords } from '../transcript/trigger-words.js';
import type { WorldEvent, Site } from './scenario.js';
import type { World } from './world.js';
import type { Observer } from './observer.js';

/** Covers the first boot of the run; the format has no other boot. */
export class TranscriptWriter implements Observer {
  readonly #inner: Observer;
  readonly #world: World;
  readonly #startMs: number;
  readonly #lines: string[] = [];
  readonly #answers = new Map<string, string>();
  #diedMs: number | null = null;
  #isOver = false;

  constructor(inner: Observer, world: World) {
    this.#inner = inner;
    this.#world = world;
    this.#startMs = world.machine.monotonicMs();
  }

  /** The transcript so far, without the effects of policy. */
  get text(): string {
    const head = headOf(this.#world.site);
    return [...head, '', ...this.#lines, ...(this.#isOver ? [] : [this.#at('end')]), ''].join('\n');
  }

  polled(groupId: string, poll: UpsPolled): void {
    const answer = answerOf(poll);
    if (this.#answers.get(groupId) !== answer) this.#write(`${groupId} ${answer}`);
    this.#answers.set(groupId, answer);
    this.#inner.polled(groupId, poll);
  }

  recorded(event: RecordedEvent): void {
    if (event.type === 'SHUTDOWN_SEQUENCE_COMPLETE') this.#write(`ended ${event.source}`);
    if (event.type === 'SHUTDOWN_CANCELLED') this.#write(`ended ${event.source} cancelled`);
    this.#inner.recorded(event);
  }

  worldChanged(worldEvent: WorldEvent): void {
    if (worldEvent.kind === 'stall') this.#write(`stall ${formatDuration(worldEvent.ms)}`);
    this.#inner.worldChanged(worldEvent);
  }

  daemonDied(isWithin: boolean): void {
    this.#diedMs = this.#world.machine.monotonicMs();
    this.#inner.daemonDied(isWithin);
  }

  daemonStarted(): void {
    if (this.#diedMs !== null && !this.#isOver) {
      const downMs = Math.round(this.#world.machine.monotonicMs() - this.#diedMs);
      const at = formatDuration(Math.max(0, Math.round(this.#diedMs - this.#startMs)));
      this.#lines.push(`at ${at} restart ${formatDuration(Math.max(0, downMs))}`);
    }
    this.#diedMs = null;
    this.#inner.daemonStarted();
  }

  hostDown(why: 'power-off' | 'blackout'): void {
    if (!this.#isOver)
      this.#lines.push(
        this.#at('end'),
        `# the machine goes down (${why}); another boot is another transcript`,
      );
    this.#isOver = true;
    this.#inner.hostDown(why);
  }

  began(step: PlanStep): void {
    this.#write(`begins ${step.id}`, '# ');
    this.#inner.began(step);
  }

  ended(step: PlanStep, outcome: StepOutcome | null): void {
    this.#write(`ends ${step.id} ${outcome?.kind ?? 'left behind'}`, '# ');
    this.#inner.ended(step, outcome);
  }

  ran(command: CommandLine): void {
    this.#write(`runs ${command.join(' ')}`, '# ');
    this.#inner.ran(command);
  }

  commanded(server: string): void {
    this.#write(`${server} has its final command`, '# ');
    this.#inner.commanded(server);
  }

  cut(ups: string): void {
    this.#write(`${ups} will cut its output`, '# ');
    this.#inner.cut(ups);
  }

  notified: Observer['notified'] = (event) => this.#inner.notified(event);
  loggedError: Observer['loggedError'] = (message) => this.#inner.loggedError(message);
  ticked: Observer['ticked'] = () => this.#inner.ticked();
  handledOther: Observer['handledOther'] = () => this.#inner.handledOther();
  reported: Observer['reported'] = (poll, truth) => this.#inner.reported(poll, truth);
  recovered: Observer['recovered'] = (done) => this.#inner.recovered(done);
  commandEnded: Observer['commandEnded'] = (outcome, command) => this.#inner.commandEnded(outcome, command);
  configured: Observer['configured'] = (policies) => this.#inner.configured(policies);
  snapshotWritten: Observer['snapshotWritten'] = () => this.#inner.snapshotWritten();
  lost: Observer['lost'] = (loss) => this.#inner.lost(loss);
  hostUp: Observer['hostUp'] = () => this.#inner.hostUp();

  /** `mark` makes it a remark: what sequences do is no input of policy. */
  #write(what: string, mark = ''): void {
    if (!this.#isOver) this.#lines.push(`${mark}${this.#at(what)}`);
  }

  #at(what: string): string {
    const ms = Math.max(0, Math.round(this.#world.machine.monotonicMs() - this.#startMs));
    return `at ${formatDuration(ms)} ${what}`;
  }
}

function answerOf({ outcome }: UpsPolled): string {
  if (outcome.kind === 'failed') return `failed ${outcome.detail}`;
  const { status, chargePercent, runtimeSeconds, inputVolts, nominalVolts } = outcome.reading;
  const values = { charge: chargePercent, runtime: runtimeSeconds, volts: inputVolts, nominal: nominalVolts };
  const given = Object.entries(values).filter(([, value]) => value !== null);
  const ofDriver = Object.entries(outcome.variables).filter(([name]) => name.startsWith('driver.'));
  return [...status, ...[...given, ...ofDriver].map(([key, value]) => `${key}=${String(value)}`)].join(' ');
}

function headOf({ ups, groups }: Site): readonly string[] {
  return [...ups.map(({ policy }) => upsLine(policy)), ...groups.map(groupLine)];
}

function upsLine({
  groupId,
  isLocal,
  checkIntervalMs,
  maxStaleDataTolerance,
  grace,
  triggers,
  holds,
}: UpsSettings): string {
  return [
    `ups ${groupId}`,
    `interval=${formatDuration(checkIntervalMs)}`,
    `tolerance=${String(maxStaleDataTolerance)}`,
    ...(grace.enabled ? [] : ['grace=off']),
    `grace-duration=${formatDuration(grace.durationMs)}`,
    `flaps=${String(grace.flapThreshold)}`,
    ...(isLocal ? ['local=yes'] : []),
    ...(holds.valueMs === null ? [] : [`hold=${formatDuration(holds.valueMs)}`]),
    ...(holds.statusMs === null ? [] : [`status-hold=${formatDuration(holds.statusMs)}`]),
    ...triggerWords(triggers),
  ].join(' ');
}

function groupLine(group: GroupSettings): string {
  return [
    `group ${group.name}`,
    `members=${group.members.join(',')}`,
    `min=${String(group.minHealthy)}`,
    `degraded=${group.degradedCountsAs}`,
    `unknown=${group.unknownCountsAs}`,
    ...(group.isLocal ? ['local=yes'] : []),
    ...triggerWords(group.triggers),
  ].join(' ');
}
