// A record played by hand, for the tests of the invariants: what the daemon was given and did, in a world of one or two UPSes.
import type { StepAction } from '../../../shared/domain/actions/table.js';
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import { phaseOrder } from '../../../shared/domain/outage/plan.js';
import type { EventType } from '../../../shared/domain/status/events.js';
import type { UpsPolled } from '../../../shared/protocol/poller.js';
import { defaultTriggers } from '../../transcript/trigger-words.js';
import { emptyReading } from '../empty-reading.js';
import { generateScenario } from '../generator/scenario.js';
import { instantDriver } from '../generator/drivers.js';
import type { Observer } from '../observer.js';
import { observers } from '../observer.js';
import type { Plant, ServerSpec } from '../plant/plant.js';
import { noPlant } from '../plant/plant.js';
import type { Site, UpsSpec } from '../scenario.js';
import { World } from '../world.js';
import { Invariants } from './invariants.js';

const drawn = generateScenario(1, 1).site;

/** Thresholds of 20 % and 600 s, no delay, two confirmations, a reading a second; EXTENDED_TIME after 5 minutes. */
export const settings = {
  ...defaultTriggers,
  stabilizationMs: 0,
  extendedTime: { enabled: true, thresholdMs: 300_000 },
};

export function ups(name: string, policy: Partial<UpsSpec['policy']> = {}): UpsSpec {
  const [spec] = drawn.ups;
  if (spec === undefined) throw new Error('a drawn site has a UPS');
  const own = { groupId: name, name, label: name, isLocal: true, groups: [], advisory: false };
  const times = { checkIntervalMs: 1_000, pollDeadlineMs: 5_000, maxStaleDataTolerance: 3 };
  const grace = { enabled: true, durationMs: 60_000, flapThreshold: 5 };
  const holds = { valueMs: null, statusMs: null };
  return {
    ...spec,
    policy: { ...spec.policy, ...own, ...times, grace, holds, triggers: settings, ...policy },
    ...{ feed: 'grid', nominalVolts: 230, driver: instantDriver, loadPercent: 50 },
    battery: { fullLoadMs: 3_600_000, peukert: 1, rechargeMs: 3_600_000, startPercent: 100 },
    firmware: { ...spec.firmware, ...{ chargeStep: 1, runtimeStep: 1, hasGauge: true, zeroOnLine: false } },
  };
}

export const server = (name: string, order: number): ServerSpec => ({
  ...{ name, owner: 'a', order, when: 'after_local', connectSeconds: 1, commandSeconds: 1, marginSeconds: 0 },
  ...{ actionSeconds: [], offMs: 5_000, haltSeconds: null },
  behaviour: { kind: 'obeys', connectMs: 10, actionMs: 10, finalMs: 10 },
});

/** A step of the plan of the first UPS. */
export function step(action: PlanStep['action'], phase: PlanStep['phase'], id: string): PlanStep {
  const isQuiet = ['sync', 'wall', 'awaitOff'].includes(action.kind);
  return {
    ...{ id, phase, action, target: id, lane: id, rank: 0, begins: 'with_phase', estimateSeconds: 1 },
    ...{ budgetSeconds: 10, destructive: !isQuiet },
  };
}

export const serverStep = (name: string): PlanStep => {
  const login = {
    server: name,
    host: name,
    port: 22,
    user: 'root',
    useSudo: false,
    connectTimeoutSeconds: 1,
  };
  const work = { ...login, actions: [], final: 'off', commandTimeoutSeconds: 1 };
  return step({ kind: 'remote', work }, phaseOrder[4], `remote_servers/${name}`);
};
export const localStep = (kind: 'sync' | 'guests'): PlanStep => {
  const guests: StepAction = { kind: 'stopVirtualMachines', uri: null, maxWaitSeconds: 5 };
  return kind === 'sync'
    ? step({ kind: 'sync' }, phaseOrder[2], 'filesystem_sync/sync')
    : step(guests, phaseOrder[0], 'virtual_machines/guests');
};

export class Played {
  readonly world: World;
  readonly observer: Observer;
  readonly #invariants: Invariants;
  /** From the request of a reading until it is handled. */
  ageMs = 0;
  inputVolts: number | null = null;

  constructor(site: Partial<Site> = {}, plant: Partial<Plant> = {}) {
    const localShutdown = { enabled: true, triggerOn: 'any', fallback: false } as const;
    const own = { ups: [ups('a')], groups: [], dryRun: false, localShutdown, hostFeeds: ['a'], losses: [] };
    const whole = { ...drawn, ...own, ...site, plant: { ...noPlant, ...plant } };
    this.world = new World(whole, () => observers([]));
    this.#invariants = new Invariants(this.world);
    this.observer = this.#invariants.observer;
    this.observer.daemonStarted();
  }

  /** The first broken promise. */
  get broken(): string | undefined {
    return this.#invariants.violation?.rule;
  }

  /** `seconds` of ticks. */
  passes(seconds: number): this {
    for (let tick = 0; tick < 2 * seconds; tick += 1) {
      this.world.nowMs += 500;
      this.observer.ticked();
    }
    return this;
  }

  mains(volts: number, feed = 'grid'): this {
    this.world.perform({ kind: 'mains', feed, volts });
    return this;
  }

  /** `count` readings, one a second; a text for a failed poll. */
  reads(
    status: string,
    charge: number | null,
    runtime: number | null,
    count = 1,
    name = 'a',
    acts = () => {},
  ): this {
    for (let left = count; left > 0; left -= 1) {
      this.passes(1);
      const nowMs = this.world.machine.monotonicMs();
      const device = this.world.devices.get(name);
      const reading = {
        ...emptyReading,
        ...{ status: status.split(' '), chargePercent: charge, runtimeSeconds: runtime },
        ...{ inputVolts: this.inputVolts, nominalVolts: 230 },
      };
      const poll: UpsPolled = {
        ...{ startedAt: nowMs - this.ageMs, endedAt: nowMs },
        outcome: { kind: 'reading', reading, variables: {} },
      };
      const battery = { chargePercent: charge, runtimeSeconds: runtime, isLow: false, drainPerMinute: 0 };
      const onBattery = device?.onBattery === true;
      const truth = { atMs: this.world.nowMs, onBattery, words: [] };
      this.observer.reported(poll, { ...truth, battery: { ...battery, wrongSamples: 0 } });
      if (left === 1) acts();
      this.observer.polled(name, poll);
    }
    return this;
  }

  fails(count: number, name = 'a'): this {
    for (let left = count; left > 0; left -= 1) {
      this.passes(1);
      const nowMs = this.world.machine.monotonicMs();
      const outcome = { kind: 'failed', detail: 'SERVER_DOWN', message: '' } as const;
      this.observer.polled(name, { startedAt: nowMs, endedAt: nowMs, outcome });
    }
    return this;
  }

  says(type: EventType, detail: string, source = 'a'): this {
    this.observer.recorded({ source, type, detail });
    return this;
  }

  /** The decision, on disk, with its first steps. */
  falls(detail: string, ...first: readonly PlanStep[]): this {
    this.observer.snapshotWritten();
    for (const one of first) this.observer.began(one);
    return this.says('SHUTDOWN_TRIGGERED', detail);
  }

  /** An outage whose sequence begins at its second reading, with these steps. */
  shutsDown(...first: readonly PlanStep[]): this {
    this.reads('OL', 100, 3_000, 90).mains(0).reads('OB', 100, 3_000, 80);
    const falls = () => this.falls('LOW_BATTERY: charge 15 %', ...first);
    for (const charge of [95, 87, 80, 72, 64, 56, 48, 40, 32, 24, 19]) this.reads('OB', charge, 2_000);
    return this.reads('OB', 18, 2_000, 1, 'a', falls);
  }
}
