// Which plan a drill runs: that of a group, or what it holds for one server. The values are those the daemon has.
import type { Plan } from '../../../shared/domain/plan.js';
import { fullUpsName, parseUpsName } from '../../../shared/domain/ups-name.js';
import type { Configuration, RemoteServerConfiguration } from '../../../supervisor/config/configuration.js';
import { timed } from '../../../supervisor/policy/plan/timing.js';
import { plansOf } from '../../../supervisor/plans.js';

export type Selected =
  { readonly ok: true; readonly plan: Plan } | { readonly ok: false; readonly message: string };

/** The whole plan of a group, by the name in the file, its groupId or its label. */
export function planOfGroup(configuration: Configuration, name: string): Selected {
  const plans = plansOf(configuration);
  const plan = plans.find((one) => isCalled(one, name, configuration));
  if (plan !== undefined) return { ok: true, plan };
  return {
    ok: false,
    message: `no group is called ${JSON.stringify(name)}. There are: ${plans.map(({ label }) => label).join(', ')}`,
  };
}

/** The plan of the group that feeds the server, without everything else. */
export function planOfServer(configuration: Configuration, name: string): Selected {
  for (const plan of plansOf(configuration)) {
    const owned = plan.phases
      .flatMap(({ steps }) => steps)
      .find(({ action }) => action.kind === 'remote' && action.work.server === name);
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
