// Shared by all invariants: the world, the memory, the events and commands of the present input, and the violation.
import type { EventType } from '../../../shared/domain/status/events.js';
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';
import type { GroupSettings, UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import type { World } from '../world.js';
import type { UpsMemory } from './memory.js';
import { Memory } from './memory.js';

export interface Violation {
  /** World time. */
  readonly atMs: number;
  /** The broken promise. */
  readonly rule: string;
  readonly text: string;
}

/** A started command, and whether the decision was on the disk by then. */
export interface StartedCommand {
  readonly text: string;
  readonly isCommitted: boolean;
  readonly isPowerOff: boolean;
}

export class OracleContext {
  readonly world: World;
  memory: Memory;
  violation: Violation | null = null;
  /** Of the present input, in order. */
  events: RecordedEvent[] = [];
  commands: StartedCommand[] = [];
  daemonStartedMs = 0;
  #handledMs: number;

  constructor(world: World) {
    this.world = world;
    this.memory = new Memory().fittedTo(world.policies);
    this.#handledMs = world.machine.monotonicMs();
  }

  /** Only the first violation counts. */
  violated(rule: string, text: string): void {
    this.violation ??= { atMs: this.world.nowMs, rule, text };
  }

  /** The time at which the daemon handles the present input. */
  get nowMs(): number {
    return this.#handledMs;
  }

  /** A new input. Of a time without inputs, at most a second counts as watched. */
  advance(): void {
    const nowMs = this.world.machine.monotonicMs();
    const passedMs = Math.max(0, nowMs - this.#handledMs);
    this.#handledMs = nowMs;
    this.memory.watchedMs += Math.min(passedMs, 1_000);
    this.memory.wasAway(passedMs);
  }

  /** Another daemon or another boot: the time up to now was not watched. */
  restartClock(): void {
    this.#handledMs = this.world.machine.monotonicMs();
    this.daemonStartedMs = this.#handledMs;
  }

  has(source: string, type: EventType): boolean {
    return this.events.some((event) => event.source === source && event.type === type);
  }

  detail(source: string, type: EventType): string | null {
    return this.events.find((event) => event.source === source && event.type === type)?.detail ?? null;
  }

  ups(groupId: string): { readonly policy: UpsSettings; readonly memory: UpsMemory } | null {
    const policy = this.world.policies.ups.find((one) => one.groupId === groupId);
    const memory = this.memory.ups.get(groupId);
    return policy === undefined || memory === undefined ? null : { policy, memory };
  }

  /** By a good reading that counts. Of a redundancy group this is uncertain from outside: false. */
  isPowerBack(groupId: string): boolean {
    const upsHistory = this.ups(groupId)?.memory.upsHistory;
    if (upsHistory === undefined || upsHistory.last === null || this.memory.unseen.has(groupId)) return false;
    return upsHistory.outageMs === null && upsHistory.fsd !== 'acting';
  }

  isArmed(group: string): boolean {
    return !this.memory.fired.has(group);
  }

  /** Armed for the daemon too, which may not have seen the quorum that has armed it here. */
  isCertainlyArmed(group: string): boolean {
    return this.isArmed(group) && !this.memory.doubtful.has(group);
  }

  /** Its sequence has been requested. */
  fire(group: string, sinceMs = this.nowMs, unixSeconds = this.world.machine.wallSeconds()): void {
    this.memory.fired.set(group, { sinceMs, unixSeconds, outageOver: false, sequenceOver: false });
  }

  /** Its outage is over. When its sequence is over too, it is armed again. */
  outageOver(group: string): void {
    const fired = this.memory.fired.get(group);
    if (fired?.sequenceOver === true) this.memory.fired.delete(group);
    else if (fired !== undefined) this.memory.fired.set(group, { ...fired, outageOver: true });
  }

  sequenceOver(group: string): void {
    const fired = this.memory.fired.get(group);
    if (fired?.outageOver === true) this.memory.fired.delete(group);
    else if (fired !== undefined) this.memory.fired.set(group, { ...fired, sequenceOver: true });
  }

  /** Whether the plan of the group powers off this host (specification/sequence.md#power-off). */
  powersOffHost(group: string): boolean {
    const { site, policies } = this.world;
    if (!site.localShutdown.enabled) return false;
    const groups = this.#groups(policies.ups, policies.groups);
    const own = groups.find(({ groupId }) => groupId === group);
    if (own === undefined) return false;
    if (groups.some(({ isLocal }) => isLocal)) return own.isLocal;
    // A member of a group powers this host off only where it is local.
    const isMember = policies.groups.some(({ members }) => members.includes(group));
    return site.localShutdown.triggerOn === 'any' && !isMember;
  }

  #groups(
    ups: readonly UpsSettings[],
    groups: readonly GroupSettings[],
  ): readonly { readonly groupId: string; readonly isLocal: boolean }[] {
    return [...ups.filter(({ advisory }) => !advisory), ...groups];
  }
}
