// The simulated resources of a site: its programs, its servers with the remote worker, its outputs.
import type { CommandLine } from '../../../shared/domain/commands/command-line.js';
import type { CommandOutcome } from '../../../supervisor/host/run-command.js';
import type { AwaitOff } from '../../../supervisor/sequence/phases/off-waits.js';
import type { ShutDownTarget } from '../../../supervisor/sequence/phases/remote-servers.js';
import type { CutOutput } from '../../../supervisor/sequence/phases/ups-output.js';
import type { Device } from '../device.js';
import type { Machine } from '../machine.js';
import { cuttingOutputs } from './outputs.js';
import type { Plant } from './plant.js';
import { Programs } from './programs.js';
import { RemoteWorker } from './remote-worker.js';
import type { PlantClock } from './plant-clock.js';

export interface PlantOptions {
  readonly plant: Plant;
  readonly machine: Machine;
  /** Something has been answered: a promise of the daemon may settle. */
  readonly markUnsettled: () => void;
  /** A timer in world time. */
  readonly setTimer: (ms: number, run: () => void) => void;
  readonly change: (groupId: string, change: (device: Device) => void) => void;
  readonly isOnMains: (groupId: string) => boolean;
  /** Its UPS acts on a cut while mains is there too. */
  readonly cutsOnMains: (groupId: string) => boolean;
  readonly setOutput: (device: Device, on: boolean) => void;
  readonly commanded: (server: string) => void;
  /** The power-off command of the host, over its delegate. */
  readonly powerOff: (signal: AbortSignal) => Promise<CommandOutcome>;
  readonly asked: (ups: string) => void;
  readonly ended: (outcome: CommandOutcome, command: CommandLine) => void;
  readonly scheduleKill: (downMs: number) => void;
  readonly mainsBack: () => void;
}

/** A UPS with its output off checks its mains at this interval. */
const restoreMs = 10_000;

export class SimulatedPlant {
  readonly remote: RemoteWorker;
  readonly programs: Programs;
  /** How a daemon acts other than through local programs. */
  readonly reach: { readonly shutDown: ShutDownTarget; readonly awaitOff: AwaitOff; readonly cut: CutOutput };
  readonly #parts: PlantOptions;
  #records = 0;

  constructor(parts: PlantOptions) {
    this.#parts = parts;
    const { plant, machine, markUnsettled, commanded, powerOff, asked } = parts;
    const around: PlantClock = {
      monotonicMs: () => machine.monotonicMs(),
      after: (ms, run) => {
        machine.after(ms, () => {
          run();
          markUnsettled();
        });
      },
    };
    this.programs = new Programs(around, plant);
    this.remote = new RemoteWorker(around, plant, {
      commanded,
      poweredOff: (ms) => {
        const end = new AbortController();
        around.after(ms, () => end.abort());
        return powerOff(end.signal);
      },
    });
    const cut = cuttingOutputs(around, plant.outputs, {
      asked,
      cuts: (ups, delayMs) => this.#cuts(ups, delayMs),
    });
    this.reach = { shutDown: this.remote.shutDown, awaitOff: this.remote.awaitOff, cut };
  }

  run(command: CommandLine, signal: AbortSignal): Promise<CommandOutcome> {
    const running = this.programs.run(command, signal);
    void running.then((outcome) => this.#parts.ended(outcome, command));
    return running;
  }

  /** Before a journal record is written; false: the daemon is killed first. */
  recordWritten(): boolean {
    this.#records += 1;
    if (this.#records === this.#parts.plant.mainsBackAtRecord)
      this.#parts.setTimer(0, () => this.#parts.mainsBack());
    const kill = this.#parts.plant.kills.find(({ record }) => record === this.#records);
    if (kill === undefined) return true;
    this.#parts.scheduleKill(kill.downMs);
    return kill.after;
  }

  /** The UPS has accepted the command. It acts independently of the daemon, and restores its output with its mains. */
  #cuts(groupId: string, delayMs: number): void {
    const { setTimer, change, setOutput, isOnMains, cutsOnMains } = this.#parts;
    setTimer(delayMs, () => {
      if (isOnMains(groupId) && !cutsOnMains(groupId)) return;
      change(groupId, (device) => setOutput(device, false));
      this.#restore(groupId);
    });
  }

  #restore(groupId: string): void {
    const { setTimer, change, setOutput, isOnMains } = this.#parts;
    if (isOnMains(groupId)) change(groupId, (device) => setOutput(device, true));
    else setTimer(restoreMs, () => this.#restore(groupId));
  }
}
