// Daemons that follow each other on one boot, with what they leave on tmpfs.
import { SimulatedJournals } from '../../../simulation/journals.js';
import type { Configuration } from '../../../../supervisor/config/configuration/configuration.js';
import { ShutdownEngine } from '../../../../supervisor/engine/engine.js';
import type { CommandOutcome } from '../../../../supervisor/host/run-command.js';
import type { JournalEntry } from '../../../../supervisor/sequence/journal/entries.js';
import { FakeTime, settled } from '../../../fixtures/fake-time.js';
import { idleLog, idleObserver, idlePerformers } from '../../../fixtures/idle-parts.js';
import { configurationFrom, office } from '../../config/loading.js';
import { reading } from '../../policy/stream.js';

const group = 'office-127.0.0.1-3493';
const configuration: Configuration = {
  ...configurationFrom(
    `${office}is_local = true\ncheck_interval = 1\nvalue_hold = 0\n` +
      '[triggers]\non_battery_stabilization_delay = 0\nconfirmations = 1\n[local_shutdown]\ncommand = ["off"]\n',
  ),
  inContainer: false,
};

/** The files on tmpfs, which outlive each daemon (`Life`). */
export class Boot {
  readonly time = new FakeTime();
  full = false;
  readonly journals = new SimulatedJournals(() => (this.full ? 'torn' : 'kept'));
  snapshot: unknown = null;
  reserve: unknown = null;
  readonly ran: string[] = [];

  get records(): readonly JournalEntry['kind'][] {
    return this.journals.read().map((entry) => (entry as JournalEntry).kind);
  }
}

export class Life {
  readonly events: string[] = [];
  readonly #boot: Boot;
  readonly #decisions: ShutdownEngine;
  #alive = true;

  /** `hangs`: commands that do not end. */
  constructor(boot: Boot, hangs: readonly string[] = []) {
    this.#boot = boot;
    const run = (command: readonly string[]): Promise<CommandOutcome> => {
      boot.ran.push(command[0] ?? '');
      if (hangs.includes(command[0] ?? '')) return new Promise(() => undefined);
      return Promise.resolve({ kind: 'exited', code: 0, output: '' });
    };
    this.#decisions = new ShutdownEngine(configuration, {
      clock: boot.time,
      log: idleLog,
      snapshot: {
        read: (): unknown => (boot.snapshot === null ? null : JSON.parse(JSON.stringify(boot.snapshot))),
        write: (policy) => {
          if (boot.full) return false;
          if (this.#alive) boot.snapshot = policy;
          return true;
        },
      },
      reserve: {
        read: (): unknown => (boot.reserve === null ? null : JSON.parse(JSON.stringify(boot.reserve))),
        write: (memory) => {
          if (boot.full) return false;
          if (this.#alive) boot.reserve = memory;
          return true;
        },
      },
      journals: boot.journals,
      run,
      setTimer: (ms, then) => boot.time.setTimer(ms, () => this.#alive && then()),
      performers: () => ({
        ...idlePerformers,
        sync: async () => (await run(['sync']), { kind: 'done' }),
      }),
      observer: {
        ...idleObserver,
        record: ({ type }) => this.events.push(type),
      },
    });
  }

  async read(words: string, chargePercent: number): Promise<void> {
    const now = this.#boot.time.monotonicMs();
    const outcome = reading(words, { chargePercent, runtimeSeconds: 3600 });
    this.#decisions.polled(group, { outcome, startedAt: now, endedAt: now });
    await settled();
  }

  async pass(seconds: number): Promise<void> {
    for (let at = 0; at < seconds; at += 0.25) {
      await this.#boot.time.pass(250);
      this.#decisions.tick();
      await settled();
    }
  }

  stop(): void {
    this.#decisions.stop();
  }

  kill(): void {
    this.#alive = false;
    this.#boot.journals.writerDied();
  }
}
