// The facts of the last reading for the triggers.
import { expect } from 'chai';
import type { Facts } from '../../../../shared/domain/triggers/trigger.js';
import type { PollOutcome } from '../../../../supervisor/policy/base/inputs.js';
import {
  factsOf,
  newUps,
  remainingOf,
  undoubtedReading,
  valuesInDoubt,
} from '../../../../supervisor/policy/state/ups-state.js';
import { noFall } from '../../../../supervisor/policy/power/battery-fall.js';
import { noDebounce } from '../../../../supervisor/policy/state/member-health.js';
import { initialState, upsOf } from '../../../../supervisor/policy/state/state.js';
import { reading, settingsOf, Stepper } from '../stream.js';

const good = { chargePercent: 90, runtimeSeconds: 3_000 };

function upsAfter(settings: string, ...polls: readonly (readonly [PollOutcome, number])[]) {
  const stepper = new Stepper(settingsOf(`ups a ${settings}`));
  for (const [outcome, count] of polls) stepper.polls('a', outcome, count);
  const ups = upsOf(stepper.state, 'a');
  if (ups === undefined) throw new Error('no UPS');
  return ups;
}

const factsAfter = (settings: string, ...polls: readonly (readonly [PollOutcome, number])[]): Facts | null =>
  factsOf(upsAfter(settings, ...polls));

const withVariables = (outcome: PollOutcome, variables: Record<string, string>): PollOutcome =>
  ({ ...outcome, variables }) as PollOutcome;

describe('a UPS before its first reading', () => {
  it('has given nothing, and nothing is known or counted of it', () => {
    expect(newUps(7)).to.deep.include({
      ...{ addedWatchedMs: 7, line: { kind: 'unseen' }, fsd: { kind: 'unseen' }, met: null },
      lastReport: { watchedMs: 7, waiting: false },
      connection: {
        ...{ status: { kind: 'unknown' }, detail: 'NEVER_POLLED', failedPolls: 0, onlyStale: true },
        flaps: { recoveriesMs: [], reported: false },
      },
      batteryTime: {
        ...{ sumMs: 0, sinceMs: 0, use: 'rests', fullPercent: null, gauge: 'unproven', fullSinceMs: null },
      },
      inhibits: {
        ...{ testMs: null, calibrationMs: null, ownTestMs: null, calibrationLowMs: null },
        ...{ withoutTest: 0, withoutCalibration: 0 },
      },
    });
    expect(noDebounce).to.deep.include({ degraded: 0, overloaded: 0, onBattery: 0 });
    expect(noFall(7)).to.deep.include({ stretchMs: 7, chargeReadings: 0, runtimeSinceMs: null });
    expect(initialState).to.deep.include({
      evaluatedMs: 0,
      settings: { ups: [], redundancyGroups: [], voltageHysteresisMs: 0 },
    });
  });
});

describe('the facts for the triggers', () => {
  it('count from the reading that began to show an unknown source', () => {
    expect(factsAfter('', [reading('OL OB', good), 1])).to.include({ source: 'unknown', onBatteryMs: 0 });
  });

  const both = reading('OL OB', good);

  it('of an unknown source have the time since the first reading as that on battery', () => {
    expect(factsAfter('', [both, 31])).to.include({ source: 'unknown', onBatteryMs: 30_000 });
    expect(factsAfter('', [both, 3], [reading('CHRG', good), 1]), 'without a source').to.equal(null);
  });

  it('of a contradicted OL have the time since the contradiction, where the charge is trusted', () => {
    const fallen = reading('OL', { ...good, chargePercent: 84 });
    const since = (settings: string) => factsAfter(settings, [reading('OL', good), 20], [fallen, 12]);
    expect(since('trust=charge')).to.include({ source: 'contradicted', onBatteryMs: 10_000 });
    expect(since('')).to.equal(null);
    expect(factsAfter('trust=charge', [reading('OL', good), 20])).to.equal(null);
  });

  it('have LB for as long as readings have shown it', () => {
    const flagMs = (count: number) => factsAfter('', [reading('OB LB', good), count])?.lowBatteryFlagMs;
    expect([flagMs(1), flagMs(4)]).to.deep.equal([0, 3_000]);
    expect(factsAfter('', [reading('OB', good), 4])?.lowBatteryFlagMs).to.equal(0);
  });

  it('have a suspect battery with RB, or with a last test that did not pass', () => {
    const suspect = (words: string, result: string) =>
      factsAfter('', [withVariables(reading(words, good), { 'ups.test.result': result }), 1])
        ?.isBatterySuspect;
    expect([suspect('OB', ''), suspect('OB RB', '')]).to.deep.equal([false, true]);
    const results = [
      'Done and passed',
      'Done and warning',
      'Done and error',
      'In progress',
      'No test initiated',
    ];
    expect(results.map((result) => suspect('OB', result))).to.deep.equal([false, true, true, false, false]);
  });
});

describe('the values in doubt', () => {
  const names = (...polls: readonly (readonly [PollOutcome, number])[]) => {
    const ups = upsAfter('', ...polls);
    return valuesInDoubt(ups, ups.policy);
  };
  const jump = (charge: number | null, runtime: number | null) =>
    names([reading('OB', good), 3], [reading('OB', { chargePercent: charge, runtimeSeconds: runtime }), 1]);

  it('are those that came in a jump, for the hold in seconds', () => {
    const charge = { value: 'charge', seconds: 8 };
    const runtime = { value: 'runtime', seconds: 8 };
    expect(jump(90, 3_000)).to.deep.equal([]);
    expect(jump(79, 3_000)).to.deep.equal([charge]);
    expect(jump(90, 1_999)).to.deep.equal([runtime]);
    expect(jump(79, 1_999)).to.deep.equal([charge, runtime]);
    expect([jump(80, 3_000), jump(90, 2_000)], 'in its usual steps').to.deep.equal([[], []]);
  });

  it('are none that the last reading lacks', () => {
    const low = reading('OB', { chargePercent: 79, runtimeSeconds: 1_999 });
    const missing = reading('OB', { chargePercent: null, runtimeSeconds: null });
    expect(names([reading('OB', good), 3], [low, 1], [missing, 1])).to.deep.equal([]);
  });
});

describe('the estimated runtime', () => {
  const remaining = (...charges: readonly (number | null)[]) => {
    const stepper = new Stepper(settingsOf('ups a'));
    const estimate = { fullSeconds: 3_600, errorSeconds: 0, loadPercent: 50, discharges: 3 };
    stepper.input({ kind: 'assessed', at: stepper.at, groupId: 'a', estimate });
    for (const chargePercent of charges)
      stepper.polls('a', reading('OB', { chargePercent, loadPercent: 50 }), 1);
    const ups = upsOf(stepper.state, 'a');
    return ups === undefined ? undefined : (remainingOf(ups, ups.policy)?.seconds ?? null);
  };

  it('is that of the last charge which is not in doubt', () => {
    expect(remaining(50)).to.equal(1_800);
    expect(remaining(50, 45)).to.equal(1_620);
    expect(remaining(50, 30), 'after a jump').to.equal(1_800);
  });

  it('is unknown without a charge, or with only one in doubt', () => {
    expect([remaining(), remaining(null), remaining(50, null)]).to.deep.equal([null, null, null]);
    expect(remaining(10), 'below its threshold in the first reading').to.equal(null);
  });
});

describe('a reading without the values in doubt', () => {
  const values = (chargePercent: number, runtimeSeconds: number) => {
    const jumped = reading('OB', { chargePercent, runtimeSeconds });
    const ups = upsAfter('', [reading('OB', good), 3], [jumped, 1]);
    const { last } = ups.readings;
    if (last === null) throw new Error('no reading');
    const undoubted = undoubtedReading(last, ups, ups.policy);
    return [undoubted.reading.chargePercent, undoubted.reading.runtimeSeconds];
  };

  it('has the others', () => {
    expect(values(89, 2_990)).to.deep.equal([89, 2_990]);
    expect(values(70, 2_990)).to.deep.equal([null, 2_990]);
    expect(values(89, 900)).to.deep.equal([89, null]);
    expect(values(70, 900)).to.deep.equal([null, null]);
  });
});
