// Summarizes the progress in the records of a journal. Reads only.
import type * as t from 'io-ts';
import { decode } from '../../../shared/domain/decode.js';
import { unreachable } from '../../../shared/domain/unreachable.js';
import type { FoundJournal } from './journal.js';
import { PowerOffHeader, PowerOffRecord, SequenceHeader, SequenceRecord } from './record.js';
import type { StepOutcome } from '../outcome.js';

export interface StepHistory {
  readonly beganMs: number;
  readonly beganUnixSeconds: number;
  /** Null: the journal has no end of the step. */
  readonly ended: {
    readonly outcome: StepOutcome;
    readonly atMs: number;
    readonly unixSeconds: number;
  } | null;
}

export interface SequenceHistory {
  readonly found: FoundJournal;
  readonly header: SequenceHeader;
  readonly steps: ReadonlyMap<string, StepHistory>;
  readonly phasesEnded: ReadonlySet<string>;
  /** Null while it runs; `cancelled` is the reason of a cancellation. */
  readonly over: { readonly cancelled: string | null } | null;
}

export interface PowerOffHistory {
  readonly found: FoundJournal;
  readonly header: PowerOffHeader;
  readonly requestedBy: ReadonlySet<string>;
  readonly tries: number;
  /** The end of the last attempt; null: the journal has none. */
  readonly last: StepOutcome | null;
  readonly abandoned: boolean;
}

/** Undefined when it is not the journal of a sequence. Ignores a record that cannot be decoded. */
export function sequenceHistory(found: FoundJournal): SequenceHistory | undefined {
  const header = decode(SequenceHeader, found.header);
  // A header that contradicts itself is damaged, and its plan may be too.
  if (!header.ok || header.value.plan.group !== header.value.group) return undefined;
  const steps = new Map<string, StepHistory>();
  const phasesEnded = new Set<string>();
  let over: SequenceHistory['over'] = null;
  for (const record of readable(SequenceRecord, found.records)) {
    switch (record.kind) {
      case 'stepBegan':
        steps.set(record.step, {
          // A step that started again after a restart keeps its first start: the budget counts from there.
          beganMs: steps.get(record.step)?.beganMs ?? record.atMs,
          beganUnixSeconds: steps.get(record.step)?.beganUnixSeconds ?? record.unixSeconds,
          ended: null,
        });
        break;
      case 'stepEnded': {
        const { outcome, atMs, unixSeconds } = record;
        const ended = { outcome, atMs, unixSeconds };
        const began = steps.get(record.step);
        steps.set(record.step, {
          beganMs: began?.beganMs ?? record.atMs,
          beganUnixSeconds: began?.beganUnixSeconds ?? record.unixSeconds,
          ended,
        });
        break;
      }
      case 'phaseEnded':
        phasesEnded.add(record.phase);
        break;
      case 'over':
        over = { cancelled: record.cancelled };
        break;
      default:
        unreachable(record);
    }
  }
  return { found, header: header.value, steps, phasesEnded, over };
}

/** Past the point of no return: the journal has the start of a destructive step (specification/sequence.md#cancelling). */
export function isCommitted({ header, steps }: Pick<SequenceHistory, 'header' | 'steps'>): boolean {
  return header.plan.phases.some((phase) =>
    phase.steps.some(({ id, destructive }) => destructive && steps.has(id)),
  );
}

export function progressOf({ header, steps }: Pick<SequenceHistory, 'header' | 'steps'>): string {
  const all = header.plan.phases.flatMap((phase) => phase.steps);
  const ended = [...steps.values()].filter((step) => step.ended !== null).length;
  return `${String(ended)} of ${String(all.length)} steps had ended`;
}

/** Undefined when it is not the journal of a power-off, or of one that was superseded. */
export function powerOffHistory(found: FoundJournal): PowerOffHistory | undefined {
  const header = decode(PowerOffHeader, found.header);
  if (!header.ok) return undefined;
  const requestedBy = new Set<string>();
  let tries = 0;
  let last: StepOutcome | null = null;
  let abandoned = false;
  for (const record of readable(PowerOffRecord, found.records)) {
    switch (record.kind) {
      case 'asked':
        requestedBy.add(record.group);
        break;
      case 'tryBegan':
        tries = record.number;
        last = null;
        break;
      case 'tryEnded':
        tries = record.number;
        last = record.outcome;
        break;
      case 'givenUp':
        abandoned = true;
        break;
      case 'gaveWay':
        return undefined;
      default:
        unreachable(record);
    }
  }
  return { found, header: header.value, requestedBy, tries, last, abandoned };
}

function readable<A>(codec: t.Type<A>, records: readonly unknown[]): readonly A[] {
  return records.flatMap((record) => {
    const decoded = decode(codec, record);
    return decoded.ok ? [decoded.value] : [];
  });
}
