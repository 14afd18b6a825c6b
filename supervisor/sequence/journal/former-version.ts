// The journals of version 0.1.0: one for each sequence and one for the power-off. Turns them into the entries of today, so
// that an upgrade in the middle of a shutdown continues it. Reads only.
import * as t from 'io-ts';
import { decode } from '../../../shared/domain/decode.js';
import { finite } from '../../../shared/domain/units.js';

/** A journal as read: its first line and the others. Untrusted data. */
export interface FormerJournal {
  readonly header: unknown;
  readonly records: readonly unknown[];
}

const SequenceHeader = t.type({
  kind: t.literal('sequence'),
  group: t.string,
  /** Sequences that ran side by side have the same. */
  company: t.string,
  startedMs: finite,
  startedUnixSeconds: finite,
  cause: t.unknown,
  plan: t.unknown,
});
const PowerOffHeader = t.type({ kind: t.literal('powerOff'), company: t.string, step: t.unknown });
const Record = t.intersection([t.type({ kind: t.string }), t.partial({ atMs: finite, group: t.string })]);

interface Timed {
  readonly atMs: number;
  readonly line: unknown;
}

/** Lines as `Entry` reads them, in the order of their times. */
export function entriesOfFormerVersion(journals: readonly FormerJournal[]): readonly unknown[] {
  const sequences = journals.flatMap(({ header, records }) => {
    const decoded = decode(SequenceHeader, header);
    return decoded.ok ? [{ header: decoded.value, records: readable(records) }] : [];
  });
  const [powerOff] = journals.flatMap(({ header, records }) => {
    const decoded = decode(PowerOffHeader, header);
    return decoded.ok ? [{ header: decoded.value, records: readable(records) }] : [];
  });
  const open = sequences.find(({ records }) => !records.some(({ kind }) => kind === 'over'));
  const company = open?.header.company ?? powerOff?.header.company;
  const lines = sequences
    .flatMap(({ header, records }): readonly Timed[] => {
      const { group, cause, plan, startedMs: atMs, startedUnixSeconds: unixSeconds } = header;
      const decided = { kind: 'decided', group, cause, plan, atMs, unixSeconds };
      return [
        { atMs, line: decided },
        ...records.map((record) => ({ atMs: record.atMs ?? atMs, line: { ...record, group } })),
      ];
    })
    .toSorted((a, b) => a.atMs - b.atMs);
  const isMeant = powerOff?.header.company === company && !powerOff?.records.some(isSuperseded);
  return [
    ...lines.map(({ line }) => line),
    ...(powerOff !== undefined && isMeant ? powerOff.records.map(powerOffLine(powerOff.header.step)) : []),
  ];
}

const isSuperseded = ({ kind }: { readonly kind: string }): boolean => kind === 'gaveWay';

const powerOffLine =
  (step: unknown) =>
  (record: t.TypeOf<typeof Record>): unknown =>
    record.kind === 'asked' ? { kind: 'powerOffAsked', group: record.group, step } : record;

function readable(records: readonly unknown[]): readonly t.TypeOf<typeof Record>[] {
  return records.flatMap((record) => {
    const decoded = decode(Record, record);
    return decoded.ok ? [decoded.value] : [];
  });
}
