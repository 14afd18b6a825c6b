// The log that the harmless commands of a case write: which ran, and when by a clock that cannot be set.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import type { Target } from './site.js';

/** `works TARGET`: its pre-shutdown command. `goes-down TARGET`: its final command. `power-off`: that of this host. */
export interface CommandRecord {
  readonly atMs: number;
  readonly what: 'works' | 'goes-down' | 'power-off';
  readonly target: Target | 'host';
}

/** The clock of all measurements: monotonic and the same in every process of this machine. */
export function nowMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

/** /proc/uptime includes suspend and has a resolution of 10 ms. */
function uptimeMs(): number {
  return Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1000;
}

export class CommandLog {
  readonly #file: string;
  readonly #aheadMs = uptimeMs() - nowMs();

  constructor(file: string) {
    this.#file = file;
    writeFileSync(file, '');
    chmodSync(file, 0o666);
  }

  /** A script for sh that logs its start and then runs `rest`. */
  script(what: CommandRecord['what'], target: string, rest = ''): string {
    return `read -r up idle </proc/uptime\necho "$up ${what} ${target}" >>${this.#file}\n${rest}`;
  }

  /** Oldest first. */
  all(): readonly CommandRecord[] {
    const lines = readFileSync(this.#file, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => {
      const [at, what, target] = line.split(' ');
      return { atMs: Number(at) * 1000 - this.#aheadMs, what, target } as CommandRecord;
    });
  }
}
