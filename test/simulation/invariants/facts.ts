// What all invariants share: the world, the inputs and outputs of the daemon, and the first broken promise.
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';
import type { GroupSettings, UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import type { Device } from '../device.js';
import type { Observer } from '../observer.js';
import type { ServerSpec } from '../plant/plant.js';
import type { World } from '../world.js';
import { Courses } from './courses.js';
import type { Moment, Violation } from './moment.js';
import { SequenceRecord } from './sequence-record.js';
import { StepRecord } from './step-record.js';

/** A server is taken for off this long before: the worker answers before the end of a wait, and timers have their tolerance. */
const offSlackMs = 1_000;

export class Facts implements Moment {
  readonly world: World;
  readonly courses: Courses;
  readonly sequences: SequenceRecord;
  readonly steps: StepRecord;
  violation: Violation | null = null;
  /** Of the present input, in order. */
  events: RecordedEvent[] = [];
  daemonStartedMs = 0;
  /** The daemon was killed or stalled, its machine slept, or its settings changed: monotonic ms of the end. */
  interruptedMs = 0;
  #isInterrupted = false;
  readonly #checks: (() => void)[] = [];

  constructor(world: World) {
    this.world = world;
    this.courses = new Courses(this);
    this.sequences = new SequenceRecord(this);
    this.steps = new StepRecord(this, this.sequences);
  }

  get nowMs(): number {
    return this.world.machine.monotonicMs();
  }

  get writtenMs(): number {
    return this.courses.writtenMs;
  }

  /** Only the first counts. */
  violated(rule: string, text: string): void {
    this.violation ??= { atMs: this.world.nowMs, rule, text };
  }

  policy(ups: string): UpsSettings | undefined {
    return this.world.policies.ups.find(({ groupId }) => groupId === ups);
  }

  group(group: string): GroupSettings | undefined {
    return this.world.policies.groups.find(({ groupId }) => groupId === group);
  }

  groupsOf(ups: string): readonly GroupSettings[] {
    return this.world.policies.groups.filter(({ members }) => members.includes(ups));
  }

  /** The UPSes that feed what the group shuts down. */
  feeds(group: string): readonly string[] {
    return this.group(group)?.members ?? [group];
  }

  isLocal(group: string): boolean {
    return this.policy(group)?.isLocal ?? this.group(group)?.isLocal ?? false;
  }

  devices(group: string): readonly Device[] {
    return this.feeds(group).flatMap((ups) => this.world.devices.get(ups) ?? []);
  }

  server(server: string): ServerSpec | undefined {
    return this.world.site.plant.servers.find(({ name }) => name === server);
  }

  isOff({ name }: ServerSpec): boolean {
    return (this.world.plant.remote.offInMs(name) ?? Infinity) <= offSlackMs;
  }

  /** Since its final command; null: it has none. */
  agoMs({ name }: ServerSpec): number | null {
    return this.world.plant.remote.commandedAgoMs(name);
  }

  isPastItsTime(spec: ServerSpec): boolean {
    const [agoMs, { haltSeconds }] = [this.agoMs(spec), spec];
    return agoMs !== null && haltSeconds !== null && agoMs >= haltSeconds * 1000 - offSlackMs;
  }

  /** Groups whose plan powers this host off (specification/sequence.md#power-off). */
  get hostGroups(): readonly string[] {
    const { site, policies } = this.world;
    if (!site.localShutdown.enabled) return [];
    const all = [...policies.ups.filter(({ advisory }) => !advisory), ...policies.groups];
    const local = all.filter(({ isLocal }) => isLocal);
    if (local.length > 0) return local.map(({ groupId }) => groupId);
    if (site.localShutdown.triggerOn === 'none') return [];
    return all.flatMap(({ groupId }) => (this.groupsOf(groupId).length > 0 ? [] : [groupId]));
  }

  /** By readings of this daemon that leave nothing open; of a redundancy group that is never certain. */
  isPowerBack(ups: string): boolean {
    const { lineReadings, last, failures } = this.courses.of(ups);
    const confirmations = this.policy(ups)?.triggers.confirmations;
    if (confirmations === undefined || last === null || failures.length > 0) return false;
    const { status } = last.reading;
    return lineReadings >= confirmations && status.includes('OL') && !status.includes('OFF');
  }

  /** Every reading and tick of a daemon that was not interrupted since `sinceMs`. */
  isUninterruptedSince(sinceMs: number): boolean {
    return this.interruptedMs < sinceMs;
  }

  detail(source: string, type: RecordedEvent['type']): string | null {
    return this.events.find((event) => event.source === source && event.type === type)?.detail ?? null;
  }

  /** The sequences that begin in the present input. Their first steps begin before their event. */
  get starts(): readonly RecordedEvent[] {
    return this.events.filter(({ type }) => type === 'SHUTDOWN_TRIGGERED');
  }

  /** Judged at the end of the input, when its events are known, unless the daemon dies in it. */
  atEnd(check: () => void): void {
    this.#checks.push(check);
  }

  judge(): void {
    for (const check of this.#checks.splice(0)) check();
  }

  /** What the invariants find as it is after an input, and as it was before what the daemon did. */
  get before(): Partial<Observer> {
    const present = (): void => {
      if (this.#isInterrupted) this.interruptedMs = this.nowMs;
      this.#isInterrupted = false;
    };
    return {
      reported: (poll, truth) => this.courses.reported(poll, truth),
      polled: (ups, poll) => {
        present();
        this.courses.polled(ups, poll);
      },
      ticked: present,
      worldChanged: (worldEvent) => {
        const { kind } = worldEvent;
        if (kind === 'stall' || kind === 'suspend') this.#interrupt();
        this.courses.worldChanged(worldEvent);
      },
      configured: () => {
        this.#interrupt();
        this.courses.lost();
      },
      daemonStarted: () => {
        this.daemonStartedMs = this.nowMs;
      },
    };
  }

  /** Besides what the records of sequences and steps watch. */
  get after(): Partial<Observer> {
    return {
      recorded: (event) => this.events.push(event),
      daemonDied: () => {
        this.#interrupt();
        this.events = [];
        this.#checks.length = 0;
        this.courses.daemonDied();
      },
      lost: () => this.courses.lost(),
      hostDown: () => {
        this.courses.hostDown();
        this.interruptedMs = -Infinity;
      },
      hostUp: () => this.#interrupt(),
    };
  }

  #interrupt(): void {
    this.#isInterrupted = true;
    this.interruptedMs = this.nowMs;
  }
}
