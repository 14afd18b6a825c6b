// What the configuration says of the way back of each machine, and the warnings that it alone shows.
import type { ServerActionName } from '../../../shared/domain/actions/on-servers.js';
import { serverActions } from '../../../shared/domain/actions/on-servers.js';
import type { StepAction } from '../../../shared/domain/actions/table.js';
import { kindOf } from '../../../shared/domain/actions/table.js';
import type { Plan } from '../../../shared/domain/outage/plan.js';
import type { WayBack } from '../../../shared/domain/recovery/recovery-check.js';
import type { DrillQuestion, Feed, Machine } from '../../../shared/domain/recovery/way-back.js';
import { configuredFindings, hostName, wayBackOf } from '../../../shared/domain/recovery/way-back.js';
import type {
  Configuration,
  RemoteServerConfiguration,
  UpsConfiguration,
} from '../configuration/configuration.js';
import { delegateOf, groupsOf, plannedServers, plansOf } from './plans.js';

/** Cached: the check asks for it every few seconds. */
const known = new WeakMap<Configuration, readonly Machine[]>();

/** This host, where a plan powers it off, and every server of a plan. */
export function machinesOf(configuration: Configuration): readonly Machine[] {
  const before = known.get(configuration);
  if (before !== undefined) return before;
  const plans = new Map(plansOf(configuration).map((plan) => [plan.group, plan]));
  const upses: Upses = new Map(configuration.ups.map((ups) => [ups.policy.groupId, ups]));
  const machines = groupsOf(configuration).flatMap((group): readonly Machine[] => {
    const plan = plans.get(group.groupId);
    if (plan === undefined) return [];
    const actions = actionsOf(plan);
    const feeds = feedsOf(upses, plan);
    const stopsGuestsOf = (server: string): boolean =>
      actions.some((action) => stopsOn(action, server, ofGuests));
    const { enabled, guests } = configuration.recovery;
    const startsStopped = enabled && guests === 'as_before';
    const startsGuestsOf = ({ name, offCheck }: RemoteServerConfiguration): boolean =>
      offCheck !== 'none' && !actions.some((action) => stopsOn(action, name, notRecorded));
    const of = { group: group.groupId, groupLabel: group.label, feeds };
    const servers = plannedServers(group.resources).map((server): Machine => ({
      ...{ ...of, server: server.name, wake: wakeOf(server), isLookedAt: server.offCheck !== 'none' },
      isNutServerOf: nutServerOf(upses, plan, server),
      drilledAs: server.name,
      drillAsks: questionsOf(actions, server),
      stopsGuests: stopsGuestsOf(server.name),
      startsGuests: startsStopped && startsGuestsOf(server),
    }));
    if (!actions.some((action) => kindOf(action).powersOffHost)) return servers;
    const stops = actions.some(({ kind }) => kind === 'stopContainers' || kind === 'stopCompose');
    const delegate = configuration.inContainer ? delegateOf(group.resources)?.work.server : undefined;
    const own = group.resources.remoteServers.find(({ name }) => name === delegate);
    const host: Machine = {
      ...{ ...of, server: null, wake: null, isLookedAt: true, isNutServerOf: [] },
      drilledAs: delegate ?? null,
      drillAsks: own !== undefined ? questionsOf(actions, own) : stops ? ['containers'] : [],
      stopsGuests:
        actions.some(({ kind }) => kind === 'stopVirtualMachines') ||
        (delegate !== undefined && stopsGuestsOf(delegate)),
      // In a container the delegate stops them, and they are started through it.
      startsGuests:
        startsStopped && (!configuration.inContainer || (own !== undefined && startsGuestsOf(own))),
    };
    return [host, ...servers];
  });
  known.set(configuration, machines);
  return machines;
}

/** By server; the delegate of this host is this host. */
export function waysBackOf(configuration: Configuration): ReadonlyMap<string, WayBack> {
  return new Map(
    machinesOf(configuration).flatMap((machine) => {
      const server = machine.server ?? machine.drilledAs;
      return server === null ? [] : [[server, wayBackOf(machine)] as const];
    }),
  );
}

/** By groupId. */
type Upses = ReadonlyMap<string, UpsConfiguration>;

const actionsOf = ({ phases }: Plan) => phases.flatMap(({ steps }) => steps.map(({ action }) => action));

/** Of actions on servers: those that stop what runs on a hypervisor, of which nobody asks whether it starts at the boot. */
const ofGuests: ReadonlySet<string> = new Set<ServerActionName>([
  'stop_vms',
  'stop_proxmox_vms',
  'stop_proxmox_cts',
  'stop_xcpng_vms',
  'stop_esxi_vms',
]);

/** Of those: what they stop is not recorded, and not started again. */
const notRecorded: ReadonlySet<string> = new Set<ServerActionName>(['stop_xcpng_vms', 'stop_esxi_vms']);

/** By the actions of its plan on the server, and its own wake. */
function questionsOf(
  actions: readonly StepAction[],
  { name, wakeMac }: RemoteServerConfiguration,
): readonly DrillQuestion[] {
  const asked = actions.flatMap((action) =>
    actionsOn(action, name).flatMap(({ action: before }): readonly DrillQuestion[] => {
      if (before === 'command' || serverActions[before].policies === undefined) return [];
      return [ofGuests.has(before) ? 'guests' : 'containers'];
    }),
  );
  return [...new Set([...asked, ...(wakeMac === null ? [] : (['wake'] as const))])];
}

const actionsOn = (action: StepAction, server: string) =>
  'work' in action && action.work.server === server ? action.work.actions : [];

const stopsOn = (action: StepAction, server: string, names: ReadonlySet<string>): boolean =>
  actionsOn(action, server).some((before) => names.has(before.action));

function feedsOf(upses: Upses, plan: Plan): readonly Feed[] {
  const actions = actionsOf(plan);
  const isLate = actions.some(({ kind }) => kind === 'powerdownFlag');
  const cuts = new Map(
    actions.flatMap((action) =>
      action.kind === 'upsOutputOff' ? [[action.ups, action.offDelaySeconds] as const] : [],
    ),
  );
  return plan.fedBy.map((groupId) => ({
    ups: groupId,
    label: upses.get(groupId)?.policy.label ?? groupId,
    cut: cuts.get(groupId) ?? (isLate ? 'late' : null),
  }));
}

const wakeOf = ({ hasWake, wakeMac }: RemoteServerConfiguration): Machine['wake'] =>
  wakeMac !== null ? 'mac' : hasWake ? 'command' : null;

const plainHost = (host: string): string => host.toLowerCase().replace(/\.$/, '');
/** It means this host, in a UPS and in a server. */
const isLoopback = (host: string): boolean => /^(localhost|127\.[\d.]+|::1)$/.test(host);

function nutServerOf(upses: Upses, { fedBy }: Plan, server: RemoteServerConfiguration) {
  const host = plainHost(server.host);
  if (isLoopback(host)) return [];
  return fedBy.flatMap((groupId) => {
    const ups = upses.get(groupId);
    return ups !== undefined && plainHost(ups.address.host) === host ? [ups.policy.label] : [];
  });
}

/** Further ones are only counted: a fleet has a thousand machines. */
const maxListed = 10;

/** Only with `[recovery] enabled`: nobody else has asked whether machines come back. */
export function wayBackWarnings(configuration: Configuration): readonly string[] {
  if (!configuration.recovery.enabled) return [];
  const texts = machinesOf(configuration).flatMap((machine) =>
    configuredFindings(machine)
      .filter(({ level }) => level === 'warning')
      .map(({ text, remedy }) => `${machine.server ?? hostName}: the way back: ${text}; ${remedy}`),
  );
  const more = texts.length - maxListed;
  if (more <= 0) return texts;
  return [
    ...texts.slice(0, maxListed),
    `${String(more)} more of the way back: see ridethrough recovery check`,
  ];
}
