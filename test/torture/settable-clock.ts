// A private wall clock of one daemon, by libfaketime, that can be set by hours while the daemon runs. The clock of this
// machine and the monotonic clock do not change.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const library = 'libfaketimeMT.so.1';
/** A process reads the file at its first look after this time. */
const readEverySeconds = 1;
/** The library counts whole seconds, and reads the file when it is more than that many old. */
const oldForMs = (readEverySeconds + 1) * 1000;
/** Where scripts/test.sh unpacks tools without installing their packages. */
const tools = fileURLToPath(
  new URL('../../../node_modules/.cache/ridethrough-tools/usr/lib', import.meta.url),
);

/** The path of the library, or null. */
export function libfaketime(): string | null {
  const places = ['/usr/lib', tools].filter(existsSync).flatMap((root) => [
    join(root, 'faketime', library),
    ...readdirSync(root)
      .filter((name) => name.includes('-linux-gnu'))
      .map((name) => join(root, name, 'faketime', library)),
  ]);
  return places.find(existsSync) ?? null;
}

export class SettableClock {
  readonly #file: string;
  /** NAME=VALUE for every process that uses this clock. */
  readonly environment: readonly string[];

  constructor(directory: string, path: string) {
    this.#file = join(directory, 'clock');
    this.set(0);
    this.environment = [
      `LD_PRELOAD=${path}`,
      `FAKETIME_TIMESTAMP_FILE=${this.#file}`,
      `FAKETIME_CACHE_DURATION=${String(readEverySeconds)}`,
      'FAKETIME_DONT_FAKE_MONOTONIC=1',
      'DONT_FAKE_MONOTONIC=1',
      // A file keeps the time the kernel gave it.
      'NO_FAKE_STAT=1',
    ];
  }

  /** The environment of a daemon whose workers have this clock too. */
  get inherited(): NodeJS.ProcessEnv {
    const pairs = this.environment.map((pair) => pair.split(/=(.*)/s).slice(0, 2));
    const loaded = fileURLToPath(new URL('../hold/inherited-clock.js', import.meta.url));
    return { ...(Object.fromEntries(pairs) as NodeJS.ProcessEnv), NODE_OPTIONS: `--import=${loaded}` };
  }

  /** Hours ahead of the real time; negative: behind. */
  set(hours: number): void {
    writeFileSync(this.#file, `${hours < 0 ? '' : '+'}${String(hours)}h\n`, { mode: 0o644 });
  }

  /** Sets it; settles when every process has the new time at its next look. */
  async setEverywhere(hours: number): Promise<void> {
    this.set(hours);
    await sleep(oldForMs + 100);
  }
}
