// What a site brings down, in motion: its programs, its servers with the worker that logs in to them, its outputs.
import type { CommandLine } from '../../../shared/domain/plan.js';
import type { CommandOutcome } from '../../../supervisor/host/run-command.js';
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
  /** Something has been answered: whoever waits for it goes on. */
  readonly markUnsettled: () => void;
  /** Runs something in so many ms of the world. */
  readonly setTimer: (ms: number, run: () => void) => void;
  readonly change: (groupId: string, change: (device: Device) => void) => void;
  readonly isOnMains: (groupId: string) => boolean;
  readonly setOutput: (device: Device, on: boolean) => void;
  readonly commanded: (server: string) => void;
  readonly asked: (ups: string) => void;
  readonly ended: (outcome: CommandOutcome, command: CommandLine) => void;
  readonly scheduleKill: (downMs: number) => void;
  readonly mainsBack: () => void;
}

/** A UPS that has cut its output looks after its mains so often. */
const restoreMs = 10_000;

export class SimulatedPlant {
  readonly remote: RemoteWorker;
  readonly programs: Programs;
  /** What a daemon acts through beside its own programs. */
  readonly reach: { readonly shutDown: ShutDownTarget; readonly cut: CutOutput };
  readonly #parts: PlantOptions;
  /** Records of journals that came to be written. */
  #records = 0;

  constructor(parts: PlantOptions) {
    this.#parts = parts;
    const { plant, machine, markUnsettled, commanded, asked } = parts;
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
    this.remote = new RemoteWorker(around, plant.servers, commanded);
    const cut = cuttingOutputs(around, plant.outputs, {
      asked,
      cuts: (ups, delayMs) => this.#cuts(ups, delayMs),
    });
    this.reach = { shutDown: this.remote.shutDown, cut };
  }

  run(command: CommandLine, signal: AbortSignal): Promise<CommandOutcome> {
    const running = this.programs.run(command, signal);
    void running.then((outcome) => this.#parts.ended(outcome, command));
    return running;
  }

  /** A record comes to be written; false: the daemon is killed before it. */
  recordWritten(): boolean {
    this.#records += 1;
    if (this.#records === this.#parts.plant.mainsBackAtRecord)
      this.#parts.setTimer(0, () => this.#parts.mainsBack());
    const kill = this.#parts.plant.kills.find(({ record }) => record === this.#records);
    if (kill === undefined) return true;
    this.#parts.scheduleKill(kill.downMs);
    return kill.after;
  }

  /** The UPS has taken the command: it acts whatever happens to us, and restores its output when its mains are back. */
  #cuts(groupId: string, delayMs: number): void {
    const { setTimer, change, setOutput } = this.#parts;
    setTimer(delayMs, () => {
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
