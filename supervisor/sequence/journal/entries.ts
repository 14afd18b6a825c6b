// The entries of the journal as codecs: a restart reads them as untrusted data. Times in `Ms` are of the monotonic clock and
// valid only on the boot of the journal.
import * as t from 'io-ts';
import { Plan, PlanStep } from '../../../shared/domain/outage/plan.js';
import { SequenceCause } from '../../../shared/domain/status/states.js';
import { StoppedGuests } from '../../../shared/domain/recovery/guest.js';
import { finite, integerFrom, oneOf, textUpTo } from '../../../shared/domain/base/units.js';

const text = textUpTo(16_384);
const name = textUpTo(4_096);
const record = <P extends t.Props>(props: P) => t.readonly(t.type(props));

const Outcome = t.union([
  t.readonly(t.intersection([t.type({ kind: t.literal('done') }), t.partial({ detail: text })])),
  t.readonly(
    t.intersection([
      t.type({ kind: t.literal('skipped'), reason: text }),
      t.partial({ cutsLater: t.boolean }),
    ]),
  ),
  t.readonly(
    t.intersection([
      t.type({
        kind: t.literal('failed'),
        how: oneOf('failed', 'unreachable', 'timeout'),
        reason: text,
      }),
      t.partial({ neverSent: t.boolean, maybeSent: t.boolean }),
    ]),
  ),
]);

/** The cause of a sequence. Trigger and time are those in policy's state; together they identify the outage. */
const Cause = record({ trigger: SequenceCause, why: text, firedAtUnixSeconds: finite });
export type Cause = t.TypeOf<typeof Cause>;

const attempts = integerFrom(1, Number.MAX_SAFE_INTEGER);
const ofGroup = { group: name, atMs: finite, unixSeconds: finite };

export const JournalEntry = t.union([
  /** The shutdown of a group is decided: its sequence begins, with this plan. */
  record({ kind: t.literal('decided'), cause: Cause, plan: Plan, ...ofGroup }),
  record({ kind: t.literal('stepBegan'), step: name, ...ofGroup }),
  record({ kind: t.literal('stepEnded'), step: name, outcome: Outcome, ...ofGroup }),
  /** The step has found these running, and is about to stop them. */
  record({ kind: t.literal('found'), step: name, guests: StoppedGuests, ...ofGroup }),
  record({ kind: t.literal('phaseEnded'), phase: name, ...ofGroup }),
  /** `cancelled` is the reason; null: every phase has ended. */
  record({ kind: t.literal('over'), cancelled: t.union([text, t.null]), ...ofGroup }),
  /** The sequence of the group is at the power-off of this host, which all groups share. */
  record({ kind: t.literal('powerOffAsked'), step: PlanStep, group: name }),
  record({ kind: t.literal('tryBegan'), number: attempts }),
  record({ kind: t.literal('tryEnded'), number: attempts, outcome: Outcome }),
  /** Power is back: there are no more attempts. */
  record({ kind: t.literal('givenUp') }),
  /** Power is back: this host restarts in place of the power-off. Written before its command; `number` counts those in the record. */
  record({ kind: t.literal('restartChosen'), number: attempts, atMs: finite }),
  record({ kind: t.literal('restartEnded'), outcome: Outcome }),
]);
export type JournalEntry = t.TypeOf<typeof JournalEntry>;

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** What one sequence writes; the record adds its group and the time. */
export type SequenceEntry = DistributiveOmit<
  Extract<JournalEntry, { kind: 'stepBegan' | 'stepEnded' | 'phaseEnded' | 'over' }>,
  keyof typeof ofGroup
>;
export type PowerOffEntry = Extract<
  JournalEntry,
  { kind: 'powerOffAsked' | 'tryBegan' | 'tryEnded' | 'givenUp' }
>;
export type RestartEntry = Extract<JournalEntry, { kind: 'restartChosen' | 'restartEnded' }>;
