// Whether this host restarts in place of the cut and its power-off: mains is back after the point of no return, and a host that powers
// itself off stays off where its UPS does not cut on mains (networkupstools/nut#3229). In every doubt it powers off. Pure.

/** More would be a loop: mains that returns for a minute each time. */
export const maxRestarts = 2;

/** A UPS of the configuration. `hasRole`: at its NUT server this host is a primary or secondary. */
export interface RestartUps {
  readonly groupId: string;
  readonly label: string;
  readonly hasRole: boolean;
  /** Those that it feeds and whose plans, by the configuration, power this host off. */
  readonly hostGroups: readonly string[];
  /** Its last poll succeeded; for the rule, one of this daemon. */
  readonly isRead: boolean;
  readonly showsFsd: boolean;
  /** OB in its last status, confirmed or not. */
  readonly showsBattery: boolean;
  /** Its output is cut at the end of a plan, and it cuts on mains too (`ups_output.cycles_on_mains`). */
  readonly cyclesOnMains: boolean;
}

/** What the daemon knows, beside the journal, of a restart of this host in place of its power-off. */
export interface HostRestarts {
  readonly isEnabled: () => boolean;
  readonly isPolicyInDoubt: () => boolean;
  /** Of the configuration. */
  readonly upses: () => readonly RestartUps[];
  /** Restarts in the records of these groups, null where one cannot be read; of other groups that power this host off those that can. */
  readonly count: (groups: readonly string[]) => number | null;
  /** Settles when the records have this number on the disk. */
  readonly keep: (groups: readonly string[], number: number) => Promise<void>;
}

export interface RestartUpsFacts extends RestartUps {
  /** It feeds a group that has asked. */
  readonly isAsking: boolean;
  /** It feeds another that powers this host off and has not asked. */
  readonly mayAskNext: boolean;
  /** A plan of this outage has sent the cut, whatever came back. */
  readonly mayBeCut: boolean;
}

export interface RestartFacts {
  readonly isEnabled: boolean;
  readonly isDryRun: boolean;
  /** Policy has thrown an exception: what is known of the UPSes may be old. */
  readonly isPolicyInDoubt: boolean;
  /** The groups that have asked for the power-off, or come to it; `isBack`: by a reading of this daemon, as its trigger is armed again, and no OB since. */
  readonly asking: readonly { readonly label: string; readonly isBack: boolean }[];
  readonly hasPowerOffBegun: boolean;
  readonly isFlagWritten: boolean;
  readonly upses: readonly RestartUpsFacts[];
  /** Why a restart of this outage did not come; null: there was none. */
  readonly notCome: string | null;
  /** Those in the record; null: it cannot be read. */
  readonly restarts: number | null;
}

export type RestartCourse =
  | { readonly kind: 'restart'; readonly number: number }
  /** `isPowerBack` is false in the ordinary case: power is out. */
  | { readonly kind: 'powerOff'; readonly why: string; readonly isPowerBack: boolean }
  | { readonly kind: 'stayUp'; readonly why: string };

export function restartCourse(facts: RestartFacts): RestartCourse {
  const { asking, notCome, restarts } = facts;
  const out = asking.filter(({ isBack }) => !isBack).map(({ label }) => label);
  if (out.length > 0) return powerIsOut(out);
  const why = reasonAgainst(facts);
  if (why !== null) return powerOff(why);
  if (notCome !== null) return { kind: 'stayUp', why: notCome };
  if (restarts === null) return powerOff('the record cannot be read: nobody could count its restarts');
  if (restarts < maxRestarts) return { kind: 'restart', number: restarts + 1 };
  const times = `this host has restarted ${String(restarts)} times since its last stay on line power`;
  return { kind: 'stayUp', why: times };
}

/** The ordinary case, with the labels of the groups. */
export const powerIsOut = (out: readonly string[]): RestartCourse => ({
  kind: 'powerOff',
  why: `power of ${out.join(', ')} is not back`,
  isPowerBack: false,
});

function reasonAgainst(facts: RestartFacts): string | null {
  if (!facts.isEnabled) return 'recovery is not enabled';
  if (facts.isDryRun) return 'it is a dry run';
  if (facts.asking.length === 0) return 'no group has asked for it by the journal';
  if (facts.hasPowerOffBegun) return 'the power-off has begun';
  if (facts.isPolicyInDoubt) return 'policy has thrown an exception, and what it knows may be old';
  if (facts.isFlagWritten) return 'the powerdown flag is written, and a late hook cuts at a restart too';
  for (const ups of facts.upses) {
    const { label, isAsking, mayAskNext, hasRole, isRead, showsFsd, showsBattery } = ups;
    const feeds = isAsking || mayAskNext;
    if (showsFsd && (feeds || hasRole)) return `${label} shows FSD`;
    if (!feeds) continue;
    if (!isRead) return `${label} is not read`;
    // With `trigger_on = "any"`: the power of the groups that have asked says nothing of the next one.
    if (showsBattery && mayAskNext) return `${label} shows OB`;
    if (ups.mayBeCut) return `${label} may have accepted the cut of its output`;
    if (ups.cyclesOnMains) return `${label} cuts its output on mains too, and restores it`;
  }
  return null;
}

const powerOff = (why: string): RestartCourse => ({ kind: 'powerOff', why, isPowerBack: true });
