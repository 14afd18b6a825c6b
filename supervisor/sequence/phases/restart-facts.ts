// What the journal, policy and the daemon say for the rule of the restart (../restart-rule.ts).
import type { GroupRecord } from '../journal/fold.js';
import { powersOffHost, stepsOf } from '../journal/fold.js';
import type { SequenceRecord } from '../journal/record.js';
import type { HostRestarts, RestartFacts, RestartUps } from '../restart-rule.js';

type Journal = Pick<SequenceRecord, 'groups' | 'powerOff'>;

export interface RestartSources {
  readonly journal: Journal;
  readonly restarts: HostRestarts;
  /** By a reading of this daemon. */
  readonly powerIsBack: (group: string) => boolean;
  /** There is a reading of the UPS since the start of this daemon. */
  readonly isSeen: (ups: string) => boolean;
  readonly mayBeCut: (ups: string) => boolean;
  readonly notCome: string | null;
}

/** `count`: so many restarts are behind it, whatever the record says by now. */
export function restartFacts(sources: RestartSources, count?: number): RestartFacts {
  const { journal, restarts, powerIsBack, isSeen, mayBeCut, notCome } = sources;
  const asking = askingGroups(journal);
  const groups = new Set(asking.map(({ group }) => group));
  const feeds = new Set(asking.flatMap(({ plan }) => plan.fedBy));
  const known = restarts.upses();
  const unknown = [...feeds].filter((feed) => known.every(({ groupId }) => groupId !== feed));
  return {
    isEnabled: restarts.isEnabled(),
    isPolicyInDoubt: restarts.isPolicyInDoubt(),
    isDryRun: asking.some(({ plan }) => plan.dryRun),
    asking: asking.map(({ group, plan: { label, fedBy } }) => ({
      label,
      isBack: powerIsBack(group) && !showsBattery(fedBy, known),
    })),
    hasPowerOffBegun: journal.powerOff.attempts > 0,
    isFlagWritten: journal.groups.some(hasFlag),
    upses: [...known, ...unknown.map(notConfigured)].map((ups) => ({
      ...ups,
      isRead: ups.isRead && isSeen(ups.groupId),
      isAsking: feeds.has(ups.groupId),
      mayAskNext: ups.hostGroups.some((group) => !groups.has(group) || !feeds.has(ups.groupId)),
      mayBeCut: mayBeCut(ups.groupId),
    })),
    notCome,
    restarts: count ?? restarts.count([...groups]),
  };
}

/** A new outage that is not confirmed yet. */
const showsBattery = (fedBy: readonly string[], known: readonly RestartUps[]): boolean =>
  fedBy.every((feed) => known.some((ups) => ups.groupId === feed && ups.showsBattery));

/** Those that have asked for the power-off, and those whose open sequences come to it. */
export function askingGroups({ groups, powerOff }: Journal): readonly GroupRecord[] {
  return groups.filter(
    ({ group, over, plan }) =>
      powerOff.askedBy.has(group) || (over === null && !plan.dryRun && powersOffHost(plan)),
  );
}

/** UPSes that feed this host, by every plan that powers it off. */
export function feedsOfHost({ groups }: Journal): ReadonlySet<string> {
  return new Set(groups.flatMap(({ plan }) => (powersOffHost(plan) ? plan.fedBy : [])));
}

/** By the configuration too: with another outage the journal begins again, and plans before it are not in it. */
export function feedsHost(
  { journal, restarts }: Pick<RestartSources, 'journal' | 'restarts'>,
  ups: string,
): boolean {
  if (feedsOfHost(journal).has(ups)) return true;
  return restarts.upses().some((one) => one.groupId === ups && one.hostGroups.length > 0);
}

/** Whether or not the write has succeeded. */
function hasFlag({ plan, steps }: GroupRecord): boolean {
  if (plan.dryRun) return false;
  return stepsOf(plan).some(({ id, action }) => action.kind === 'powerdownFlag' && steps.has(id));
}

const notConfigured = (groupId: string): RestartUps => ({
  ...{ groupId, label: groupId, hasRole: false, hostGroups: [] },
  ...{ isRead: false, showsFsd: false, showsBattery: false, cyclesOnMains: false },
});
