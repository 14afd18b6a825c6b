// A machine from boot to boot: its tmpfs, the note in its database, its UPSes, and one daemon after the other.
import type { ShutdownRecord } from '../../shared/domain/outage/outage.js';
import { SimulatedJournals } from '../simulation/journals.js';
import type { Configuration } from '../../supervisor/config/configuration/configuration.js';
import { ShutdownEngine } from '../../supervisor/engine/engine.js';
import type { CommandOutcome } from '../../supervisor/host/run-command.js';
import type { StepOutcome } from '../../supervisor/sequence/outcome.js';
import { ShutdownNote } from '../../supervisor/history/shutdown-note.js';
import { ShutdownRecords } from '../../supervisor/history/shutdown-records.js';
import { FakeTime, settled } from '../fixtures/fake-time.js';
import { idleLog, idleObserver, idlePerformers } from '../fixtures/idle-parts.js';
import { configurationFrom } from './config/loading.js';
import { reading } from './policy/stream.js';

export class Boot {
  readonly time = new FakeTime();
  readonly journals = new SimulatedJournals(() => 'kept');
  snapshot: unknown = null;
  reserve: unknown = null;
  /** What the next boot reads; a restarted daemon keeps it, as storage does. */
  note: string | null = null;
  /** Every requested note, stored or not. */
  readonly asked: (string | null)[] = [];
  /** Every stored shutdown as far as it went, by its start. */
  readonly shutdowns = new Map<number, ShutdownRecord>();
  /** Storage does not answer. */
  away = false;
  /** Status flags of each UPS by groupId; with OB the battery is nearly empty. */
  readonly ups = new Map<string, string>();
  /** How the shutdown of a server ends. */
  remote: () => Promise<StepOutcome> = () => Promise.resolve({ kind: 'done' });
  /** Exit code of the command that powers the host off. */
  powerOffExits = 0;
}

export class Life {
  readonly note: ShutdownNote;
  readonly #shutdowns: ShutdownRecords;
  readonly #boot: Boot;
  readonly #decisions: ShutdownEngine;
  #alive = true;

  constructor(boot: Boot, toml: string) {
    this.#boot = boot;
    const journal = () => this.#decisions.journal;
    this.note = new ShutdownNote({
      storage: { request: (_name, params) => this.#keep((params as { sequence: string | null }).sequence) },
      clock: boot.time,
      run: 'run',
      journal,
      isOutageOver: (group) => this.#decisions.isOutageOver(group),
    });
    this.#shutdowns = new ShutdownRecords({
      storage: { request: (_name, params) => this.#keepShutdown(params as { shutdown: ShutdownRecord }) },
      clock: boot.time,
      log: idleLog,
      journal,
    });
    this.#decisions = new ShutdownEngine(configurationOf(toml), {
      clock: boot.time,
      log: idleLog,
      snapshot: {
        read: (): unknown => (boot.snapshot === null ? null : JSON.parse(JSON.stringify(boot.snapshot))),
        write: (policy) => {
          if (this.#alive) boot.snapshot = policy;
          return true;
        },
      },
      reserve: {
        read: (): unknown => (boot.reserve === null ? null : JSON.parse(JSON.stringify(boot.reserve))),
        write: (memory) => {
          if (this.#alive) boot.reserve = memory;
          return true;
        },
      },
      journals: boot.journals,
      run: (): Promise<CommandOutcome> =>
        Promise.resolve({ kind: 'exited', code: boot.powerOffExits, output: '' }),
      setTimer: (ms, then) => boot.time.setTimer(ms, () => this.#alive && then()),
      performers: () => ({ ...idlePerformers, remote: () => boot.remote() }),
      observer: idleObserver,
    });
  }

  reload(toml: string): void {
    this.#decisions.configure(configurationOf(toml));
  }

  /** Each UPS is read every second. */
  async pass(seconds: number): Promise<void> {
    for (let quarter = 0; quarter < seconds * 4; quarter += 1) {
      await this.#boot.time.pass(250);
      if (quarter % 4 === 0) await this.#poll();
      this.#decisions.tick();
      await settled();
      this.#shutdowns.tick();
      this.note.tick();
      await settled();
    }
  }

  kill(): void {
    this.#alive = false;
    this.#boot.journals.writerDied();
  }

  async #poll(): Promise<void> {
    const now = this.#boot.time.monotonicMs();
    for (const [groupId, words] of this.#boot.ups) {
      const chargePercent = words.includes('OB') ? 5 : 100;
      const outcome = reading(words, { chargePercent, runtimeSeconds: 3600 });
      this.#decisions.polled(groupId, { outcome, startedAt: now, endedAt: now });
      await settled();
    }
  }

  #keepShutdown({ shutdown }: { shutdown: ShutdownRecord }): Promise<never> {
    if (!this.#boot.away) this.#boot.shutdowns.set(shutdown.startedAt, shutdown);
    return Promise.resolve(this.#answer());
  }

  #keep(sequence: string | null): Promise<never> {
    const boot = this.#boot;
    boot.asked.push(sequence);
    if (!boot.away) boot.note = sequence;
    return Promise.resolve(this.#answer());
  }

  #answer(): never {
    const failed = { ok: false, error: { code: 'WORKER_GONE', message: '' } };
    return (this.#boot.away ? failed : { ok: true, value: {} }) as never;
  }
}

function configurationOf(toml: string): Configuration {
  return { ...configurationFrom(toml), inContainer: false };
}
