// "No finished step runs again after a crash; no server is commanded twice at the same time."
import type { Invariant } from './invariant.js';
import { keyOf } from './step-record.js';

/** Each sequence has its own of these; the power-off has tries. */
const ofEach = new Set(['wall', 'awaitOff', 'commandAgain', 'poweroffDelegate']);

export const repetition: Invariant = (facts) => ({
  /** Before the record has it. A new outage repeats what ended, and so does an output that was not cut. */
  began(step) {
    const { action, id } = step;
    const key = keyOf(step);
    const before = facts.steps.of(key);
    if (before === undefined || before.mayRunAgain || ofEach.has(action.kind) || id.endsWith('/wall')) return;
    if (action.kind === 'upsOutputOff' && before.outcome?.kind !== 'done') return;
    facts.atEnd(() => {
      if (before.endedMs === null) facts.violated('nothing is commanded twice at the same time', key);
      else if (facts.starts.length === 0) facts.violated('no finished step runs again', key);
    });
  },
});
