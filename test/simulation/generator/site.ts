// Draws the site of a run: UPSes with batteries and firmware quirks, groups, feeds, servers, and the host.
import type { GroupSettings } from '../../../supervisor/policy/base/inputs.js';
import type { Random } from '../random.js';
import { noPlant } from '../plant/plant.js';
import type { CommandBehaviour, Firmware, Site, UpsSpec } from '../scenario.js';
import { groupPolicy, upsPolicy } from './settings.js';
import { instantDriver } from './drivers.js';

interface Layout {
  readonly ups: readonly string[];
  readonly groups: readonly (readonly string[])[];
  /** Members that may own servers and this host besides. */
  readonly owning?: readonly string[];
}

const layouts: Readonly<Record<string, Layout>> = {
  one: { ups: ['a'], groups: [] },
  two: { ups: ['a', 'b'], groups: [] },
  pair: { ups: ['a', 'b'], groups: [['a', 'b']] },
  three: { ups: ['a', 'b', 'c'], groups: [['a', 'b', 'c']] },
  mixed: { ups: ['a', 'b', 'c'], groups: [['b', 'c']] },
  twoGroups: {
    ups: ['a', 'b', 'c', 'd'],
    groups: [
      ['a', 'b'],
      ['c', 'd'],
    ],
  },
  /** A server on both feeds, the switch on one, this host on either. */
  shared: { ups: ['a', 'b'], groups: [['a', 'b']], owning: ['a', 'b'] },
  /** This host on the feed that a transfer switch prefers, servers behind the switch. */
  transfer: { ups: ['a', 'b', 'c'], groups: [['a', 'b']], owning: ['a'] },
  overlapping: {
    ups: ['a', 'b', 'c'],
    groups: [
      ['a', 'b'],
      ['b', 'c'],
      ['a', 'b', 'c'],
    ],
    owning: ['a', 'c'],
  },
  ofOne: { ups: ['a', 'b'], groups: [['a'], ['a', 'b']], owning: ['a', 'b'] },
};

/** The real supervision is slow; this share of runs covers its faults in all combinations. */
const supervisedShare = 0.12;

const honest: Firmware = {
  chargeStep: 1,
  runtimeStep: 1,
  runtimeFactor: 1,
  saysCharge: true,
  namesLineWhenOff: false,
  saysRuntime: true,
  saysVolts: true,
  zeroOnLine: false,
  hasGauge: true,
  lowFlagPercent: 15,
  lagMs: 0,
  stuckCharge: false,
  showsExercise: true,
  stuckExercise: false,
  saysDischarge: true,
  saysPack: false,
  batteryWords: ['OB'],
  lineWords: ['OL'],
  words: [],
};

/** `quick`: small batteries and small thresholds. */
export function generateSite(random: Random, quick: boolean): Site {
  const kind = random.weighted({
    one: 28,
    two: 8,
    pair: 14,
    three: 10,
    mixed: 8,
    twoGroups: 4,
    shared: 12,
    transfer: 4,
    overlapping: 8,
    ofOne: 4,
  });
  const layout = layouts[kind] ?? { ups: ['a'], groups: [] };
  const owning = layout.owning ?? [];
  const hostFeeds = hostFeedsOf(random, layout);
  // Without a local UPS or group `trigger_on` decides.
  const hasLocal = random.chance(0.85);
  const isLocal = (feeds: readonly string[]) => hasLocal && feeds === hostFeeds;
  const groups: GroupSettings[] = layout.groups.map((members) =>
    groupPolicy(random, members, isLocal(members), quick),
  );
  const isShared = random.chance(0.4);
  const isFedTogether = random.chance(0.4);
  const ups = layout.ups.map((name): UpsSpec => {
    const isOnlyFeed = hasLocal && !layout.groups.includes(hostFeeds) && hostFeeds[0] === name;
    const policy = upsPolicy(random, name, isOnlyFeed, quick);
    const memberOf = groups.filter(({ members }) => members.includes(name)).map((group) => group.name);
    return {
      policy: { ...policy, groups: memberOf, advisory: memberOf.length > 0 && !owning.includes(name) },
      feed: isFedTogether ? 'grid' : `feed-${name}`,
      server: isShared ? 'nut' : `nut-${name}`,
      battery: {
        fullLoadMs: random.integer(quick ? 60 : 300, quick ? 400 : 1_200) * 1000,
        peukert: random.between(1, 1.3),
        rechargeMs: random.integer(1, 6) * 3_600_000,
        startPercent: random.chance(0.8) ? 100 : random.integer(30, 99),
      },
      loadPercent: random.integer(20, 95),
      nominalVolts: random.pick([120, 230]),
      latencyMs: random.pick([0, 2, 30, 120]),
      firmware: random.chance(0.6) ? honest : quirky(random),
      driver: instantDriver,
    };
  });
  return {
    ups,
    groups,
    voltageHysteresisMs: 30_000,
    dryRun: random.chance(0.04),
    localShutdown: {
      enabled: random.chance(0.95),
      triggerOn: random.chance(0.9) ? 'any' : 'none',
      fallback: random.chance(0.3),
    },
    hostFeeds,
    powerOff: powerOffBehaviours(random),
    restart: null,
    plant: noPlant,
    losses: [],
    supervised: random.chance(supervisedShare),
    bootMs: random.integer(20, 60) * 1000,
    clockAtBootSeconds: 0,
  };
}

/** One UPS, or all members of a group: the same list as that of the group. */
function hostFeedsOf(random: Random, { groups, owning = [] }: Layout): readonly string[] {
  const ofFirst = groups.filter((members) => members.includes('a'));
  if (ofFirst.length === 0 || (owning.includes('a') && random.chance(0.4))) return ['a'];
  return random.pick(ofFirst);
}

/** A member that owns nothing in the end starts no sequence. */
export function withRoles(site: Site): Site {
  const ups = site.ups.map((one): UpsSpec => {
    const { groupId, groups, isLocal } = one.policy;
    const owns = isLocal || site.plant.servers.some(({ owner }) => owner === groupId);
    return { ...one, policy: { ...one.policy, advisory: groups.length > 0 && !owns } };
  });
  return { ...site, ups };
}

function quirky(random: Random): Firmware {
  return {
    ...honest,
    chargeStep: random.pick([1, 1, 5, 10]),
    runtimeFactor: random.pick([0.5, 0.9, 1, 1.3, 3]),
    saysCharge: random.chance(0.9),
    saysRuntime: random.chance(0.8),
    saysVolts: random.chance(0.7),
    zeroOnLine: random.chance(0.2),
    hasGauge: random.chance(0.9),
    lowFlagPercent: random.pick([0, 10, 20, 35]),
    lagMs: random.pick([0, 0, 2_000, 5_000]),
    stuckCharge: random.chance(0.1),
    showsExercise: random.chance(0.7),
    stuckExercise: random.chance(0.1),
    words: random.pick([[], [], ['RB'], ['ALARM'], ['BYPASS'], ['OVER'], ['ECO', 'HB']]),
  };
}

function powerOffBehaviours(random: Random): readonly CommandBehaviour[] {
  const succeeds = (): CommandBehaviour => ({
    kind: 'succeeds',
    afterMs: random.integer(10, 3_000),
    downMs: random.integer(2, 40) * 1000,
  });
  const fails: CommandBehaviour = { kind: 'fails', afterMs: random.integer(1, 2_000) };
  switch (random.weighted({ succeeds: 70, fails: 10, hangs: 8, deceives: 8, never: 4 })) {
    case 'succeeds':
      return [succeeds()];
    case 'fails':
      return [...Array.from({ length: random.integer(1, 4) }, () => fails), succeeds()];
    case 'hangs':
      return [{ kind: 'hangs' }, succeeds()];
    case 'deceives':
      return [{ kind: 'deceives', afterMs: 500 }, succeeds()];
    case 'never':
      return [fails];
  }
}
