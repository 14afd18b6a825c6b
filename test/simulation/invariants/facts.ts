// What all invariants share: the world, the inputs and outputs of the daemon, and the first broken promise.
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';
import type { GroupSettings, UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import type { Device } from '../device.js';
import type { World } from '../world.js';
import { Courses } from './courses.js';
import type { Moment, Violation, Watcher } from './moment.js';
import { SequenceRecord } from './sequence-record.js';
import { StepRecord } from './step-record.js';

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

  constructor(world: World) {
    this.world = world;
    this.courses = new Courses(this);
    this.sequences = new SequenceRecord(this);
    this.steps = new StepRecord(this, this.sequences);
  }

  get nowMs(): number {
    return this.world.machine.monotonicMs();
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

  /** The UPSes that feed what the group shuts down. */
  feeds(group: string): readonly string[] {
    return this.group(group)?.members ?? [group];
  }

  devices(group: string): readonly Device[] {
    return this.feeds(group).flatMap((ups) => this.world.devices.get(ups) ?? []);
  }

  /** Groups whose plan powers this host off (specification/sequence.md#power-off). */
  get hostGroups(): readonly string[] {
    const { site, policies } = this.world;
    if (!site.localShutdown.enabled) return [];
    const all = [...policies.ups.filter(({ advisory }) => !advisory), ...policies.groups];
    const local = all.filter(({ isLocal }) => isLocal);
    if (local.length > 0) return local.map(({ groupId }) => groupId);
    if (site.localShutdown.triggerOn === 'none') return [];
    const isMember = (ups: string) => policies.groups.some(({ members }) => members.includes(ups));
    return all.flatMap(({ groupId }) => (isMember(groupId) ? [] : [groupId]));
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

  /** What the invariants find as it is after an input, and as it was before what the daemon did. */
  get before(): Watcher {
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
        this.courses.spoil();
      },
      daemonStarted: () => {
        this.daemonStartedMs = this.nowMs;
      },
    };
  }

  get after(): Watcher {
    const { courses, steps, sequences } = this;
    return {
      ...{ began: (step) => steps.began(step), ended: (step, outcome) => steps.ended(step, outcome) },
      ran: (command) => steps.ran(command),
      commandEnded: (outcome, command) => steps.commandEnded(outcome, command),
      commanded: (server) => steps.commanded(server),
      recorded: (event) => {
        steps.recorded(event);
        sequences.recorded(event);
        this.events.push(event);
      },
      daemonDied: (isWithin) => {
        this.#interrupt();
        this.events = [];
        courses.daemonDied();
        steps.daemonDied(isWithin);
        sequences.daemonDied(isWithin);
      },
      lost: () => {
        for (const record of [courses, steps, sequences]) record.lost();
      },
      hostDown: () => {
        for (const record of [courses, steps, sequences]) record.hostDown();
        this.interruptedMs = -Infinity;
      },
      hostUp: () => this.#interrupt(),
    };
  }

  #interrupt(): void {
    this.#isInterrupted = true;
    this.interruptedMs = this.nowMs;
  }

  detail(source: string, type: RecordedEvent['type']): string | null {
    return this.events.find((event) => event.source === source && event.type === type)?.detail ?? null;
  }

  /** What the UPSes have reported of triggers in the present input: the UPS, the trigger, and the words. */
  get triggers(): readonly { readonly ups: string; readonly name: string; readonly detail: string }[] {
    return this.events.flatMap(({ source, type, detail }) => {
      const name = /^(\w+)(?::| by the thresholds)/.exec(detail)?.[1];
      const isTrigger = type === 'SHUTDOWN_TRIGGERED' || type === 'TRIGGER_ADVISORY';
      return isTrigger && name !== undefined && this.policy(source) !== undefined
        ? [{ ups: source, name, detail }]
        : [];
    });
  }
}
