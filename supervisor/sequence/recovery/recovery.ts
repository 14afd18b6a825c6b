// What the daemons before this one left unfinished on this boot, from two accounts of it: the snapshot knows which
// sequences were asked for and not ended, the journals know how far each has come.
import { cutTo } from '../../../shared/domain/cut.js';
import { longestAccount } from '../../../shared/protocol/storage.js';
import type { OpenSequence } from './open-sequences.js';
import { openSequences } from '../../policy/snapshot.js';
import type { PolicyState } from '../../policy/state.js';
import type { PowerOffHistory, SequenceHistory } from '../journal/summary.js';
import { powerOffHistory, sequenceHistory } from '../journal/summary.js';
import type { JournalStore } from '../journal/journal.js';

export interface Unfinished {
  readonly open: readonly OpenSequence[];
  /** Those of `open` that only a journal knows: policy is to be told that the group has fired. */
  readonly unknownToPolicy: readonly OpenSequence[];
  /** Policy waits for the end of these, which is in the journal already. */
  readonly over: readonly { readonly group: string; readonly cancelled: boolean }[];
  readonly histories: readonly SequenceHistory[];
  readonly powerOff: PowerOffHistory | undefined;
}

/** A journal of another outage than the one policy remembers says nothing of it. */
export function unfinished(journals: Pick<JournalStore, 'read'>, state: PolicyState): Unfinished {
  const found = journals.read();
  const histories = found.flatMap((one) => sequenceHistory(one) ?? []);
  const [powerOff] = found.flatMap((one) => powerOffHistory(one) ?? []);
  const asked = openSequences(state).map(({ group, trigger, why, sinceUnixSeconds }) => {
    const cause = { trigger, why, firedAtUnixSeconds: sinceUnixSeconds };
    const history = histories.find(
      ({ header }) => header.group === group && header.cause.firedAtUnixSeconds === sinceUnixSeconds,
    );
    return { group, cause, history: history ?? null };
  });
  const unknownToPolicy = histories
    .filter(({ over, header }) => over === null && !asked.some(({ group }) => group === header.group))
    .map((history) => ({ group: history.header.group, cause: history.header.cause, history }));
  return {
    open: [...asked.filter(({ history }) => (history?.over ?? null) === null), ...unknownToPolicy],
    unknownToPolicy,
    over: asked.flatMap(({ group, history }) => {
      const over = history?.over ?? null;
      return over === null ? [] : [{ group, cancelled: over.cancelled !== null }];
    }),
    histories,
    powerOff,
  };
}

/**
 * What had been done on another boot, in words: that outage is over.
 * A later sequence of the same group that was called off has the place of the one before it: then the power-off tells of it.
 */
export function previousShutdown(journals: Pick<JournalStore, 'readForeign'>): string | undefined {
  const found = journals.readForeign();
  return summarize(
    found.flatMap((one) => sequenceHistory(one) ?? []),
    found.flatMap((one) => powerOffHistory(one) ?? []),
  );
}

/** What was done, in words. Undefined when nothing was; a rehearsal does nothing. */
export function summarize(
  sequences: readonly SequenceHistory[],
  powerOffs: readonly PowerOffHistory[],
): string | undefined {
  const done = sequences
    .filter(({ header, steps }) => !header.plan.dryRun && steps.size > 0)
    .map(({ header, steps }) => {
      const ends = [...steps].map(([id, { ended }]) => `${id} ${ended?.outcome.kind ?? 'running'}`);
      return `${header.group}: ${ends.join(', ')}`;
    });
  const tried = powerOffs
    .filter(({ tries }) => tries > 0)
    .map(({ last }) => `power-off of this host ${last?.kind ?? 'running'}`);
  const told = done.length > 0 ? done : tried;
  return told.length === 0 ? undefined : cutTo(told.join('; '), longestAccount);
}
