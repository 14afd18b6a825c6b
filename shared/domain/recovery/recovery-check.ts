// GET /api/v1/recovery/check: of each machine its way back after an outage, with the evidence (specification/recovery.md#check).
import * as t from 'io-ts';
import { finite, oneOf, orNull, textUpTo } from '../base/units.js';

const record = <P extends t.Props>(props: P) => t.readonly(t.type(props));

const FindingKind = oneOf(
  'containers',
  'guests',
  'wake',
  'mac',
  'wake_after_cut',
  'output',
  'output_stays_on',
  'nut_server',
  'nobody_awake',
  'never_proven',
  'not_asked',
);
export type FindingKind = t.TypeOf<typeof FindingKind>;

export const Finding = record({
  kind: FindingKind,
  /** A warning: by what is known it does not come back, or not as before. A note: what nobody can know from here. */
  level: oneOf('warning', 'note'),
  /** What was found, and what it means. */
  text: t.string,
  /** What to do. */
  remedy: t.string,
});
export type Finding = t.TypeOf<typeof Finding>;

export const maxFindingText = 1024;

/** What a drill finds on a machine. It is read again as untrusted data. */
export const DrillFinding = record({
  kind: oneOf('containers', 'guests', 'wake', 'mac', 'not_asked'),
  text: textUpTo(maxFindingText),
});
export type DrillFinding = t.TypeOf<typeof DrillFinding>;

/** More than a drill has to say of a machine. */
export const maxDrillFindings = 8;

export const DrilledMachine = record({
  /** Null: this host. */
  server: orNull(textUpTo(512)),
  /** The date of the drill. */
  unixSeconds: finite,
  findings: t.refinement(
    t.readonlyArray(DrillFinding),
    ({ length }) => length <= maxDrillFindings,
    `at most ${String(maxDrillFindings)} findings`,
  ),
});
export type DrilledMachine = t.TypeOf<typeof DrilledMachine>;

export const Verdict = oneOf('returns', 'may_not_return', 'unknown');

/** A drill asks the UPS which commands it offers. */
export const DrilledOutput = record({
  ups: textUpTo(512),
  /** By which the plan cuts the output. */
  command: textUpTo(256),
  verdict: Verdict,
  reason: textUpTo(1024),
});
export type DrilledOutput = t.TypeOf<typeof DrilledOutput>;

export const Drilled = record({
  machines: t.readonlyArray(DrilledMachine),
  outputs: t.readonlyArray(DrilledOutput),
});
export type Drilled = t.TypeOf<typeof Drilled>;

/** `never`: it keeps its power, and nothing wakes it; a person starts it. */
export const WayBack = oneOf('wake', 'by_itself', 'never');
export type WayBack = t.TypeOf<typeof WayBack>;

export const CheckedMachine = record({
  /** Of the server; of this host `this host`. */
  name: t.string,
  isHost: t.boolean,
  group: t.string,
  way: WayBack,
  /** How it comes back, as a sentence without its subject. */
  evidence: t.string,
  /** Unix seconds. It was then seen up again after an outage; who had started it is not known. Null: never. */
  proven: orNull(finite),
  /** Unix seconds of the last drill on this boot of the daemon's host; null: none. */
  drilled: orNull(finite),
  findings: t.readonlyArray(Finding),
});
export type CheckedMachine = t.TypeOf<typeof CheckedMachine>;

export const RecoveryCheck = t.type(
  {
    /** Why less is known than could be; empty while all is well. */
    reason: t.string,
    /** This host and every server that a plan shuts down. */
    machines: t.readonlyArray(CheckedMachine),
  },
  'RecoveryCheck',
);
export type RecoveryCheck = t.TypeOf<typeof RecoveryCheck>;
