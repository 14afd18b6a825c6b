// What happens in one play of a scenario: the sequences that are started, and how the host goes down.
import type { SequenceCause } from '../../../shared/domain/status/states.js';
import { hasNoData, powerSource } from '../../../shared/domain/ups/status-words.js';
import type { UpsPolled } from '../../../shared/protocol/poller.js';
import type { Observer } from '../observer.js';
import type { Scenario } from '../scenario.js';
import { World } from '../world.js';
import { install, reading, uninstall } from './fault.js';
import type { FaultSpec } from './fault.js';

export interface Start {
  readonly group: string;
  readonly atMs: number;
  readonly boot: number;
  readonly cause: SequenceCause;
  /** The reserve has rules for what has decided it. */
  readonly isRuled: boolean;
  /** Power was read as back since the last start of the group, which arms it again. */
  readonly isAnew: boolean;
}

export interface History {
  readonly starts: readonly Start[];
  readonly downs: readonly { readonly atMs: number; readonly why: 'power-off' | 'blackout' }[];
  /** By UPS: the times in which its mains have failed, it is tested or FSD is demanded. */
  readonly troubles: ReadonlyMap<string, readonly Span[]>;
  readonly outages: number;
  /** When power was read as back, first since the last start of the group. */
  readonly backs: readonly { readonly group: string; readonly atMs: number }[];
  /** What policy would have started, had the group been armed again. */
  readonly advised: readonly { readonly group: string; readonly atMs: number }[];
  /** When policy saw the outage of a group end, while its sequence may go on. */
  readonly restored: readonly { readonly group: string; readonly atMs: number }[];
  /** When the power-off of the host was commanded. */
  readonly ordered: readonly number[];
  /** When a daemon started. */
  readonly restarts: readonly number[];
  /** When policy armed a group again after its sequence. */
  readonly armed: readonly { readonly group: string; readonly atMs: number }[];
  /** Exceptions that policy threw. */
  readonly thrown: number;
  /** Exceptions that nothing has caught. */
  readonly escaped: readonly string[];
}

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const mostTurns = 100;

/** `fault`: null for a policy that works. `tell` gets what happens, for a person. */
export async function play(
  scenario: Scenario,
  fault: FaultSpec | null,
  tell: (atMs: number, text: string) => void = () => undefined,
): Promise<History> {
  const downs: History['downs'][number][] = [];
  const advised: History['advised'][number][] = [];
  const restored: History['restored'][number][] = [];
  const restarts: number[] = [];
  const ordered: number[] = [];
  const nothing = (): void => undefined;
  const observer: Observer = {
    reported: nothing,
    worldChanged: nothing,
    ran: ([program]) => {
      if (program?.startsWith('simulated-power-off') === true) ordered.push(world.nowMs);
    },
    commanded: nothing,
    cut: nothing,
    commandEnded: nothing,
    configured: nothing,
    daemonStarted: () => {
      tell(world.nowMs, 'the daemon starts');
      restarts.push(world.nowMs);
    },
    daemonDied: nothing,
    snapshotWritten: nothing,
    lost: nothing,
    hostDown: (why) => {
      tell(world.nowMs, `host down: ${why}`);
      downs.push({ atMs: world.nowMs, why });
    },
    hostUp: nothing,
    recorded: ({ source, type, detail }) => {
      if (type === 'SHUTDOWN_CANCELLED') starts.cancelled(source);
      if (type === 'TRIGGER_ADVISORY' && detail.includes('not armed again yet'))
        advised.push({ group: source, atMs: world.nowMs });
      if (type === 'POWER_RESTORED' || type === 'QUORUM_RESTORED')
        restored.push({ group: source, atMs: world.nowMs });
      tell(world.nowMs, `${source} ${type} ${detail}`);
    },
    notified: nothing,
    began: nothing,
    ended: nothing,
    recovered: nothing,
    loggedError: nothing,
    polled: nothing,
    ticked: nothing,
    handledOther: nothing,
  };
  const world: World = new World(scenario.site, () => observer);
  const deliver = world.daemon.deliver.bind(world.daemon);
  world.daemon.deliver = (groupId, poll) => {
    starts.read(groupId, poll);
    reading(groupId, () => deliver(groupId, poll));
  };
  if (fault !== null) install(fault, () => world.nowMs);
  const troubles = new Troubles(world);
  const starts = new Starts(world);
  const escaped: string[] = [];
  let outages = 0;
  for (const { atMs, worldEvent } of scenario.worldEvents)
    world.at(atMs, () => {
      const before = failed(world);
      world.perform(worldEvent);
      outages += Math.max(0, failed(world) - before);
    });
  while (world.nextAtMs <= scenario.durationMs) {
    try {
      world.next();
      for (let turn = 0; world.daemon.unsettled && turn < mostTurns; turn += 1) {
        world.daemon.unsettled = false;
        await new Promise((resolve) => {
          process.nextTick(resolve);
        });
      }
      world.settled();
    } catch (error) {
      escaped.push(String(error));
    }
    troubles.look();
    starts.look();
  }
  const thrown = uninstall();
  return {
    starts: starts.all,
    backs: starts.backs,
    advised,
    restored,
    restarts,
    ordered,
    armed: starts.armed,
    downs,
    troubles: troubles.spans(),
    outages,
    thrown,
    escaped,
  };
}

function failed({ devices }: World): number {
  return [...devices.values()].filter(({ outageSinceMs }) => outageSinceMs !== null).length;
}

class Troubles {
  readonly #world: World;
  readonly #spans = new Map<string, { fromMs: number; toMs: number }[]>();

  constructor(world: World) {
    this.#world = world;
  }

  look(): void {
    const { nowMs, devices } = this.#world;
    for (const [ups, device] of devices) {
      if (!device.onBattery && !device.demanded && device.feeds) continue;
      const spans = this.#spans.get(ups) ?? [];
      const last = spans.at(-1);
      // Between two looks nothing happens; a minute on line power joins two outages.
      if (last !== undefined && nowMs - last.toMs <= joinMs) last.toMs = nowMs;
      else spans.push({ fromMs: nowMs, toMs: nowMs });
      this.#spans.set(ups, spans);
    }
  }

  spans(): ReadonlyMap<string, readonly Span[]> {
    return this.#spans;
  }
}

/** Two outages within a minute are one; the end of the first is seen some polls later. */
const joinMs = 90_000;

class Starts {
  readonly #world: World;
  readonly #known = new Set<string>();
  readonly #cancelledMs = new Map<string, number>();
  /** By UPS: readings in a row with line power. */
  readonly #lineReadings = new Map<string, number>();
  readonly #powered = new Set<string>();
  /** By UPS: the triggers that its last reading can meet with a 0, which the reserve refuses where it stood on line power. */
  readonly #zeros = new Map<string, readonly SequenceCause[]>();
  readonly all: Start[] = [];
  readonly backs: { readonly group: string; readonly atMs: number }[] = [];
  readonly armed: { readonly group: string; readonly atMs: number }[] = [];
  readonly #fired = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  /** In the moment of its start it has done nothing: the reserve knows that power is back. */
  cancelled(group: string): void {
    this.#cancelledMs.set(group, this.#world.nowMs);
  }

  read(ups: string, { outcome }: UpsPolled): void {
    if (outcome.kind === 'failed' || hasNoData(outcome.reading.status)) return;
    const { status, chargePercent, runtimeSeconds } = outcome.reading;
    this.#zeros.set(ups, [
      ...(chargePercent === 0 ? ['LOW_BATTERY' as const] : []),
      ...(runtimeSeconds === 0 ? ['CRITICAL_RUNTIME' as const] : []),
    ]);
    const isLine = powerSource(status) === 'line' && !status.includes('FSD');
    this.#lineReadings.set(ups, isLine ? (this.#lineReadings.get(ups) ?? 0) + 1 : 0);
    const { site } = this.#world;
    const enough = new Map(site.ups.map(({ policy }) => [policy.groupId, policy.triggers.confirmations]));
    const isPowered = (member: string) =>
      (this.#lineReadings.get(member) ?? 0) >= (enough.get(member) ?? Infinity);
    if (isPowered(ups)) this.#isBack(ups);
    for (const { groupId, members, minHealthy } of site.groups)
      if (members.filter(isPowered).length >= minHealthy) this.#isBack(groupId);
  }

  look(): void {
    const { daemon, nowMs, machine } = this.#world;
    for (const { policy, shutdown } of [...(daemon.state?.ups ?? []), ...(daemon.state?.groups ?? [])]) {
      if (shutdown.kind === 'fired') this.#fired.add(policy.groupId);
      else if (this.#fired.delete(policy.groupId)) this.armed.push({ group: policy.groupId, atMs: nowMs });
    }
    for (const { group, cause, startedMs } of daemon.journal?.groups ?? []) {
      const key = `${group} ${String(machine.boots)} ${String(startedMs)}`;
      if (this.#known.has(key)) continue;
      this.#known.add(key);
      if (this.#cancelledMs.get(group) === nowMs) continue;
      const isRuled =
        cause.trigger === 'QUORUM_LOST' ? this.#isQuorumRuled(group) : this.#isRuled(group, cause.trigger);
      const isAnew = this.#powered.delete(group);
      this.all.push({ group, atMs: nowMs, boot: machine.boots, cause: cause.trigger, isRuled, isAnew });
    }
  }

  #isBack(group: string): void {
    if (this.#powered.has(group)) return;
    this.#powered.add(group);
    this.backs.push({ group, atMs: this.#world.nowMs });
  }

  #isRuled(ups: string, trigger: SequenceCause): boolean {
    return (
      trigger !== 'DEPLETION' && trigger !== 'OUTPUT_OFF' && this.#zeros.get(ups)?.includes(trigger) !== true
    );
  }

  /** Too few members are left whose triggers a rule of the reserve has too. */
  #isQuorumRuled(groupId: string): boolean {
    const { state } = this.#world.daemon;
    const group = state?.groups.find(({ policy }) => policy.groupId === groupId);
    if (state === null || group === undefined) return true;
    const decided = group.members.filter(({ ups, met }) => {
      const member = state.ups.find(({ policy }) => policy.groupId === ups);
      const trigger = member?.fsd.kind === 'acting' ? 'FSD' : (member?.met ?? met)?.trigger;
      return trigger !== undefined && this.#isRuled(ups, trigger);
    });
    return group.members.length - decided.length < group.policy.minHealthy;
  }
}
