// GET /ready: whether every UPS is monitored, and whether every step of a shutdown could be done.
import { kindOf } from '../../shared/domain/actions/table.js';
import type { Plan } from '../../shared/domain/outage/plan.js';
import type { RemoteHealthRow, UpsRow } from '../../shared/domain/status/status-model.js';
import { isKnownWord, statusWords } from '../../shared/domain/ups/status-words.js';
import type { ReadyModel, ServiceTelemetry } from '../../shared/protocol/api.js';
import type { Obstacle } from '../../shared/protocol/remote.js';
import type { Need } from '../../shared/domain/actions/kind.js';
import { unmetNeeds } from '../config/programs/programs.js';
import type { LeftBehind } from '../config/derive/feeds.js';
import type { HostDelegation } from '../config/derive/host-delegate.js';
import { unfedText } from '../../shared/domain/status/wording.js';
import type { WorkerView } from '../supervision/supervision.js';

export interface ReadinessDependencies {
  readonly rows: readonly UpsRow[];
  readonly plans: readonly Plan[];
  readonly workers: readonly WorkerView[];
  /** Programs that the configuration needs and the machine lacks, by the last check. */
  readonly missingPrograms: readonly string[];
  /** The NUT programs that a UPS needs, by its groupId. */
  readonly toolNeeds: ReadonlyMap<string, readonly Need[]>;
  /** By server: why the daemon cannot log in, as far as is known without a login (RemoteWorker.problemOf). */
  readonly servers: ReadonlyMap<string, string | null | undefined>;
  /** Why it cannot be found out whether a server is off; null: no reason is known. */
  readonly offCheckTrouble: string | null;
  readonly remoteHealth: readonly RemoteHealthRow[];
  /** The error of the last probe that only an operator can correct, by the name of the server. */
  readonly obstacles: ReadonlyMap<string, Obstacle>;
  /** By server: why its commands could not be checked. */
  readonly unchecked: ReadonlyMap<string, string>;
  /** Servers that are shut down, or may be, by the record of who was up, with the words for it: they are not expected to answer. */
  readonly down: ReadonlyMap<string, string>;
  /** What a shutdown has stopped, on this host and on servers, and does not run; empty for nothing. */
  readonly guestsOff: string;
  /** Names of the servers whose probes are paused by an outage or a sequence. */
  readonly paused: ReadonlySet<string>;
  /** remote_health.startup_check: a server is not achievable before its first probe has ended. */
  readonly startupCheck: boolean;
  /** Null unless this host is shut down over SSH, by a delegate. */
  readonly delegation: HostDelegation | null;
  /** The groups whose servers this host would leave running. */
  readonly leftBehind: readonly LeftBehind[];
  readonly services: readonly ServiceTelemetry[];
  /** By groupId of a UPS at whose server this host has a role: why it is not logged in. */
  readonly loginTrouble: ReadonlyMap<string, string>;
  /** By groupId of a UPS that cuts its output: why that may not come back when mains is back. */
  readonly outputWarnings: ReadonlyMap<string, string>;
  /** By groupId of a UPS whose values another server copies: what may go wrong. */
  readonly copyWarnings: ReadonlyMap<string, string>;
  /** By groupId of a UPS that answers without a status: why it has not been read. */
  readonly missingStatus: ReadonlyMap<string, string>;
  /** By the id of a capability: why a machine may not come back after an outage, as far as that is looked for. */
  readonly wayBack: ReadonlyMap<string, string>;
  /** Exceptions of policy in the last ten minutes, in words; null: there were none. */
  readonly policyTrouble: string | null;
}

type Capability = ReadyModel['capabilities'][number];
/** With the rows by server: a fleet has a thousand, and readiness is computed ten times a second. */
type Sources = ReadinessDependencies & { readonly health: ReadonlyMap<string, RemoteHealthRow> };

/** See specification/sequence.md#readiness. A UPS without a reading is not ready, even in its grace period. */
export function readiness(sources: ReadinessDependencies): ReadyModel {
  const { rows, plans, workers } = sources;
  const unseen = rows.flatMap((row) => {
    const { name, groupId, connectionState, connectionDetail, staleSince } = row;
    const missing = connectionDetail === 'DATA_STALE' ? sources.missingStatus.get(groupId) : undefined;
    const why = `(${connectionDetail})${missing === undefined ? '' : `: ${missing}`}`;
    if (connectionState === 'FAILED' || connectionState === 'UNKNOWN')
      return [`UPS ${name} is ${connectionState} ${why}`];
    const neverRead = connectionState === 'GRACE_PERIOD' && staleSince === null;
    if (neverRead) return [`UPS ${name} has not been read yet ${why}`];
    return isWithoutWords(row)
      ? [
          `UPS ${name} shows ups.status "${row.status}", which has no word of NUT: an outage would not be seen`,
        ]
      : [];
  });
  const health = new Map(sources.remoteHealth.map((row) => [row.server, row]));
  const tools = [...sources.toolNeeds].flatMap(([group, needs]) =>
    needs.map((need) =>
      programCapability(`${group}/nut_tools/${need.anyOf.join()}`, [need], sources.missingPrograms),
    ),
  );
  const steps = plans.flatMap((plan) => capabilitiesOf(plan, { ...sources, health }));
  // Reported, and no obstacle: the shutdown of the group itself can be done.
  const left = sources.leftBehind.map(({ group, message }) => ({
    id: `${group}/before_this_host`,
    achievable: true,
    reason: message,
  }));
  const unfed = rows.flatMap(({ groupId, name, unavailableTriggers: names }) =>
    names.length === 0
      ? []
      : [{ id: `${groupId}/triggers`, achievable: true, reason: unfedText(name, names) }],
  );
  // A shutdown needs no message.
  const silent = sources.services
    .filter(({ fault }) => fault !== '')
    .map(({ name, pending, fault }) => ({
      id: name,
      achievable: true,
      reason: `messages are not delivered, ${String(pending)} wait: ${fault}`,
    }));
  const off = sources.offCheckTrouble;
  const checks = off === null ? [] : [capability('shutdown/off_check', off)];
  const logins = [...sources.loginTrouble].map(([group, why]) =>
    capability(`${group}/nut_role`, `this host is not logged in at the NUT server: ${why}`),
  );
  // The shutdown can be done; what may fail is the way back.
  const outputs = [...sources.outputWarnings].map(([group, reason]) => ({
    id: `${group}/output_return`,
    achievable: true,
    reason: `the output may not come back: ${reason}`,
  }));
  const copies = [...sources.copyWarnings].map(([group, reason]) => ({
    id: `${group}/copy`,
    achievable: true,
    reason,
  }));
  const { guestsOff } = sources;
  const guests = guestsOff === '' ? [] : [{ id: 'recovery/guests', achievable: true, reason: guestsOff }];
  const back = [...sources.wayBack].map(([id, reason]) => ({ id, achievable: true, reason }));
  const capabilities = [
    ...steps,
    ...tools,
    ...checks,
    ...logins,
    ...left,
    ...unfed,
    ...outputs,
    ...copies,
    ...guests,
    ...back,
    ...silent,
  ];
  const unachievable = capabilities
    .filter(({ achievable }) => !achievable)
    .map(({ id, reason }) => `${id}: ${reason}`);
  const reasons = [
    ...(sources.policyTrouble === null ? [] : [sources.policyTrouble]),
    ...unseen,
    ...unachievable,
  ];
  return {
    ready: reasons.length === 0,
    reasons,
    capabilities,
    workers: workers.map((worker) => ({ ...worker })),
  };
}

function capabilitiesOf(plan: Plan, sources: Sources): readonly Capability[] {
  const { missingPrograms: missing, delegation } = sources;
  const local = delegation?.group === plan.group ? delegation : null;
  const steps = plan.phases.flatMap((phase) => phase.steps);
  const programs = steps.flatMap(({ id, action }) => {
    const needs = kindOf(action).needs(action);
    return needs.length === 0 ? [] : [programCapability(`${plan.group}/${id}`, needs, missing)];
  });
  const servers = steps
    .filter(({ phase, action }) => phase === 'remote_servers' && action.kind === 'remote')
    .map(({ id, target }) => serverCapability(`${plan.group}/${id}`, target, sources));
  const doneHere = steps.some(({ phase }) => phase !== 'remote_servers' && phase !== 'ups_output_off');
  return [...programs, ...servers, ...(local === null || !doneHere ? [] : [hostCapability(local, sources)])];
}

function programCapability(id: string, needs: readonly Need[], missing: readonly string[]): Capability {
  const [unmet] = unmetNeeds(needs, missing);
  return capability(
    id,
    unmet && `the program ${unmet.anyOf.join(' or ')} is not installed or may not be run`,
  );
}

/** See specification/remote-servers.md#errors-that-only-an-operator-can-correct; any other error counts once FAILED. */
function serverCapability(id: string, server: string, sources: Sources): Capability {
  const down = sources.down.get(server);
  if (down !== undefined)
    return { id, achievable: true, reason: `the server ${server} ${down}, and is not up again` };
  const obstacle = obstacleTo(server, sources);
  if (obstacle !== null)
    return capability(id, `the daemon cannot log in to the server ${server}: ${obstacle}`);
  const row = sources.health.get(server);
  switch (row?.status) {
    case 'FAILED':
      return capability(id, withError(`the server ${server} is FAILED`, row.lastError));
    case 'DEGRADED':
      return {
        id,
        achievable: true,
        reason: withError(`the server ${server} is DEGRADED`, row.lastError),
      };
    case 'UNKNOWN':
      return capability(id, sources.startupCheck ? unprobedReason(server, sources) : undefined);
    case 'HEALTHY':
      return { id, achievable: true, reason: sources.unchecked.get(server) ?? '' };
    case 'DISABLED':
    case undefined:
      return capability(id, undefined);
  }
}

/** A daemon that starts in an outage may report this for hours: the reader must not search for a hanging probe. */
function unprobedReason(server: string, { paused }: Sources): string {
  const first = `the first probe of the server ${server} has not ended yet`;
  return paused.has(server) ? `${first}: it waits until power is back and no shutdown runs` : first;
}

/**
 * Why no login can succeed; null when no reason is known. The remote worker knows keys and names better than the last
 * probe, which may be an hour old; only a probe knows host keys.
 */
function obstacleTo(server: string, { servers, obstacles, health }: Sources): string | null {
  const problem = servers.get(server);
  if (typeof problem === 'string') return problem;
  const obstacle = obstacles.get(server);
  if (obstacle === undefined || (problem === null && obstacle !== 'hostKey')) return null;
  return health.get(server)?.lastError ?? null;
}

const withError = (text: string, error: string | null | undefined): string =>
  typeof error === 'string' ? `${text}: ${error}` : text;

/** The host of a container is shut down over a delegate, which must be HEALTHY (specification/sequence.md#in-a-container). */
function hostCapability({ group, server }: HostDelegation, sources: Sources): Capability {
  const id = `${group}/host_delegate`;
  if (server === null)
    return capability(
      id,
      'this daemon runs in a container, and no remote server of this group is the host_delegate that can power its host off',
    );
  const obstacle = obstacleTo(server, sources);
  if (obstacle !== null)
    return capability(id, `the daemon cannot log in to the host delegate ${server}: ${obstacle}`);
  const row = sources.health.get(server);
  const status = row?.status ?? 'UNKNOWN';
  if (status === 'HEALTHY') return { id, achievable: true, reason: sources.unchecked.get(server) ?? '' };
  return capability(id, withError(`the host delegate ${server} is ${status}, not HEALTHY`, row?.lastError));
}

/** In an outage any word counts as OB. */
function isWithoutWords({ status, timeOnBattery }: UpsRow): boolean {
  const words = statusWords(status);
  return words.length > 0 && timeOnBattery === 0 && !words.some(isKnownWord);
}

/** Achievable when `reason` is undefined. */
function capability(id: string, reason: string | undefined): Capability {
  return { id, achievable: reason === undefined, reason: reason ?? '' };
}
