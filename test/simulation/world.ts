// The simulated world of one run: mains, UPSes, servers and the machine with its daemon, driven by a scenario.
import type { CommandLine } from '../../shared/domain/commands/command-line.js';
import type { CommandOutcome } from '../../supervisor/host/run-command.js';
import { unreachable } from '../../shared/domain/base/unreachable.js';
import { EventQueue } from './event-queue.js';
import { configurationOf } from './configuration.js';
import { SimulatedDaemon } from './daemon.js';
import { Device } from './device.js';
import { Reporter } from './firmware.js';
import type { PollerFleet, Polled } from './poller-fleet.js';
import { truthOf } from './truth.js';
import { Host } from './host.js';
import { Machine } from './machine.js';
import { Pollers } from './pollers.js';
import { SimulatedPlant } from './plant/simulated-plant.js';
import { restartRecord } from './restart/record.js';
import type { WorldEvent, Policies, ServerState, Site, UpsSpec } from './scenario.js';
import { lookBackMs } from './scenario.js';
import { Tmpfs } from './tmpfs.js';
import type { Observer } from './observer.js';
import { bindMethods } from './observer.js';
import { SupervisedFleet } from './workers/supervised-fleet.js';

export class World {
  nowMs = 0;
  readonly site: Site;
  readonly machine: Machine;
  readonly devices: ReadonlyMap<string, Device>;
  readonly daemon: SimulatedDaemon;
  readonly tmpfs: Tmpfs;
  policies: Policies;
  readonly #eventQueue = new EventQueue();
  readonly #reporters: ReadonlyMap<string, Reporter>;
  readonly #servers = new Map<string, ServerState>();
  readonly #fleet: PollerFleet;
  readonly #host: Host;
  readonly #observer: Observer;
  readonly plant: SimulatedPlant;
  #deaths = 0;

  constructor(site: Site, observerOf: (world: World) => Observer) {
    this.site = site;
    this.policies = { ups: site.ups.map(({ policy }) => policy), groups: site.groups };
    this.machine = new Machine(() => this.nowMs);
    this.devices = new Map(site.ups.map((spec) => [spec.policy.groupId, new Device(spec)]));
    this.#reporters = new Map([...this.devices].map(([groupId, device]) => [groupId, new Reporter(device)]));
    this.tmpfs = new Tmpfs(
      {
        snapshotWritten: () => this.#observer.snapshotWritten(),
        recordWritten: () => this.plant.recordWritten(),
        isWriterDead: () => this.daemon.pendingKillMs !== null,
        monotonicMs: () => this.machine.monotonicMs(),
      },
      lookBackMs(site),
      restartRecord(site, this.machine, () => this.daemon.markUnsettled()),
    );
    this.#observer = observerOf(this);
    const setTimer = (ms: number, run: () => void) => this.at(this.nowMs + ms, run);
    this.plant = new SimulatedPlant({
      plant: site.plant,
      machine: this.machine,
      markUnsettled: () => this.daemon.markUnsettled(),
      setTimer,
      change: (groupId, change) => this.#withDevice(groupId, change),
      isOnMains: (groupId) => this.devices.get(groupId)?.mainsCarry ?? false,
      cutsOnMains: (groupId) => site.restart === null || site.restart.cutsOnMains.includes(groupId),
      setOutput: (device, on) => device.setOutput(this.nowMs, on),
      commanded: (server) => this.#observer.commanded(server),
      powerOff: (signal) => this.#host.powerOff(signal, () => this.daemon.markUnsettled()),
      asked: (ups) => this.#observer.cut(ups),
      ended: (outcome, command) => this.#commandEnded(outcome, command),
      scheduleKill: (downMs) => this.daemon.scheduleKill(downMs),
      mainsBack: () => {
        for (const { spec } of this.devices.values())
          this.#change({ kind: 'mains', feed: spec.feed, volts: spec.nominalVolts });
      },
    });
    this.daemon = new SimulatedDaemon(this.machine, this.tmpfs, this.plant.reach, {
      ...bindMethods(this.#observer),
      ran: (command, signal) => this.#run(command, signal),
      ticking: () => this.#fleet.tick(),
    });
    const polled = site.ups.map((spec) => this.#polled(spec));
    this.#fleet = site.supervised
      ? new SupervisedFleet(this.machine, this.daemon, polled, (message) =>
          this.#observer.loggedError(message),
        )
      : new Pollers(this.machine, polled);
    this.#host = new Host({
      site,
      machine: this.machine,
      devices: this.devices,
      setTimer,
      down: (why) => this.#hostWentDown(why),
      up: () => this.#hostCameUp(),
    });
    this.machine.after(0, () => this.#startDaemon());
  }

  get nextAtMs(): number {
    return Math.min(this.#eventQueue.nextAt, this.machine.nextAtMs);
  }

  next(): void {
    const worldAt = this.#eventQueue.nextAt;
    const machineAt = this.machine.nextAtMs;
    this.nowMs = Math.max(this.nowMs, Math.min(worldAt, machineAt));
    const run = worldAt <= machineAt ? this.#eventQueue.take() : this.machine.eventQueue.take();
    run?.();
  }

  at(ms: number, run: () => void): void {
    this.#eventQueue.enter(ms, run);
  }

  perform(worldEvent: WorldEvent): void {
    this.#change(worldEvent);
    this.#observer.worldChanged(worldEvent);
  }

  #change(worldEvent: WorldEvent): void {
    switch (worldEvent.kind) {
      case 'mains':
        for (const device of this.devices.values()) {
          if (device.spec.feed === worldEvent.feed)
            this.#moved(device, () => device.setMains(this.nowMs, worldEvent.volts));
        }
        return;
      case 'load':
        this.#withDevice(worldEvent.ups, (device) => device.setLoad(this.nowMs, worldEvent.percent));
        return;
      case 'glitch':
      case 'firmware':
        this.#reporters.get(worldEvent.ups)?.perform(this.nowMs, worldEvent);
        return;
      case 'exercise':
        this.#withDevice(worldEvent.ups, (device) => device.setExercise(this.nowMs, worldEvent.exercise));
        this.at(this.nowMs + worldEvent.lastsMs, () =>
          this.#withDevice(worldEvent.ups, (device) => device.setExercise(this.nowMs, null)),
        );
        return;
      case 'demand':
        this.#withDevice(worldEvent.ups, (device) => device.setDemand(this.nowMs, worldEvent.on));
        return;
      case 'output':
        this.#withDevice(worldEvent.ups, (device) => device.setOutput(this.nowMs, worldEvent.on));
        return;
      case 'server':
        this.#servers.set(worldEvent.server, worldEvent.state);
        return;
      case 'worker':
        if (this.daemon.running) this.#fleet.fault(worldEvent.ups, worldEvent.fault);
        return;
      case 'remoteWorker':
        this.plant.remote.fault(worldEvent.fault, worldEvent.awayMs);
        return;
      case 'crash':
        this.#crash(worldEvent.downMs);
        return;
      case 'stall':
        this.daemon.stall();
        // Only when the machine is awake.
        this.at(this.nowMs + worldEvent.ms, () => this.machine.after(0, () => this.daemon.resume()));
        return;
      case 'suspend':
        this.machine.sleep();
        this.at(this.nowMs + worldEvent.ms, () => this.machine.wake());
        return;
      case 'wallStep':
        this.machine.stepWall(worldEvent.seconds);
        return;
      case 'disk':
        this.tmpfs.full = worldEvent.full;
        return;
      case 'reload':
        this.#reload(worldEvent.policies);
        return;
      case 'cancel':
        this.daemon.cancel();
        return;
      case 'throws':
        this.daemon.throwing.arm(worldEvent.call, worldEvent.skipped);
        return;
      default:
        unreachable(worldEvent);
    }
  }

  #reload(policies: Policies): void {
    if (!this.daemon.running) this.policies = policies;
    this.daemon.whenAwake(() => {
      this.policies = policies;
      this.#observer.configured(policies);
      this.daemon.configure(configurationOf(this.site, policies));
      this.#fleet.apply(configurationOf(this.site, policies));
    });
  }

  #crash(downMs: number): void {
    if (!this.daemon.running) return;
    this.#daemonDies();
    for (const loss of this.site.losses[this.#deaths] ?? []) {
      this.tmpfs.lose(loss);
      this.#observer.lost(loss);
    }
    this.#deaths += 1;
    this.machine.after(downMs, () => this.#startDaemon());
  }

  #daemonDies(): void {
    if (!this.daemon.running) return;
    const isWithin = this.daemon.pendingKillMs !== null;
    this.daemon.die();
    this.#fleet.die();
    this.plant.remote.die();
    this.#observer.daemonDied(isWithin);
  }

  #startDaemon(): void {
    if (this.daemon.running) return;
    this.#observer.daemonStarted();
    const configuration = configurationOf(this.site, this.policies);
    this.daemon.start(configuration);
    this.plant.remote.start();
    this.#fleet.apply(configuration);
    this.#observer.handledOther();
  }

  #withDevice(groupId: string, change: (device: Device) => void): void {
    const device = this.devices.get(groupId);
    if (device !== undefined) this.#moved(device, () => change(device));
  }

  /** After every change of a device: updates its reporter and the time at which its battery is empty. */
  #moved(device: Device, change: () => void): void {
    change();
    this.#reporters.get(device.spec.policy.groupId)?.transferred(this.nowMs);
    const emptyAtMs = device.emptyAtMs(this.nowMs);
    if (emptyAtMs !== Infinity) this.at(emptyAtMs, () => this.#mayBeEmpty(device));
    this.#host.feedChanged();
  }

  #mayBeEmpty(device: Device): void {
    device.ranDown(this.nowMs);
    this.#reporters.get(device.spec.policy.groupId)?.transferred(this.nowMs);
    this.#host.feedChanged();
  }

  #hostWentDown(why: 'power-off' | 'blackout'): void {
    this.#daemonDies();
    this.machine.goDown();
    this.tmpfs.anotherBoot(this.site.plant.journalsStay);
    this.#observer.hostDown(why);
  }

  #hostCameUp(): void {
    this.machine.boot();
    this.machine.stepWall(this.site.clockAtBootSeconds);
    this.plant.programs.boot();
    this.#observer.hostUp();
    this.#startDaemon();
  }

  #run(command: CommandLine, signal: AbortSignal): Promise<CommandOutcome> {
    this.#observer.ran(command);
    const ended = (outcome: CommandOutcome) => this.#commandEnded(outcome, command);
    return this.#host.run(command, signal, ended) ?? this.plant.run(command, signal);
  }

  /** After all promises have settled: a scheduled kill takes effect now. */
  settled(): void {
    const downMs = this.daemon.pendingKillMs;
    if (downMs !== null) this.perform({ kind: 'crash', downMs });
  }

  #commandEnded(outcome: CommandOutcome, command: CommandLine): void {
    this.#observer.commandEnded(outcome, command);
    this.daemon.markUnsettled();
  }

  #polled(spec: UpsSpec): Polled {
    const { groupId } = spec.policy;
    const reporter = this.#reporters.get(groupId);
    if (reporter === undefined) throw new Error(`no reporter of ${groupId}`);
    return {
      spec,
      reporter,
      server: () => this.#servers.get(spec.server) ?? { kind: 'up' },
      truth: () => truthOf(this.nowMs, this.devices.get(groupId), reporter),
      report: (poll, truth) => {
        this.#observer.reported(poll, truth);
        this.daemon.deliver(groupId, poll);
      },
    };
  }
}
