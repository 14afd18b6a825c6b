// The records of journals as codecs: a restart reads journals as untrusted data. One journal for each sequence, one for the
// power-off. Times in `Ms` are of the monotonic clock and valid only on the boot of the journal.
import * as t from 'io-ts';
import { Plan, PlanStep } from '../../../shared/domain/plan.js';
import { SequenceCause } from '../../../shared/domain/states.js';
import { finite, integerFrom, oneOf, textUpTo } from '../../../shared/domain/units.js';

const text = textUpTo(16_384);
const name = textUpTo(4_096);
const record = <P extends t.Props>(props: P) => t.readonly(t.type(props));

export const Outcome = t.union([
  t.readonly(t.intersection([t.type({ kind: t.literal('done') }), t.partial({ detail: text })])),
  record({ kind: t.literal('skipped'), reason: text }),
  t.readonly(
    t.intersection([
      t.type({
        kind: t.literal('failed'),
        how: oneOf('failed', 'unreachable', 'timeout'),
        reason: text,
      }),
      t.partial({ neverSent: t.boolean }),
    ]),
  ),
]);

/** The cause of a sequence. Trigger and time are those in policy's state; together they identify the outage. */
export const Cause = record({ trigger: SequenceCause, why: text, firedAtUnixSeconds: finite });
export type Cause = t.TypeOf<typeof Cause>;

export const SequenceHeader = record({
  kind: t.literal('sequence'),
  group: name,
  cause: Cause,
  /** The id of the concurrent shutdown: its sequences share the power-off and shut down no server twice. */
  company: name,
  plan: Plan,
  startedMs: finite,
  startedUnixSeconds: finite,
});
export type SequenceHeader = t.TypeOf<typeof SequenceHeader>;

const moment = { atMs: finite, unixSeconds: finite };

export const SequenceRecord = t.union([
  record({ kind: t.literal('stepBegan'), step: name, ...moment }),
  record({ kind: t.literal('stepEnded'), step: name, outcome: Outcome, ...moment }),
  record({ kind: t.literal('phaseEnded'), phase: name, ...moment }),
  /** `cancelled` is the reason; null: every phase has ended. */
  record({ kind: t.literal('over'), cancelled: t.union([text, t.null]), ...moment }),
]);
export type SequenceRecord = t.TypeOf<typeof SequenceRecord>;

export const PowerOffHeader = record({
  kind: t.literal('powerOff'),
  company: name,
  /** From the plan of the first group that requested it. */
  step: PlanStep,
});
export type PowerOffHeader = t.TypeOf<typeof PowerOffHeader>;

const tries = integerFrom(1, Number.MAX_SAFE_INTEGER);

export const PowerOffRecord = t.union([
  record({ kind: t.literal('asked'), group: name }),
  record({ kind: t.literal('tryBegan'), number: tries }),
  record({ kind: t.literal('tryEnded'), number: tries, outcome: Outcome }),
  /** Power is back: there are no more attempts. */
  record({ kind: t.literal('givenUp') }),
  /** Superseded by the power-off of another outage: recovery ignores this journal. */
  record({ kind: t.literal('gaveWay') }),
]);
export type PowerOffRecord = t.TypeOf<typeof PowerOffRecord>;

export type JournalHeader = SequenceHeader | PowerOffHeader;
export type JournalRecord = SequenceRecord | PowerOffRecord;
