// "No finished step runs again after a crash; no server is commanded twice at the same time."
import type { Invariant } from './invariant.js';
import { keyOf } from './step-record.js';

/** Each sequence has its own of these; the power-off has tries. */
const ofEach = new Set(['wall', 'awaitOff', 'commandAgain', 'poweroffDelegate']);

export const repetition: Invariant = (facts) => {
  /** A sync that ran when its sequence was cancelled: the next one has its own beside it (specification/sequence.md#cancelling). */
  const leftBehind = new WeakSet();
  return {
    /** Before the record has it. A new outage repeats what ended, and so does an output that was not cut. */
    began(step) {
      const { action, id } = step;
      const key = keyOf(step);
      const before = facts.steps.of(key);
      if (before === undefined || before.mayRunAgain || ofEach.has(action.kind) || id.endsWith('/wall'))
        return;
      if (action.kind === 'upsOutputOff' && before.outcome?.kind !== 'done') return;
      facts.atEnd(() => {
        if (before.endedMs === null && !leftBehind.has(before.by))
          facts.violated('nothing is commanded twice at the same time', key);
        else if (before.endedMs !== null && facts.starts.length === 0)
          facts.violated('no finished step runs again', key);
      });
    },
    recorded({ type, source }) {
      if (type !== 'SHUTDOWN_CANCELLED' || !facts.isLocal(source)) return;
      for (const { step, by } of facts.steps.running) if (step?.destructive === false) leftBehind.add(by);
    },
  };
};
