// One daemon with an API for several tests, until one of them ends or harms it. Each test has an API key of its own, by
// which its rows are told from those of the others.
import { join } from 'node:path';
import { Database } from '../../../workers/storage/database.js';
import { addApiKey } from '../../fixtures/auth-database.js';
import type { WholeDaemon } from '../api/whole-daemon.js';
import { startApiDaemon } from '../api/whole-daemon.js';

export interface Row {
  readonly id: number;
  readonly ts: number;
  readonly source: string;
  readonly eventType: string;
  readonly detail: string;
}

export class SharedDaemon {
  whole!: WholeDaemon;
  /** The label of the test's key. */
  label = '';
  key = '';
  #tests = 0;
  #isRunning = false;
  #isSpent = false;

  /** Before each test. */
  async begin(): Promise<void> {
    if (!this.#isRunning) this.whole = await startApiDaemon();
    this.#isRunning = true;
    this.#isSpent = false;
    this.#tests += 1;
    this.label = `key-${String(this.#tests).padStart(2, '0')}`;
    this.key = await addApiKey(join(this.whole.daemon.directory, 'lib/auth.db'), this.label);
  }

  /** The next test gets another daemon. */
  spend(): void {
    this.#isSpent = true;
  }

  /** After each test. */
  async endTest(failed: boolean): Promise<void> {
    if (this.#isSpent || failed) await this.stop();
  }

  async stop(): Promise<void> {
    if (this.#isRunning) await this.whole.stop();
    this.#isRunning = false;
  }

  /** The audit rows of the history, oldest first, after this daemon has ended in order. */
  async rowsAfterTheEnd(): Promise<readonly Row[]> {
    this.spend();
    const { daemon } = this.whole;
    daemon.signal('SIGTERM');
    await daemon.exited;
    const database = await Database.open(join(daemon.directory, 'lib/ridethrough.db'));
    const all = `SELECT id, ts, source, type AS eventType, detail FROM events WHERE category = 'audit' ORDER BY id`;
    try {
      return await database.all<Row>(all);
    } finally {
      await database.close();
    }
  }
}
