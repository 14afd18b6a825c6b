// The plan that a drill runs: the plan of a group, or its step for one server.
import type { Plan } from '../../../shared/domain/outage/plan.js';
import { kindOf } from '../../../shared/domain/actions/table.js';
import { UpsNames } from '../../../shared/domain/ups/ups-name.js';
import { shellWord } from '../../../shared/domain/commands/shell-words.js';
import type {
  Configuration,
  RemoteServerConfiguration,
} from '../../../supervisor/config/configuration/configuration.js';
import { timed } from '../../../supervisor/policy/plan/timing.js';
import { plansOf } from '../../../supervisor/config/derive/plans.js';

export type Selected =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly message: string };

/** The plan of a group, by the name in the file, its groupId or its label. */
export function planOfGroup(configuration: Configuration, name: string): Selected {
  const [plan] = plansCalled(configuration, name);
  if (plan !== undefined) return { ok: true, plan };
  return { ok: false, message: noPlanReason(configuration, name, 'ridethrough shutdown group --group') };
}

/** The reason why no plan has this name. `command`: the command that takes the name of a group as its last argument. */
export function noPlanReason(configuration: Configuration, name: string, command: string): string {
  const { ups, redundancyGroups } = configuration;
  const alias = namesOf(configuration).find(name);
  const meant =
    ups.find(({ policy }) => policy.name === alias)?.policy ??
    ups.find(({ policy }) => policy.label === name)?.policy;
  const groups = redundancyGroups
    .filter(({ policy }) => meant !== undefined && policy.members.includes(meant.groupId))
    .map(({ policy }) => policy.name);
  if (meant !== undefined && groups.length > 0) {
    const commands = groups.map((group) => `${command} ${shellWord(group)}`).join(' or ');
    return `${meant.name} is a member of ${groups.join(' and ')} and has no plan of its own. Use: ${commands}`;
  }
  const labels = plansOf(configuration).map(({ label }) => label);
  return `there is no group ${JSON.stringify(name)}. There are: ${labels.join(', ')}`;
}

/** The plan of the server's group, with the step of this server only. */
export function planOfServer(configuration: Configuration, name: string): Selected {
  const owner = [...configuration.ups, ...configuration.redundancyGroups].find(({ resources }) =>
    resources.remoteServers.some((server) => server.name === name),
  );
  // With drain_on_local_shutdown the plan of the local group has a step for the server too.
  for (const plan of plansOf(configuration).filter(({ group }) => group === owner?.policy.groupId)) {
    const owned = plan.phases
      .flatMap(({ steps }) => steps)
      .find(({ action }) => kindOf(action).serverOf(action) === name);
    if (owned !== undefined) return { ok: true, plan: timed(plan, [{ ...owned, begins: 'with_phase' }]) };
  }
  const servers = [...configuration.ups, ...configuration.redundancyGroups].flatMap(
    ({ resources }) => resources.remoteServers,
  );
  const known = servers.find((server) => server.name === name);
  if (known !== undefined) return { ok: false, message: notPlannedReason(known) };
  const names = servers.filter(({ enabled }) => enabled).map((server) => server.name);
  const there = names.length === 0 ? 'There is none.' : `There are: ${names.join(', ')}`;
  return { ok: false, message: `there is no remote server ${JSON.stringify(name)}. ${there}` };
}

function notPlannedReason({ name, enabled }: RemoteServerConfiguration): string {
  if (!enabled) return `${name} has enabled = false and is in no plan`;
  return `${name} is the host delegate: its shutdown is the power-off of its group; drill that one`;
}

/**
 * The plans of a name: by groupId, configured name or label of a UPS or group, else by an alias of a UPS as in the API
 * (`office` is `office@localhost` too).
 */
export function plansCalled(configuration: Configuration, name: string): readonly Plan[] {
  const { ups, redundancyGroups } = configuration;
  const configured = new Map(
    [...ups, ...redundancyGroups].map(({ policy }) => [policy.groupId, policy.name]),
  );
  const plans = plansOf(configuration);
  const called = plans.filter(({ group, label }) => [group, label, configured.get(group)].includes(name));
  if (called.length > 0) return called;
  const meant = namesOf(configuration).find(name);
  return plans.filter(({ group }) => meant !== undefined && configured.get(group) === meant);
}

function namesOf({ ups }: Configuration): UpsNames {
  return new UpsNames(ups.map(({ policy }) => policy.name));
}

/** critical_runtime_threshold of the group; null while it is off. */
export function runtimeThreshold({ group }: Plan, { ups, redundancyGroups }: Configuration): number | null {
  const policies = [...ups, ...redundancyGroups].map(({ policy }) => policy);
  const seconds = policies.find(({ groupId }) => groupId === group)?.triggers?.criticalRuntimeSeconds;
  return seconds === undefined || seconds === 0 ? null : seconds;
}
