// The file by which the distribution's late hook cuts the power of the UPS (upsmon's POWERDOWNFLAG): `upsmon -K` looks for its
// text when everything else has ended. Written and removed by a child: no file system may delay the power-off.
import type { Performer } from '../actuator.js';
import { outcomeOf } from '../outcome.js';
import type { LocalDependencies } from './local-calls.js';
import { call } from './local-calls.js';

/** SDMAGIC of upsmon. */
const magic = 'upsmon-shutdown-file';
const removalSeconds = 5;

/** The path is an argument of the shell and never part of its text. */
export function powerdownFlagPerformer(deps: LocalDependencies): Performer<'powerdownFlag'> {
  return async ({ path }, { budgetSeconds }, signal) => {
    const write = ['/bin/sh', '-c', 'printf "%s\\n" "$1" >"$0"', path, magic];
    return outcomeOf(await call(deps, signal, budgetSeconds, [...deps.host.mountsPrefix, ...write]));
  };
}

type StaleFlagDependencies = Pick<LocalDependencies, 'run' | 'setTimer' | 'host' | 'log'>;

/**
 * Removes a flag that neither a sequence nor a power-off stands behind: it would cut the power at an ordinary reboot. At the start
 * of the daemon, and when a power-off is given up.
 */
export class StaleFlag {
  readonly #deps: StaleFlagDependencies;
  #removed = '';

  constructor(deps: StaleFlagDependencies) {
    this.#deps = deps;
  }

  /** Call it with each tick. */
  tick(path: string | null, isNeeded: boolean): void {
    if (isNeeded || path === null) this.#removed = '';
    else if (this.#removed !== path) {
      this.#removed = path;
      void this.#remove(path);
    }
  }

  async #remove(path: string): Promise<void> {
    const { host, log } = this.#deps;
    const command = [...host.mountsPrefix, '/bin/rm', '-f', '--', path];
    const outcome = outcomeOf(await call(this.#deps, new AbortController().signal, removalSeconds, command));
    if (outcome.kind === 'failed')
      log.warning(
        `${path} could not be removed (${outcome.reason}): with NUT's late hook it would cut the power at the next reboot`,
      );
  }
}
