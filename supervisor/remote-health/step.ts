// When remote servers are probed and what follows from it, as one function. Total, synchronous, without clock, I/O or
// randomness; it never throws. It shuts nothing down and nothing that shuts down waits for it.
import { unreachable } from '../../shared/domain/unreachable.js';
import type { Obstacle } from '../../shared/protocol/remote.js';
import type {
  Finding,
  Health,
  HealthEffect,
  HealthInput,
  HealthSettings,
  HealthState,
  HealthStep,
  ProbedServer,
  Rest,
  ServerHealth,
} from './state.js';
import { spread } from './spread.js';
import { tellFinding } from './told.js';

type Ticked = Extract<HealthInput, { kind: 'ticked' }>;

/** Contract 4. A login is work for both sides; eight at once get a fleet of a hundred done in seconds. */
const mostAtOnce = 8;
/** Between two probes lies the interval and up to a tenth of it, so that servers probed together drift apart. */
const spreadShare = 0.1;
/** A prober that was lost is back after a second or so; a server that ends it again and again is asked once a minute. */
const againAfterMs = 60_000;
/** Servers that a sequence has brought down get this long to boot (the default of boot_timeout) before one is missed. */
const bootMs = 300_000;

export function step(state: HealthState, input: HealthInput): HealthStep {
  switch (input.kind) {
    case 'configured':
      return { state: configured(state, input.settings, input.at.monotonicMs), effects: [] };
    case 'ticked':
      return begun(rested(state, input), input.able, input.at.monotonicMs);
    case 'probed':
      return ended(state, input);
    case 'interrupted':
      return {
        state: changed(state, input.probe, (one) => {
          return { ...one, probe: null, dueMs: input.at.monotonicMs + againAfterMs };
        }),
        effects: [],
      };
    default:
      return unreachable(input);
  }
}

/** Servers that stay keep what is known of them. */
function configured(state: HealthState, settings: HealthSettings, nowMs: number): HealthState {
  const known = new Map(state.servers.map((one) => [one.server.name, one]));
  const servers = settings.servers.map((server): ServerHealth => {
    const before = known.get(server.name);
    if (before === undefined || before.server.place !== server.place || !before.server.probed)
      return unprobed(server, settings, nowMs);
    if (!server.probed) return unprobed(server, settings, nowMs);
    if (before.server.way !== server.way) return { ...before, server, probe: null, dueMs: nowMs };
    // Who has put a host key or a name right reloads, and wants to see that it is right.
    const mended = obstacleOf(before) !== null ? nowMs : nextDue(server, settings, nowMs, state.probes);
    const dueMs = Math.min(before.dueMs, mended);
    return { ...before, server, dueMs };
  });
  return { ...state, settings, servers };
}

function unprobed(server: ProbedServer, settings: HealthSettings, nowMs: number): ServerHealth {
  return {
    server,
    health: { kind: server.probed ? 'UNKNOWN' : 'DISABLED' },
    dueMs: settings.startupCheck ? nowMs : nextDue(server, settings, nowMs, 0),
    probe: null,
    lastCheckedAt: null,
    lastSuccessAt: null,
    rest: 'none',
  };
}

function nextDue(
  { name }: ProbedServer,
  { seed, intervalMs }: HealthSettings,
  nowMs: number,
  round: number,
): number {
  return nowMs + intervalMs * (1 + spreadShare * spread(`${seed}/${name}/${String(round)}`));
}

/** Which servers rest: in an outage logins belong to the shutdown, and what it brings down has not failed. */
function rested(state: HealthState, input: Ticked): HealthState {
  let isSame = true;
  const servers = state.servers.map((one) => {
    const now = restOf(one, input);
    if (now === one.rest) return one;
    isSame = false;
    const booted = input.at.monotonicMs + bootMs;
    const waits = now === 'none' && one.rest === 'sequence';
    return { ...one, rest: now, dueMs: waits ? Math.max(one.dueMs, booted) : one.dueMs };
  });
  return isSame ? state : { ...state, servers };
}

function restOf({ rest, server }: ServerHealth, { sequenceRuns, onBattery }: Ticked): Rest {
  if (sequenceRuns) return 'sequence';
  if (!onBattery.has(server.group)) return 'none';
  return rest === 'sequence' ? 'sequence' : 'onBattery';
}

function begun(state: HealthState, able: boolean, nowMs: number): HealthStep {
  const nothing = { state, effects: [] };
  if (!able) return nothing;
  const due = state.servers.filter(
    ({ server, probe, rest, dueMs }) => server.probed && probe === null && rest === 'none' && dueMs <= nowMs,
  );
  const room = mostAtOnce - state.servers.filter(({ probe }) => probe !== null).length;
  if (due.length === 0 || room <= 0) return nothing;
  const chosen = [...due].sort((one, other) => one.dueMs - other.dueMs).slice(0, room);
  const numbers = new Map(chosen.map((one, index) => [one, state.probes + 1 + index]));
  const servers = state.servers.map((one) => {
    const probe = numbers.get(one);
    if (probe === undefined) return one;
    // Counted from its begin, so that a slow server does not shift its own probes.
    return { ...one, probe, dueMs: nextDue(one.server, state.settings, nowMs, probe) };
  });
  return {
    state: { ...state, servers, probes: state.probes + chosen.length },
    effects: [...numbers].map(([{ server }, probe]) => ({ kind: 'probe', probe, server })),
  };
}

function ended(
  state: HealthState,
  { probe, at, finding }: Extract<HealthInput, { kind: 'probed' }>,
): HealthStep {
  const before = state.servers.find((one) => one.probe === probe);
  // The server is gone, is another one, or is probed in another way by now.
  if (before === undefined) return { state, effects: [] };
  if (!finding.ok && before.rest !== 'none') {
    // The outage has begun meanwhile: the server may have been brought down, or its switch is without power.
    const unsaid = (one: ServerHealth) => ({ ...one, probe: null, dueMs: at.monotonicMs });
    return { state: changed(state, probe, unsaid), effects: [] };
  }
  const health = judged(before, finding, state.settings);
  const after: ServerHealth = {
    ...before,
    health,
    probe: null,
    lastCheckedAt: Math.floor(at.unixSeconds),
    lastSuccessAt: finding.ok ? Math.floor(at.unixSeconds) : before.lastSuccessAt,
  };
  const published: HealthEffect = {
    kind: 'publish',
    group: before.server.group,
    status: !showsTheSame(before.health, health),
  };
  return {
    state: changed(state, probe, () => after),
    effects: [...tellFinding(before, after, state.settings), published],
  };
}

/** What the last probe met that nothing but somebody who mends it removes. */
export function obstacleOf({ health }: ServerHealth): Obstacle | null {
  return 'obstacle' in health ? health.obstacle : null;
}

function judged(
  { health, server }: ServerHealth,
  finding: Finding,
  { failureThreshold }: HealthSettings,
): Health {
  if (finding.ok) {
    const { latencyMs } = finding;
    return { kind: 'HEALTHY', latencyMs, slow: latencyMs > slowLimitMs(server) };
  }
  const failures = 'failures' in health ? health.failures + 1 : 1;
  // A threshold raised by a reload does not heal a server that has failed.
  const isFailed = health.kind === 'FAILED' || failures >= failureThreshold;
  const { reason: error, obstacle } = finding;
  return { kind: isFailed ? 'FAILED' : 'DEGRADED', failures, error, obstacle };
}

/** A shutdown gives the login `connect_timeout`; a server that needs more than half of it in calm is at the edge. */
export function slowLimitMs({ connectTimeoutMs }: ProbedServer): number {
  return connectTimeoutMs / 2;
}

/** The short row, which is part of the status, would not change. */
function showsTheSame(before: Health, after: Health): boolean {
  if (before.kind !== after.kind) return false;
  return !('failures' in before && 'failures' in after);
}

/** The server whose probe has this number, changed; the same state when there is none. */
function changed(
  state: HealthState,
  probe: number,
  change: (one: ServerHealth) => ServerHealth,
): HealthState {
  const servers = state.servers.map((one) => (one.probe === probe ? change(one) : one));
  return { ...state, servers };
}
