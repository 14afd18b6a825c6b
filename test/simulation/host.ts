// The power of the machine: what feeds it, what the power-off command does, when it goes down and boots.
import type { CommandLine } from '../../shared/domain/commands/command-line.js';
import type { CommandOutcome } from '../../supervisor/host/run-command.js';
import { isPowerOff, isRestart } from './configuration.js';
import type { Device } from './device.js';
import type { Machine } from './machine.js';
import type { CommandBehaviour, Site } from './scenario.js';

export interface HostOptions {
  readonly site: Site;
  readonly machine: Machine;
  readonly devices: ReadonlyMap<string, Device>;
  readonly setTimer: (ms: number, run: () => void) => void;
  readonly down: (why: 'power-off' | 'blackout') => void;
  readonly up: () => void;
}

export class Host {
  readonly #parts: HostOptions;
  #commands = 0;
  #restartCommands = 0;
  /** It goes down and boots by itself, on battery too. */
  #isRestarting = false;

  constructor(parts: HostOptions) {
    this.#parts = parts;
  }

  /** Call after every change of a device. */
  feedChanged(): void {
    if (!this.#isFed((device) => device.feeds)) {
      this.#isRestarting = false;
      this.#goDown('blackout');
    }
    this.#mayBoot();
  }

  /** Null: the command neither powers this host off nor restarts it. */
  run(
    command: CommandLine,
    signal: AbortSignal,
    ended: (outcome: CommandOutcome) => void,
  ): Promise<CommandOutcome> | null {
    if (isRestart(command)) return this.#restarts(signal, ended);
    return isPowerOff(command) ? this.powerOff(signal, ended) : null;
  }

  /** Runs the power-off command; `ended` is called at its end, whether or not its daemon is alive. */
  powerOff(signal: AbortSignal, ended: (outcome: CommandOutcome) => void): Promise<CommandOutcome> {
    this.#commands += 1;
    const behaviour = behaviourOf(this.#parts.site.powerOff, this.#commands);
    return this.#outcomeOf(behaviour, signal, ended, () => this.#goDown('power-off'));
  }

  /** The same of the restart command. */
  #restarts(signal: AbortSignal, ended: (outcome: CommandOutcome) => void): Promise<CommandOutcome> {
    this.#restartCommands += 1;
    const behaviour = behaviourOf(this.#parts.site.restart?.command ?? [], this.#restartCommands);
    return this.#outcomeOf(behaviour, signal, ended, () => this.#restart());
  }

  #restart(): void {
    const { machine, site, setTimer, down, up } = this.#parts;
    if (!machine.up) return;
    this.#isRestarting = true;
    down('power-off');
    setTimer(site.bootMs, () => {
      if (!this.#isRestarting) return;
      this.#isRestarting = false;
      if (!machine.up) up();
    });
  }

  #outcomeOf(
    behaviour: CommandBehaviour,
    signal: AbortSignal,
    ended: (outcome: CommandOutcome) => void,
    act: () => void,
  ): Promise<CommandOutcome> {
    return new Promise((resolve) => {
      let isOver = false;
      const end = (outcome: CommandOutcome) => {
        if (isOver) return;
        isOver = true;
        ended(outcome);
        resolve(outcome);
      };
      signal.addEventListener('abort', () => end({ kind: 'abandoned', output: '' }), { once: true });
      this.#behaviour(behaviour, end, act);
    });
  }

  #behaviour(behaviour: CommandBehaviour, end: (outcome: CommandOutcome) => void, act: () => void): void {
    if (behaviour.kind === 'hangs') return;
    const { machine } = this.#parts;
    machine.after(behaviour.afterMs, () => {
      end({ kind: 'exited', code: behaviour.kind === 'fails' ? 1 : 0, output: '' });
      if (behaviour.kind === 'succeeds') machine.after(behaviour.downMs, act);
    });
  }

  #goDown(why: 'power-off' | 'blackout'): void {
    if (!this.#parts.machine.up) return;
    this.#parts.down(why);
    this.#mayBoot();
  }

  /** A machine that is down starts when it has mains behind it. */
  #mayBoot(): void {
    const { machine, site } = this.#parts;
    const hasMains = () => this.#isFed((device) => device.feeds && device.mainsCarry);
    if (machine.up || !hasMains()) return;
    this.#parts.setTimer(site.bootMs, () => {
      if (!machine.up && hasMains()) this.#parts.up();
    });
  }

  #isFed(by: (device: Device) => boolean): boolean {
    return this.#parts.site.hostFeeds.some((groupId) => {
      const device = this.#parts.devices.get(groupId);
      return device !== undefined && by(device);
    });
  }
}

/** Of the run with this number, from 1. */
const behaviourOf = (behaviours: readonly CommandBehaviour[], run: number): CommandBehaviour =>
  behaviours[Math.min(run, behaviours.length) - 1] ?? { kind: 'hangs' };
