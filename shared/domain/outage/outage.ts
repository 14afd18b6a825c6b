// An outage: one time on battery of one UPS, as the history keeps it, and the shutdowns that ran in it
// (specification/storage.md#outages).
import * as t from 'io-ts';
import { SequenceCause } from '../status/states.js';
import { finite, oneOf, orNull, textUpTo } from '../base/units.js';

/** Two times on battery with less between them are one outage, as for policy (specification/policy.md#outage). */
export const sameOutageSeconds = 60;
/** Evidence is kept from this long before the outage to this long after it. */
export const evidenceMarginSeconds = 600;

export const OutageCause = oneOf('outage', 'self-test', 'calibration');
export type OutageCause = t.TypeOf<typeof OutageCause>;

/** What the detail of ON_BATTERY begins with; nothing for an outage. */
export function causePrefix(test: Exclude<OutageCause, 'outage'> | null): string {
  return test === null ? '' : `${test}: `;
}

/** The cause by the detail of ON_BATTERY. */
export function causeOf(detail: string): OutageCause {
  const test = (['self-test', 'calibration'] as const).find((one) => detail.startsWith(causePrefix(one)));
  return test ?? 'outage';
}

/** More than the largest plan; with longest texts the record is below the longest frame. */
export const maxShutdownSteps = 2_500;
const text = textUpTo(300);

/** A step of a shutdown: what the plan allowed and what it took. Times are Unix seconds; null: not begun, not ended. */
export const ShutdownStepRecord = t.readonly(
  t.type({
    id: text,
    phase: text,
    target: text,
    budgetSeconds: finite,
    estimateSeconds: finite,
    startedAt: orNull(finite),
    endedAt: orNull(finite),
    state: oneOf('pending', 'running', 'done', 'skipped', 'failed'),
    /** Why it failed or was skipped; empty otherwise. */
    reason: text,
  }),
  'ShutdownStepRecord',
);
export type ShutdownStepRecord = t.TypeOf<typeof ShutdownStepRecord>;

/** A shutdown as far as its journal records it: the plan with its bounds beside what each step took. */
export const ShutdownRecord = t.readonly(
  t.type({
    group: textUpTo(256),
    label: text,
    startedAt: finite,
    trigger: SequenceCause,
    why: text,
    dryRun: t.boolean,
    /** groupIds of the UPSes that feed its targets. */
    fedBy: t.readonlyArray(textUpTo(256)),
    boundSeconds: finite,
    estimateSeconds: finite,
    /** False: still running, or cut off with the power of this host. */
    over: t.boolean,
    /** The reason of a cancellation; empty without one. */
    cancelled: text,
    steps: t.readonlyArray(ShutdownStepRecord),
  }),
  'ShutdownRecord',
);
export type ShutdownRecord = t.TypeOf<typeof ShutdownRecord>;
