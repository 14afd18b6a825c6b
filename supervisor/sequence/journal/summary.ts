// The work of a shutdown in words, for the next boot and for a resumed sequence.
import { listNames } from '../../../shared/domain/base/list-names.js';
import { truncate } from '../../../shared/domain/base/truncate.js';
import { maxSummaryLength } from '../../../shared/protocol/storage.js';
import type { GroupRecord } from './fold.js';
import type { PowerOffRecord, RestartRecord } from './power-off-record.js';
import { stepsOf } from './fold.js';
import type { JournalStore } from './journal.js';
import { entriesOf, foldOf } from './record.js';

export function progressOf({ plan, steps }: Pick<GroupRecord, 'plan' | 'steps'>): string {
  const ended = [...steps.values()].filter((step) => step.ended !== null).length;
  return `${String(ended)} of ${String(stepsOf(plan).length)} steps had ended`;
}

/** The shutdown of another boot, in words; that outage is over. */
export function previousShutdown(journals: Pick<JournalStore, 'readPreviousBoots'>): string | undefined {
  const folds = journals.readPreviousBoots().map((lines) => foldOf(entriesOf(lines)));
  return summarize(
    folds.flatMap(({ groups }) => [...groups.values()]),
    folds.map(({ powerOff }) => powerOff),
    folds.flatMap(({ restart }) => restart ?? []),
  );
}

/**
 * The work of sequences, in words. Undefined without any; a dry run does nothing. A later, cancelled sequence may have
 * replaced the one before it; the attempts of the power-off then still show the shutdown.
 */
export function summarize(
  groups: readonly GroupRecord[],
  powerOffs: readonly PowerOffRecord[],
  restarts: readonly RestartRecord[] = [],
): string | undefined {
  const done = groups
    .filter(({ plan, steps }) => !plan.dryRun && steps.size > 0)
    .map(({ group, plan, steps, found }) => {
      // A try without a result is part of every plan with servers.
      const all = stepsOf(plan);
      const tries = new Set(all.flatMap(({ id, action }) => (action.kind === 'commandAgain' ? [id] : [])));
      const ends = [...steps].flatMap(([id, { ended }]) => {
        const kind = ended?.outcome.kind ?? 'running';
        return tries.has(id) && kind !== 'done' ? [] : [`${id} ${kind}`];
      });
      const names = [...found.values()].flatMap((of) => [...of.values()].map(({ guest }) => guest.name));
      const stopped = names.length === 0 ? '' : `; stopped: ${listNames([...new Set(names)])}`;
      return `${group}: ${ends.join(', ')}${stopped}`;
    });
  const tried = powerOffs
    .filter(({ attempts }) => attempts > 0)
    .map(({ last }) => `power-off of this host ${last?.kind ?? 'running'}`);
  const restarted = restarts.map(
    ({ outcome }) => `restart of this host in place of its power-off ${outcome?.kind ?? 'running'}`,
  );
  const parts = [...(done.length > 0 ? done : tried), ...restarted];
  return parts.length === 0 ? undefined : truncate(parts.join('; '), maxSummaryLength);
}
