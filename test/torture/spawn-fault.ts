// Makes worker processes of one daemon die at or after their start. The daemon starts them with setpriv, and its mount
// namespace has a script in place of setpriv. Without an order the script only runs setpriv.
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setprivPath } from '../../supervisor/supervision/worker-command.js';

/** Seconds that a worker of a crash loop lives: about the time it needs to be ready on an idle machine. */
const shortLifeSeconds = 0.4;

export class SpawnFault {
  /** For privateAccounts: real path to replacement. */
  readonly mounts: Readonly<Record<string, string>>;
  readonly #orders: string;

  /** `environment`: additional variables of every worker, NAME=VALUE. */
  constructor(directory: string, environment: readonly string[]) {
    this.#orders = join(directory, 'spawn-faults');
    mkdirSync(this.#orders);
    const real = join(directory, 'setpriv.real');
    const spawnFault = join(directory, 'setpriv');
    copyFileSync(setprivPath, real);
    chmodSync(real, 0o755);
    const given = environment.map((one) => `'${one}'`).join(' ');
    // The first word that is a path is the program. It gets the environment; setpriv, which still runs as root, does not.
    writeFileSync(
      spawnFault,
      `#!/bin/sh
for entry; do :; done
order=${this.#orders}/$(basename "$(dirname "$entry")")-$(basename "$entry" .js)
[ ! -e "$order.at-start" ] || exit 1
[ ! -e "$order.soon" ] || (exec 2>&- 3>&-; sleep ${String(shortLifeSeconds)}; kill -KILL $$) &
found=
for word; do
  shift
  case $found:$word in
  :/*) found=yes; set -- "$@" env ${given} "$word" ;;
  *) set -- "$@" "$word" ;;
  esac
done
exec ${real} "$@"
`,
    );
    chmodSync(spawnFault, 0o755);
    this.mounts = { [setprivPath]: spawnFault };
  }

  /** From now on every new process of `entry` (`storage/worker.js`) dies, before its first frame or soon after it. */
  die(entry: string, when: 'at-start' | 'soon'): void {
    writeFileSync(this.#orderOf(entry, when), '');
  }

  live(entry: string): void {
    for (const when of ['at-start', 'soon']) rmSync(this.#orderOf(entry, when), { force: true });
  }

  #orderOf(entry: string, when: string): string {
    return join(this.#orders, `${entry.replace('/', '-').replace(/\.js$/, '')}.${when}`);
  }
}
