// Which plan a drill runs: that of a group, or what it holds for one server. The values are those the daemon has.
import type { Plan, StepAction } from '../../../shared/domain/plan.js';
import { fullUpsName, parseUpsName } from '../../../shared/domain/ups-name.js';
import type { Configuration, RemoteServerConfiguration } from '../../../supervisor/config/configuration.js';
import { timed } from '../../../supervisor/policy/plan/timing.js';
import { plansOf } from '../../../supervisor/plans.js';

export type Selected =
  { readonly ok: true; readonly plan: Plan } | { readonly ok: false; readonly message: string };

/** The whole plan of a group, by the name in the file, its groupId or its label. */
export function planOfGroup(configuration: Configuration, name: string): Selected {
  const plan = plansOf(configuration).find((one) => isCalled(one, name, configuration));
  if (plan !== undefined) return { ok: true, plan };
  return { ok: false, message: whyNoPlan(configuration, name, 'ridethrough shutdown group --group') };
}

/** Why nothing has a plan by this name; `command` is what takes the name of a group at its end. */
export function whyNoPlan(configuration: Configuration, name: string, command: string): string {
  const { ups, redundancyGroups } = configuration;
  const asked = parseUpsName(name);
  const meant = ups.find(
    ({ policy, address }) =>
      [policy.name, policy.groupId, policy.label].includes(name) ||
      (asked !== undefined && fullUpsName(asked) === fullUpsName(address)),
  )?.policy;
  const groups = redundancyGroups
    .filter(({ policy }) => meant !== undefined && policy.members.includes(meant.groupId))
    .map(({ policy }) => policy.name);
  if (meant !== undefined && groups.length > 0) {
    const commands = groups.map((group) => `${command} ${asWord(group)}`).join(' or ');
    return `${meant.name} is a member of ${groups.join(' and ')} and shuts nothing down by itself. Type: ${commands}`;
  }
  const labels = plansOf(configuration).map(({ label }) => label);
  return `no group is called ${JSON.stringify(name)}. There are: ${labels.join(', ')}`;
}

/** As one word of a shell. */
function asWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The plan of the group that feeds the server, without everything else. */
export function planOfServer(configuration: Configuration, name: string): Selected {
  const owner = [...configuration.ups, ...configuration.redundancyGroups].find(({ resources }) =>
    resources.remoteServers.some((server) => server.name === name),
  );
  // Others may have it too: drain_on_local_shutdown puts it into the plan of the local group.
  for (const plan of plansOf(configuration).filter(({ group }) => group === owner?.policy.groupId)) {
    const owned = plan.phases.flatMap(({ steps }) => steps).find(({ action }) => isShutDown(action, name));
    if (owned !== undefined) return { ok: true, plan: timed(plan, [{ ...owned, begins: 'with_phase' }]) };
  }
  const servers = [...configuration.ups, ...configuration.redundancyGroups].flatMap(
    ({ resources }) => resources.remoteServers,
  );
  const known = servers.find((server) => server.name === name);
  if (known !== undefined) return { ok: false, message: whyUnplanned(known) };
  const names = servers.filter(({ enabled }) => enabled).map((server) => server.name);
  const there = names.length === 0 ? 'There is none.' : `There are: ${names.join(', ')}`;
  return { ok: false, message: `no remote server is called ${JSON.stringify(name)}. ${there}` };
}

/** With its last command: a delegate has phases without one. */
function isShutDown(action: StepAction, name: string): boolean {
  return action.kind === 'remote' && action.work.server === name && action.work.final !== null;
}

function whyUnplanned({ name, enabled }: RemoteServerConfiguration): string {
  if (!enabled) return `${name} has enabled = false: no plan has it`;
  return `${name} is the host delegate: its shutdown is the power-off of its group; drill that one`;
}

/** A UPS also by its full form, as in the API: `office` is `office@localhost:3493`. */
export function isCalled(plan: Plan, name: string, { ups, redundancyGroups }: Configuration): boolean {
  const policies = [...ups, ...redundancyGroups].map(({ policy }) => policy);
  const configured = policies.find(({ groupId }) => groupId === plan.group)?.name;
  if ([plan.group, plan.label, configured].includes(name)) return true;
  const asked = parseUpsName(name);
  const own = ups.find(({ policy }) => policy.groupId === plan.group);
  return asked !== undefined && own !== undefined && fullUpsName(asked) === fullUpsName(own.address);
}

/** The runtime at which a shutdown of the group begins at the latest; null where that trigger is off. */
export function runtimeThreshold({ group }: Plan, { ups, redundancyGroups }: Configuration): number | null {
  const policies = [...ups, ...redundancyGroups].map(({ policy }) => policy);
  const seconds = policies.find(({ groupId }) => groupId === group)?.triggers?.criticalRuntimeSeconds;
  return seconds === undefined || seconds === 0 ? null : seconds;
}
