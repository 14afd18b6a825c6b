// The timers of hooks in a small file on tmpfs: a restarted daemon of the same boot continues them.
import * as t from 'io-ts';
import { decode } from '../../shared/domain/base/decode.js';
import type { BootFileOptions } from '../host/boot-file.js';
import { BootFile } from '../host/boot-file.js';
import { HookTimer, maxTimers } from './timers.js';

export interface TimerStore {
  read(): readonly HookTimer[];
  /** False when it failed. */
  write(timers: readonly HookTimer[]): boolean;
}

export function timerFile(place: Pick<BootFileOptions, 'path' | 'bootId' | 'log'>): TimerStore {
  const file = new BootFile({
    ...place,
    field: 'timers',
    // 5,000 timers with long details.
    maxBytes: 32 * 1_048_576,
    words: {
      name: 'file of hook timers',
      unread: 'starting without it; timers of hooks that ran are forgotten',
      unwritten: 'a restart of the daemon would forget the timers of hooks that run',
    },
  });
  return {
    read: () => {
      const found = decode(t.array(HookTimer), file.read() ?? []);
      return found.ok ? found.value.slice(0, maxTimers) : [];
    },
    write: (timers) => file.write(timers),
  };
}
