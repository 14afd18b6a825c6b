// The power of the machine: what feeds it, what the power-off command does, when it goes down and boots.
import type { CommandOutcome } from '../../supervisor/host/run-command.js';
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

  constructor(parts: HostOptions) {
    this.#parts = parts;
  }

  /** Call after every change of a device. */
  feedChanged(): void {
    if (!this.#isFed((device) => device.feeds)) this.#goDown('blackout');
    this.#mayBoot();
  }

  /** Runs the power-off command; `ended` is called at its end, whether or not its daemon is alive. */
  powerOff(signal: AbortSignal, ended: (outcome: CommandOutcome) => void): Promise<CommandOutcome> {
    const { powerOff } = this.#parts.site;
    const behaviour = powerOff[Math.min(this.#commands, powerOff.length - 1)] ?? { kind: 'hangs' };
    this.#commands += 1;
    return new Promise((resolve) => {
      let isOver = false;
      const end = (outcome: CommandOutcome) => {
        if (isOver) return;
        isOver = true;
        ended(outcome);
        resolve(outcome);
      };
      signal.addEventListener('abort', () => end({ kind: 'abandoned', output: '' }), { once: true });
      this.#behaviour(behaviour, end);
    });
  }

  #behaviour(behaviour: CommandBehaviour, end: (outcome: CommandOutcome) => void): void {
    if (behaviour.kind === 'hangs') return;
    const { machine } = this.#parts;
    machine.after(behaviour.afterMs, () => {
      end({ kind: 'exited', code: behaviour.kind === 'fails' ? 1 : 0, output: '' });
      if (behaviour.kind === 'succeeds') machine.after(behaviour.downMs, () => this.#goDown('power-off'));
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
