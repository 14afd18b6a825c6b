// What each plan shuts down, what must fail for each target to go down, and the servers that this host would leave running.
// For display; decides nothing.
import type { Feed } from '../../../shared/domain/outage/feed.js';
import { joinNames, mayLosePowerBefore, whatMustFail } from '../../../shared/domain/outage/feed.js';
import type { Plan } from '../../../shared/domain/outage/plan.js';
import { kindOf } from '../../../shared/domain/actions/table.js';
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import type { Configuration } from '../configuration/configuration.js';
import type { PlanGroup } from './plans.js';
import { groupsOf, plannedServers, plansOf, groupPowersOffHost } from './plans.js';

export interface FedTarget {
  readonly name: string;
  /** Each is enough: its own group, and that of this host with `drain_on_local_shutdown`. */
  readonly goesDownWhen: readonly string[];
}

/** This host and every server of a plan, each once. */
export function fedTargets(configuration: Configuration): readonly FedTarget[] {
  const groups = groupsOf(configuration);
  const hosts = groups.filter((group) => groupPowersOffHost(configuration, group, groups));
  const drained = configuration.localShutdown.drainOnLocalShutdown ? hosts : [];
  const words = (owners: readonly PlanGroup[]) => [
    ...new Set(owners.map((owner) => whatMustFail(feedOf(configuration, owner)))),
  ];
  const servers = groups.flatMap((group) =>
    plannedServers(group.resources).map(({ name }) => ({
      name,
      goesDownWhen: words([group, ...drained]),
    })),
  );
  return hosts.length === 0 ? servers : [{ name: 'this host', goesDownWhen: words(hosts) }, ...servers];
}

const nothing: UpsRow['shutsDown'] = { host: false, servers: [] };
/** Cached: a thousand rows are published after a reload. */
const shutDown = new WeakMap<Configuration, ReadonlyMap<string, UpsRow['shutsDown']>>();

/** The machines that the plan of the group shuts down; none for a UPS without a plan of its own. */
export function shutsDownOf(configuration: Configuration, group: string): UpsRow['shutsDown'] {
  const before = shutDown.get(configuration) ?? new Map(plansOf(configuration).map(machinesOf));
  shutDown.set(configuration, before);
  return before.get(group) ?? nothing;
}

function machinesOf({ group, phases }: Plan): readonly [string, UpsRow['shutsDown']] {
  const actions = phases.flatMap(({ steps }) => steps.map(({ action }) => action));
  const servers = actions.flatMap((action) => kindOf(action).serverOf(action) ?? []);
  return [group, { host: actions.some((action) => kindOf(action).powersOffHost), servers }];
}

/** The feed of a group with the labels of its UPSes. */
function feedOf(
  { ups }: Configuration,
  { fedBy, minHealthy }: Pick<PlanGroup, 'fedBy' | 'minHealthy'>,
): Feed {
  const sources = fedBy.map(
    (source) => ups.find(({ policy }) => policy.groupId === source)?.policy.label ?? source,
  );
  return { sources, minHealthy };
}

/** What must fail for the plan of `group` to run. */
export function runsWhenOf(configuration: Configuration, group: string): string {
  const own = groupsOf(configuration).find(({ groupId }) => groupId === group);
  return own === undefined ? '' : whatMustFail(feedOf(configuration, own));
}

export interface LeftBehind {
  readonly group: string;
  readonly message: string;
}

/** Cached: the read model requests it ten times a second. */
const known = new WeakMap<Configuration, readonly LeftBehind[]>();

/** The groups with servers that may still run when this host goes down: nothing shuts them down then. */
export function leftBehind(configuration: Configuration): readonly LeftBehind[] {
  const before = known.get(configuration);
  if (before !== undefined) return before;
  const groups = groupsOf(configuration);
  const hosts = configuration.localShutdown.drainOnLocalShutdown
    ? []
    : groups.filter((group) => groupPowersOffHost(configuration, group, groups));
  const found = groups.flatMap((group) => {
    const names = plannedServers(group.resources).map(({ name }) => name);
    if (names.length === 0) return [];
    const host = hosts.find((one) => one !== group && mayLosePowerBefore(sourcesOf(one), sourcesOf(group)));
    return host === undefined ? [] : [leftBy(configuration, host, group, names)];
  });
  known.set(configuration, found);
  return found;
}

function leftBy(
  configuration: Configuration,
  host: PlanGroup,
  group: PlanGroup,
  names: readonly string[],
): LeftBehind {
  const [these, them] = names.length === 1 ? ['this server', 'it'] : ['these servers', 'them'];
  const message =
    `this host goes down when ${whatMustFail(feedOf(configuration, host))}, ${joinNames(first(names), 'and')} only when ` +
    `${whatMustFail(feedOf(configuration, group))}: nothing is then left to shut ${these} down; ` +
    `set local_shutdown.drain_on_local_shutdown = true to shut ${them} down with this host`;
  return { group: group.groupId, message };
}

export function leftBehindWarnings(configuration: Configuration): readonly string[] {
  const messages = leftBehind(configuration).map(({ message }) => message);
  return messages.length <= maxListed
    ? messages
    : [
        ...messages.slice(0, maxListed),
        `the same holds for ${String(messages.length - maxListed)} more groups`,
      ];
}

const sourcesOf = ({ fedBy, minHealthy }: PlanGroup): Feed => ({ sources: fedBy, minHealthy });

/** Further ones are only counted. */
const maxListed = 5;

function first(names: readonly string[]): readonly string[] {
  const more = names.length - maxListed;
  return more <= 0 ? names : [...names.slice(0, maxListed), `${String(more)} more`];
}
