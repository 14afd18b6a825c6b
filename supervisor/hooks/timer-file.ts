// The timers of hooks in a small file on tmpfs: a restarted daemon of the same boot continues them. Never throws; without the file
// only a restart forgets them.
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import * as t from 'io-ts';
import { decode } from '../../shared/domain/decode.js';
import { errorMessage } from '../../shared/domain/error-message.js';
import type { Logger } from '../../shared/runtime/log.js';
import { HookTimer, maxTimers } from './timers.js';

/** 5,000 timers with long details. */
const maxBytes = 32 * 1_048_576;

const Content = t.type({ bootId: t.string, timers: t.array(HookTimer) });

export interface TimerStore {
  read(): readonly HookTimer[];
  /** False when it failed. */
  write(timers: readonly HookTimer[]): boolean;
}

export class TimerFile implements TimerStore {
  readonly #path: string;
  readonly #bootId: string;
  readonly #log: Logger;
  #failed = false;

  constructor(path: string, bootId: string, log: Logger) {
    this.#path = path;
    this.#bootId = bootId;
    this.#log = log;
  }

  read(): readonly HookTimer[] {
    try {
      const about = statSync(this.#path);
      // A read of a FIFO would block.
      if (!about.isFile() || about.size > maxBytes) return [];
      const found = decode(Content, JSON.parse(readFileSync(this.#path, 'utf8')));
      // Another boot has another clock.
      if (!found.ok || found.value.bootId !== this.#bootId) return [];
      return found.value.timers.slice(0, maxTimers);
    } catch {
      // No file, or none of ours.
      return [];
    }
  }

  write(timers: readonly HookTimer[]): boolean {
    try {
      const next = `${this.#path}.next`;
      writeFileSync(next, JSON.stringify({ bootId: this.#bootId, timers }), { mode: 0o600 });
      renameSync(next, this.#path);
      this.#failed = false;
    } catch (error) {
      if (!this.#failed)
        this.#log.warning(
          `the timers of hooks cannot be written (${errorMessage(error)}): a restart of the daemon would forget them; free space in the runtime directory`,
        );
      this.#failed = true;
    }
    return !this.#failed;
  }
}
