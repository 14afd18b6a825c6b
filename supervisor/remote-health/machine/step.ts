// Decides when remote servers are probed and what follows from a result. One total, synchronous function without clock,
// I/O or randomness; it never throws. No shutdown waits for it.
import { unreachable } from '../../../shared/domain/base/unreachable.js';
import type { FailedServer } from '../../../shared/protocol/storage.js';
import type { Obstacle } from '../../../shared/protocol/remote.js';
import type {
  Health,
  HealthEffect,
  HealthInput,
  HealthSettings,
  HealthState,
  HealthStep,
  Memory,
  ProbedServer,
  Pause,
  ServerHealth,
} from './state.js';
import { bootMs, healthAfter, mayBoot } from './finding.js';
import { jitter } from './jitter.js';
import { messagesOf, sharesMessage, withNetwork } from './failed-period.js';
import { recordFinding, failureMessage, networkDownMessage, recoveryMessage } from './messages.js';

type Ticked = Extract<HealthInput, { kind: 'ticked' }>;

/** Eight concurrent logins check a hundred servers in seconds (specification/remote-servers.md#when-probes-run). */
const maxConcurrentProbes = 8;
/** The interval plus up to a tenth of it, so that servers probed together drift apart. */
const jitterShare = 0.1;
/** A lost prober is back after about a second. A server whose probe crashes it repeatedly is probed once a minute. */
const retryMs = 60_000;
/** Storage opens its database within a second. After this time a possible second message is better than none. */
const memoryMs = 30_000;

export function step(state: HealthState, input: HealthInput): HealthStep {
  switch (input.kind) {
    case 'configured':
      return { state: configure(state, input.settings, input.at.monotonicMs), effects: [] };
    case 'ticked': {
      const ready = withoutMemory(withPauses(state, input), input.at.monotonicMs);
      const { state: after, effects } = startProbes(ready.state, input.isProberReady, input.at.monotonicMs);
      return { state: after, effects: [...ready.effects, ...effects] };
    }
    case 'probed':
      return endProbe(state, input);
    case 'recalled':
      return recall(state, input.failed);
    case 'interrupted':
      return {
        state: changeServer(state, input.probe, (one) => {
          return { ...one, probe: null, dueMs: input.at.monotonicMs + retryMs };
        }),
        effects: [],
      };
    default:
      return unreachable(input);
  }
}

/** Servers that stay keep their state. */
function configure(state: HealthState, settings: HealthSettings, nowMs: number): HealthState {
  const known = new Map(state.servers.map((one) => [one.server.name, one]));
  const servers = settings.servers.map((server): ServerHealth => {
    const before = known.get(server.name);
    if (before === undefined || before.server.place !== server.place || !before.server.probed)
      return unprobedServer(server, settings, nowMs);
    if (!server.probed) return unprobedServer(server, settings, nowMs);
    if (before.server.access !== server.access) return { ...before, server, probe: null, dueMs: nowMs };
    // An operator who has corrected a host key or a name reloads, and wants to see the result.
    const nextDueMs = obstacleOf(before) !== null ? nowMs : nextDue(server, settings, nowMs, state.probes);
    const dueMs = Math.min(before.dueMs, nextDueMs);
    return { ...before, server, dueMs };
  });
  const { memory } = state;
  const isFirst = memory.kind === 'awaited' && memory.untilMs === null;
  return {
    ...state,
    settings,
    servers,
    memory: isFirst ? { kind: 'awaited', untilMs: nowMs + memoryMs } : memory,
  };
}

function unprobedServer(server: ProbedServer, settings: HealthSettings, nowMs: number): ServerHealth {
  return {
    server,
    health: { kind: server.probed ? 'UNKNOWN' : 'DISABLED' },
    dueMs: settings.startupCheck ? nowMs : nextDue(server, settings, nowMs, 0),
    probe: null,
    lastCheckedAt: null,
    lastSuccessAt: null,
    pause: 'none',
    failed: null,
    notified: false,
  };
}

function nextDue(
  { name }: ProbedServer,
  { seed, intervalMs }: HealthSettings,
  nowMs: number,
  round: number,
): number {
  return nowMs + intervalMs * (1 + jitterShare * jitter(`${seed}/${name}/${String(round)}`));
}

/** Pauses probes: in an outage logins belong to the shutdown, and a server that it shut down has not failed. */
function withPauses(state: HealthState, input: Ticked): HealthState {
  let isSame = true;
  const servers = state.servers.map((one) => {
    const now = pauseOf(one, input);
    if (now === one.pause) return one;
    isSame = false;
    const booted = input.at.monotonicMs + bootMs;
    const waits = now === 'none' && one.pause === 'sequence';
    return { ...one, pause: now, dueMs: waits ? Math.max(one.dueMs, booted) : one.dueMs };
  });
  return isSame ? state : { ...state, servers };
}

function pauseOf({ pause, server }: ServerHealth, { sequenceRuns, onBattery, down }: Ticked): Pause {
  if (sequenceRuns || down.has(server.name)) return 'sequence';
  if (!onBattery.has(server.group)) return 'none';
  return pause === 'sequence' ? 'sequence' : 'onBattery';
}

function startProbes(state: HealthState, isProberReady: boolean, nowMs: number): HealthStep {
  const nothing = { state, effects: [] };
  if (!isProberReady) return nothing;
  const due = state.servers.filter(
    ({ server, probe, pause, dueMs }) =>
      server.probed && probe === null && pause === 'none' && dueMs <= nowMs,
  );
  const room = maxConcurrentProbes - state.servers.filter(({ probe }) => probe !== null).length;
  if (due.length === 0 || room <= 0) return nothing;
  const chosen = [...due].sort((one, other) => one.dueMs - other.dueMs).slice(0, room);
  const numbers = new Map(chosen.map((one, index) => [one, state.probes + 1 + index]));
  const servers = state.servers.map((one) => {
    const probe = numbers.get(one);
    if (probe === undefined) return one;
    // Counted from the start of the probe, so that a slow server does not delay its own probes.
    return { ...one, probe, dueMs: nextDue(one.server, state.settings, nowMs, probe) };
  });
  return {
    state: { ...state, servers, probes: state.probes + chosen.length },
    effects: [...numbers].map(([{ server }, probe]) => ({ kind: 'probe', probe, server })),
  };
}

function endProbe(
  state: HealthState,
  { probe, at, finding }: Extract<HealthInput, { kind: 'probed' }>,
): HealthStep {
  const before = state.servers.find((one) => one.probe === probe);
  // The server was removed, replaced, or its access changed.
  if (before === undefined) return { state, effects: [] };
  if (!finding.ok && before.pause !== 'none') {
    // The outage started during the probe: the server may be shut down, or its switch has no power.
    const withoutProbe = (one: ServerHealth) => ({ ...one, probe: null, dueMs: at.monotonicMs });
    return { state: changeServer(state, probe, withoutProbe), effects: [] };
  }
  if (!finding.ok && before.lastSuccessAt === null && mayBoot(at, finding.obstacle))
    return {
      state: changeServer(state, probe, (one) => ({ ...one, probe: null, dueMs: bootMs })),
      effects: [],
    };
  const health = healthAfter(before, finding, state.settings);
  const { failed, notified, messages } = messagesOf(before, health, !finding.ok && finding.ownNetwork, state);
  const after: ServerHealth = {
    ...before,
    health,
    failed,
    notified,
    probe: null,
    lastCheckedAt: Math.floor(at.unixSeconds),
    lastSuccessAt: finding.ok ? Math.floor(at.unixSeconds) : before.lastSuccessAt,
  };
  const published: HealthEffect = {
    kind: 'publish',
    group: before.server.group,
    status: !hasSameShortRow(before.health, health),
  };
  const isNetworkBack = finding.ok && before.failed?.ownNetwork === 'down';
  return {
    state: changeServer(isNetworkBack ? withNetwork(state) : state, probe, () => after),
    effects: [...recordFinding(before, after), ...messages, published],
  };
}

/** Sends the messages that waited for the stored state. */
function release(state: HealthState, memory: Memory): HealthStep {
  const effects: HealthEffect[] = [];
  let isShared = sharesMessage(state.servers);
  const servers = state.servers.map((one) => {
    const { health, failed } = one;
    const waits = health.kind === 'FAILED' && failed !== null && !failed.notified;
    if (!waits || !state.settings.notifyOnFailure) return one;
    if (failed.ownNetwork !== 'down') effects.push(failureMessage(one));
    else if (!isShared) effects.push(networkDownMessage(one));
    isShared ||= failed.ownNetwork === 'down';
    return { ...one, failed: { ...failed, notified: true }, notified: true };
  });
  return { state: { ...state, servers, memory }, effects };
}

function withoutMemory(state: HealthState, nowMs: number): HealthStep {
  const { memory } = state;
  const isOver = memory.kind === 'awaited' && memory.untilMs !== null && nowMs >= memory.untilMs;
  return isOver ? release(state, { kind: 'overdue' }) : { state, effects: [] };
}

/** Resumes the failed periods of a previous daemon, unless the server was removed or is another machine. */
function recall(state: HealthState, kept: readonly FailedServer[]): HealthStep {
  if (state.memory.kind === 'there') return { state, effects: [] };
  const byName = new Map(kept.map((one) => [one.server, one]));
  const effects: HealthEffect[] = [];
  const servers = state.servers.map((one): ServerHealth => {
    const period = byName.get(one.server.name);
    if (period === undefined || !one.server.probed || period.place !== one.server.place) return one;
    if (one.health.kind !== 'HEALTHY') {
      const notified = period.notified || one.failed?.notified === true;
      return { ...one, failed: { notified, isOlder: true, ownNetwork: one.failed?.ownNetwork ?? 'no' } };
    }
    if (one.notified || !state.settings.notifyOnRecovery) return one;
    effects.push(recoveryMessage(one));
    return { ...one, notified: true };
  });
  const after = release({ ...state, servers }, { kind: 'there' });
  return { state: after.state, effects: [...effects, ...after.effects] };
}

/** What the next daemon must know, sorted. */
export function failedServers({ servers }: HealthState): readonly FailedServer[] {
  return servers
    .flatMap(({ server: { name, place }, failed }) =>
      failed === null ? [] : [{ server: name, place, notified: failed.notified }],
    )
    .sort((one, other) => (one.server < other.server ? -1 : 1));
}

/** The error of the last probe that only an operator can correct. */
export function obstacleOf({ health }: ServerHealth): Obstacle | null {
  return 'obstacle' in health ? health.obstacle : null;
}

/** True when the short row, which is part of the status, does not change. */
function hasSameShortRow(before: Health, after: Health): boolean {
  if (before.kind !== after.kind) return false;
  return !('failures' in before && 'failures' in after);
}

/** The state with the server of this probe changed; the same state when there is none. */
function changeServer(
  state: HealthState,
  probe: number,
  change: (one: ServerHealth) => ServerHealth,
): HealthState {
  const servers = state.servers.map((one) => (one.probe === probe ? change(one) : one));
  return { ...state, servers };
}
