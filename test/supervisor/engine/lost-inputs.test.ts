// Two daemons get the same polls; policy of one of them throws now and then. Neither starts what the other does not.
import { expect } from 'chai';
import fc from 'fast-check';
import type { PollOutcome } from '../../../supervisor/policy/base/inputs.js';
import { settledInMemory } from '../../fixtures/fake-time.js';
import { configurationFrom, withGroup } from '../config/loading.js';
import { reading } from '../policy/stream.js';
import { ThrowingSite } from '../throwing-engine.js';
import { Bug, ofAll, ofReadings } from './unreadable-settings.js';

interface Step {
  readonly ups: string;
  readonly words: string;
  readonly chargePercent: number | null;
  readonly runtimeSeconds: number | null;
  readonly seconds: number;
  readonly broken: keyof ReturnType<typeof bugs> | null;
  readonly isRestart: boolean;
}

interface Settings {
  readonly minHealthy: number;
  readonly degraded: string;
  readonly unknown: string;
  readonly confirmations: number;
  readonly hasGroup: boolean;
}

const failed: PollOutcome = { kind: 'failed', detail: 'SERVER_DOWN', message: '' };
const members = ['rack-a-nut1', 'rack-b-nut1'];
/** A group is decided at most this much earlier by a policy that throws: the two evaluate it at other ticks. */
const toleranceMs = 2_500;

const anyStep: fc.Arbitrary<Step> = fc.record({
  ups: fc.constantFrom('a', 'b', 'ab', 'ab'),
  words: fc.constantFrom(
    ...['OL', 'OL', 'OB', 'OB', 'OB', 'OB LB', 'OL OB', 'FSD OB', 'OL OVER', 'OB OVER', 'BYPASS', 'DISCHRG'],
    ...['OL BOOST', 'OL TRIM', 'OL OB LB', 'OFF', 'CAL OB', 'OB BYPASS', 'no answer'],
  ),
  chargePercent: fc.constantFrom(100, 100, 60, 15, null),
  runtimeSeconds: fc.constantFrom(3_000, 3_000, 100, null),
  seconds: fc.constantFrom(1, 2, 3, 5, 12, 30),
  broken: fc.constantFrom(null, null, 'readings of a', 'readings of b', 'all of a', 'group', 'thresholds'),
  isRestart: fc.integer({ max: 9, min: 0 }).map((one) => one === 9),
});
const anySettings: fc.Arbitrary<Settings> = fc.record({
  minHealthy: fc.constantFrom(1, 2),
  degraded: fc.constantFrom('healthy', 'critical'),
  unknown: fc.constantFrom('healthy', 'degraded', 'critical'),
  confirmations: fc.constantFrom(2, 3),
  hasGroup: fc.constantFrom(true, true, false),
});

function rackOf({ minHealthy, degraded, unknown, confirmations, hasGroup }: Settings) {
  const keys =
    `min_healthy = ${String(minHealthy)}\ndegraded_counts_as = "${degraded}"\n` +
    `unknown_counts_as = "${unknown}"\nis_local = true\n`;
  const [upses = ''] = withGroup.split('[[redundancy_groups]]');
  const triggers = `[triggers]\non_battery_stabilization_delay = 0\nconfirmations = ${String(confirmations)}\n`;
  const rack = hasGroup ? `${withGroup}${keys}` : upses;
  return { ...configurationFrom(`${rack}${triggers}[behavior]\ndry_run = true\n`), inContainer: false };
}

const bugs = () => ({
  'readings of a': new Bug(),
  'readings of b': new Bug(),
  'all of a': new Bug(),
  group: new Bug(),
  thresholds: new Bug(),
});

async function play(steps: readonly Step[], settings: Settings): Promise<readonly string[]> {
  const all = bugs();
  const rack = rackOf(settings);
  const withA = all['all of a'].in(
    all['readings of a'].in(rack, ofReadings, 'rack-a@nut1'),
    ofAll,
    'rack-a@nut1',
  );
  const withB = all['readings of b'].in(withA, ofReadings, 'rack-b@nut1');
  const withGroups = all.thresholds.inGroups(all.group.inGroups(withB, 'minHealthy'), 'triggers');
  const [healthy, struck] = [rack, withGroups].map((one) => new ThrowingSite(one, 'before', () => false));
  if (healthy === undefined || struck === undefined) throw new Error('no site');
  const shown = new Map(
    members.map((ups) => [ups, reading('OL', { chargePercent: 100, runtimeSeconds: 3_000 })]),
  );
  const pass = async (seconds: number) => {
    for (let quarter = 0; quarter < seconds * 4; quarter += 1)
      for (const site of [healthy, struck]) {
        await site.time.pass(250);
        site.decisions.tick();
        await settledInMemory();
        if (quarter % 4 !== 0) continue;
        for (const [ups, outcome] of shown) site.answers(ups, outcome);
        await settledInMemory();
      }
  };
  await pass(4);
  for (const { ups, words, seconds, broken, isRestart, ...values } of steps) {
    for (const letter of ups)
      shown.set(`rack-${letter}-nut1`, words === 'no answer' ? failed : reading(words, values));
    for (const [name, bug] of Object.entries(all)) bug.isBroken = name === broken;
    if (isRestart) for (const site of [healthy, struck]) site.restart();
    await pass(seconds);
  }
  const wrong = differences(healthy, struck);
  for (const bug of Object.values(all)) bug.isBroken = false;
  for (const ups of members) shown.set(ups, reading('OB', { chargePercent: 15, runtimeSeconds: 100 }));
  await pass(60);
  const isFired = ({ decisions: { state } }: ThrowingSite, id: string) =>
    [...state.ups, ...state.groups].find(({ policy }) => policy.groupId === id)?.shutdown.kind === 'fired';
  const missed = [...members, 'redundancy-rack-1'].filter(
    (id) => isFired(healthy, id) && !isFired(struck, id),
  );
  return [...wrong, ...missed.map((id) => `${id} is not shut down`)];
}

function differences({ starts: right }: ThrowingSite, { starts }: ThrowingSite): readonly string[] {
  return starts.flatMap(({ group, atMs }, place) => {
    const of = ({ group: other }: { readonly group: string }) => other === group;
    if (!right.some((one) => of(one) && one.atMs <= atMs + toleranceMs))
      return `${group} starts at ${String(atMs)}`;
    const isLast = starts.findLastIndex(of) === place;
    // How often a flicker starts it is not compared: another second may join two outages.
    return isLast && starts.filter(of).length > right.filter(of).length + 1
      ? `${group} starts too often`
      : [];
  });
}

describe('a daemon whose policy throws, beside one whose policy works', () => {
  it('starts what the other starts, and nothing else', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { minLength: 1, maxLength: 10 }),
        anySettings,
        async (steps, settings) => {
          expect((await play(steps, settings)).join('; ')).to.equal('');
        },
      ),
      { numRuns: 10, includeErrorInReport: true },
    ));
});
