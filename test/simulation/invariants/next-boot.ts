// "The next boot reports what was done, once."
import type { Invariant } from './invariant.js';

const rule = 'another boot hears what had been done, once';

export const nextBoot: Invariant = (facts) => {
  const { journalsStay } = facts.world.site.plant;
  /** When steps last began on this boot, with room on the disk for the record; null: none has, or their record is gone. */
  let begunMs: number | null = null;
  /** They did on the boot before, and its journals stayed. */
  let isToBeTold = false;
  return {
    began() {
      if (!facts.world.tmpfs.full) begunMs = facts.nowMs;
    },
    /** Without a running sequence its journal replaces the previous one; its first step has already begun. Before the record has it. */
    recorded({ type }) {
      const isNew = type === 'SHUTDOWN_TRIGGERED' && facts.sequences.running.length === 0;
      if (isNew && begunMs !== facts.nowMs) begunMs = null;
    },
    lost({ kind }) {
      if (kind === 'journals') begunMs = null;
    },
    hostDown() {
      isToBeTold = begunMs !== null && journalsStay;
      begunMs = null;
    },
    /** A daemon has started. */
    recovered(done) {
      if (done === null && isToBeTold) facts.violated(rule, 'nothing was told');
      if (done !== null && !journalsStay) facts.violated(rule, done);
      isToBeTold = false;
    },
  };
};
