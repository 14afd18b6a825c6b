// Random disturbances other than outages: false readings, servers, the daemon, clocks, disks, operators.
import type { PollFailure } from '../../../shared/domain/status/states.js';
import type { Random } from '../random.js';
import type { WorldEvent, Glitch, ServerState, Site, TimedWorldEvent, WorkerFault } from '../scenario.js';
import { throwers } from '../throwing.js';
import { triggers } from './settings.js';

const kinds = {
  glitch: 30,
  server: 25,
  crash: 12,
  stall: 5,
  suspend: 4,
  wallStep: 4,
  disk: 4,
  firmware: 6,
  load: 6,
  exercise: 8,
  demand: 2,
  output: 2,
  reload: 4,
  cancel: 2,
  worker: 0,
} as const;

const workerWeight = 60;
const workerFaults: readonly WorkerFault[] = [
  'dies',
  'hangs',
  'floods',
  'babbles',
  'process-dies',
  'process-hangs',
  'process-starves',
  'never-ready',
];

/** Between `fromMs` and `untilMs`; some end a while later. */
export function disturbance(
  random: Random,
  site: Site,
  fromMs: number,
  untilMs: number,
): readonly TimedWorldEvent[] {
  const atMs = random.integer(fromMs, untilMs);
  const ups = random.pick(site.ups).policy.groupId;
  const server = random.pick(site.ups).server;
  const thenMs = atMs + random.integer(500, random.pick([5_000, 30_000, 120_000]));
  const once = (worldEvent: WorldEvent): readonly TimedWorldEvent[] => [{ atMs, worldEvent }];
  const pair = (begin: WorldEvent, end: WorldEvent): readonly TimedWorldEvent[] => [
    { atMs, worldEvent: begin },
    { atMs: thenMs, worldEvent: end },
  ];
  switch (random.weighted(site.supervised ? { ...kinds, worker: workerWeight } : kinds)) {
    case 'glitch':
      return once({ kind: 'glitch', ups, glitch: glitch(random) });
    case 'server':
      return pair(
        { kind: 'server', server, state: trouble(random) },
        { kind: 'server', server, state: { kind: 'up' } },
      );
    case 'crash':
      return once({ kind: 'crash', downMs: random.pick([200, 500, 1_000, 5_000, 30_000]) });
    case 'stall':
      return once({ kind: 'stall', ms: random.integer(300, 90_000) });
    case 'suspend':
      return once({ kind: 'suspend', ms: random.integer(1, 600) * 1000 });
    case 'wallStep':
      return once({ kind: 'wallStep', seconds: random.pick([-86_400, -3_600, -5, 5, 3_600, 400_000_000]) });
    case 'disk':
      return pair({ kind: 'disk', full: true }, { kind: 'disk', full: false });
    case 'firmware':
      return pair(
        { kind: 'firmware', ups, change: { stuckCharge: true, saysRuntime: random.chance(0.5) } },
        { kind: 'firmware', ups, change: { stuckCharge: false } },
      );
    case 'load':
      return once({ kind: 'load', ups, percent: random.integer(5, 115) });
    case 'exercise':
      return once({
        kind: 'exercise',
        ups,
        exercise: random.pick(['test', 'calibration']),
        lastsMs: random.integer(5, 120) * 1000,
      });
    case 'demand':
      return pair({ kind: 'demand', ups, on: true }, { kind: 'demand', ups, on: false });
    case 'output':
      return pair({ kind: 'output', ups, on: false }, { kind: 'output', ups, on: true });
    case 'reload':
      return once(reload(random, site));
    case 'cancel':
      return once({ kind: 'cancel' });
    case 'worker':
      return once({ kind: 'worker', ups, fault: random.pick(workerFaults) });
  }
}

/** The remote worker dies or hangs when it is likely to be needed: some time after the mains fail. */
export function remoteFaults(
  random: Random,
  { plant }: Site,
  mains: readonly TimedWorldEvent[],
): readonly TimedWorldEvent[] {
  const [first] = mains;
  if (first === undefined || plant.servers.length === 0 || !random.chance(0.4)) return [];
  return Array.from({ length: random.integer(1, 3) }, () => ({
    atMs: first.atMs + random.integer(0, 180_000),
    worldEvent: {
      kind: 'remoteWorker',
      fault: random.pick(['dies', 'hangs'] as const),
      awayMs: random.pick([0, 0, 1_000, 4_000]),
    },
  }));
}

/** Exceptions around a failure of the mains: in half of the runs a few, in some many. */
export function exceptions(random: Random, untilMs: number): readonly TimedWorldEvent[] {
  return Array.from({ length: random.pick([0, 0, 0, 1, 2, 5, 20]) }, () => ({
    atMs: random.integer(0, untilMs),
    worldEvent: { kind: 'throws', call: random.pick(throwers), skipped: random.pick([0, 0, 1, 2, 5, 20]) },
  }));
}

/** One wrong answer. Never FSD: it fires immediately, and a false one cannot be detected. */
function glitch(random: Random): Glitch {
  const words = random.pick([
    ['OB'],
    ['OB', 'LB'],
    ['OB', 'LB', 'DISCHRG', 'RB'],
    ['OL', 'OB'],
    ['OL'],
    ['OFF'],
    ['BYPASS'],
    ['OVER', 'OL'],
    ['WAIT'],
    [],
    null,
    null,
  ]);
  return {
    words,
    ...(random.chance(0.6) ? { chargePercent: random.pick([null, 0, 1, 50, 100]) } : {}),
    ...(random.chance(0.6) ? { runtimeSeconds: random.pick([null, 0, 5, 100, 86_400]) } : {}),
  };
}

function trouble(random: Random): ServerState {
  const details: readonly PollFailure[] = [
    'SERVER_DOWN',
    'DRIVER_NOT_CONNECTED',
    'DATA_STALE',
    'UNKNOWN_UPS',
    'ACCESS_DENIED',
    'PROTOCOL_ERROR',
  ];
  switch (random.weighted({ hangs: 30, fails: 45, slow: 15, waits: 10 })) {
    case 'hangs':
      return { kind: 'hangs' };
    case 'fails':
      return { kind: 'fails', detail: random.pick(details) };
    case 'slow':
      return { kind: 'slow', ms: random.integer(200, 9_000) };
    case 'waits':
      return { kind: 'waits' };
  }
}

/** Other thresholds for some UPSes. The depletion window stays, because dropped charges cannot be restored. */
function reload(random: Random, site: Site): WorldEvent {
  const ups = site.ups.map(({ policy }) => {
    if (random.chance(0.5)) return policy;
    const { depletion, confirmations } = policy.triggers;
    const other = triggers(random, true);
    return {
      ...policy,
      triggers: { ...other, confirmations, depletion: { ...other.depletion, windowMs: depletion.windowMs } },
    };
  });
  return { kind: 'reload', policies: { ups, groups: site.groups } };
}
