// Finds the sequences that previous daemons left unfinished on this boot. The snapshot has the requested sequences that have
// not ended; the journals have the progress of each. Reads only.
import { truncate } from '../../../shared/domain/truncate.js';
import { maxSummaryLength } from '../../../shared/protocol/storage.js';
import type { OpenSequence } from './open-sequences.js';
import { openSequences } from '../../policy/snapshot.js';
import type { PolicyState } from '../../policy/state.js';
import type { PowerOffHistory, SequenceHistory } from '../journal/history.js';
import { powerOffHistory, sequenceHistory } from '../journal/history.js';
import type { JournalStore } from '../journal/journal.js';

export interface Unfinished {
  readonly open: readonly OpenSequence[];
  /** Those of `open` that only a journal contains: policy must record that the group has fired. */
  readonly unknownToPolicy: readonly OpenSequence[];
  /** Policy waits for the end of these, and their journals already contain it. */
  readonly over: readonly { readonly group: string; readonly cancelled: boolean }[];
  readonly histories: readonly SequenceHistory[];
  readonly powerOff: PowerOffHistory | undefined;
}

/**
 * A journal belongs to a request in policy's state if the time of the decision is the same. A journal that began after
 * `takenMs`, when that state was saved, is of a later decision and replaces the request.
 */
export function findUnfinished(
  journals: Pick<JournalStore, 'read'>,
  state: PolicyState,
  takenMs = Infinity,
): Unfinished {
  const found = journals.read();
  const histories = found.flatMap((journal) => sequenceHistory(journal) ?? []);
  const [powerOff] = found.flatMap((journal) => powerOffHistory(journal) ?? []);
  const requested = openSequences(state).map(({ group, trigger, why, sinceUnixSeconds }) => {
    const cause = { trigger, why, firedAtUnixSeconds: sinceUnixSeconds };
    const history = histories.find(
      ({ header }) =>
        header.group === group &&
        (header.cause.firedAtUnixSeconds === sinceUnixSeconds || header.startedMs > takenMs),
    );
    return { group, cause: history?.header.cause ?? cause, history: history ?? null };
  });
  const unknownToPolicy = histories
    .filter(({ over, header }) => over === null && !requested.some(({ group }) => group === header.group))
    .map((history) => ({ group: history.header.group, cause: history.header.cause, history }));
  return {
    open: [...requested.filter(({ history }) => (history?.over ?? null) === null), ...unknownToPolicy],
    unknownToPolicy,
    over: requested.flatMap(({ group, history }) => {
      const over = history?.over ?? null;
      return over === null ? [] : [{ group, cancelled: over.cancelled !== null }];
    }),
    histories,
    powerOff,
  };
}

/**
 * The shutdown of another boot, in words; that outage is over. The journal of a later, cancelled sequence replaces the one
 * before it; the journal of the power-off then still shows the shutdown.
 */
export function previousShutdown(journals: Pick<JournalStore, 'readPreviousBoots'>): string | undefined {
  const found = journals.readPreviousBoots();
  return summarize(
    found.flatMap((journal) => sequenceHistory(journal) ?? []),
    found.flatMap((journal) => powerOffHistory(journal) ?? []),
  );
}

/** The work of a sequence, in words. Undefined without any; a dry run does nothing. */
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
  const parts = done.length > 0 ? done : tried;
  return parts.length === 0 ? undefined : truncate(parts.join('; '), maxSummaryLength);
}
