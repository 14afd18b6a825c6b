// What a jump is, when its value is in doubt, and since when LB is shown.
import { expect } from 'chai';
import type { Line } from '../../../../supervisor/policy/power/power-source.js';
import type { ShownValues } from '../../../../supervisor/policy/power/value-doubt.js';
import {
  confirmedJump,
  doubtOf,
  isInDoubt,
  nothingShown,
  sameShown,
  shownAfter,
} from '../../../../supervisor/policy/power/value-doubt.js';
import { emptyReading } from '../../../simulation/empty-reading.js';
import { reading, settingsOf, Stepper } from '../stream.js';

interface Read {
  readonly charge?: number | null;
  readonly runtime?: number | null;
  readonly askedMs?: number;
}

/** After readings on battery, a second apart. */
const after = (...readings: readonly Read[]): ShownValues =>
  readings.reduce<ShownValues>(
    (shown, { charge = null, runtime = null, askedMs }, second) =>
      shownAfter(
        shown,
        { ...emptyReading, status: ['OB'], chargePercent: charge, runtimeSeconds: runtime },
        true,
        'outage',
        askedMs ?? second * 1000,
        second * 1000,
      ),
    nothingShown,
  );

const charges = (...percents: readonly (number | null)[]) =>
  after(...percents.map((charge) => ({ charge }))).charge;
const runtimes = (...seconds: readonly number[]) => after(...seconds.map((runtime) => ({ runtime }))).runtime;

describe('a jump', () => {
  it('is a fall of more than 10 points of charge', () => {
    expect(doubtOf(charges(60, 50))).to.equal(null);
    expect(doubtOf(charges(60, 49.9))).to.deep.equal({ forMs: 0, sinceMs: 1_000, before: 60 });
    expect(doubtOf(charges(40, 60))).to.equal(null);
    expect(doubtOf(charges(60, null, 49))).to.deep.equal({ forMs: 0, sinceMs: 2_000, before: 60 });
  });

  it('is a fall of more than a third of the runtime', () => {
    expect(doubtOf(runtimes(900, 600))).to.equal(null);
    expect(doubtOf(runtimes(900, 599))).to.deep.equal({ forMs: 0, sinceMs: 1_000, before: 900 });
    expect(doubtOf(runtimes(600, 900))).to.equal(null);
  });

  it('is over with another value, higher or lower in a usual step', () => {
    expect([doubtOf(charges(60, 40, 39)), doubtOf(charges(60, 40, 41))]).to.deep.equal([null, null]);
    expect(doubtOf(charges(60, 40, 20))).to.deep.equal({ forMs: 0, sinceMs: 2_000, before: 40 });
  });

  it('is confirmed by a lower value alone', () => {
    const jump = charges(60, 40);
    const confirmed = { atMs: 1_000, percent: 40 };
    expect(confirmedJump(jump, charges(60, 40, 39))).to.deep.equal(confirmed);
    for (const last of [40, 41, null]) expect(confirmedJump(jump, charges(60, 40, last))).to.equal(null);
    expect(confirmedJump(charges(60, 55), charges(60, 55, 50))).to.equal(null);
    expect(confirmedJump(nothingShown.charge, charges(60))).to.equal(null);
  });
});

describe('the doubt about a value', () => {
  it('lasts until it was shown for longer than the hold, by the request of the last answer', () => {
    const held = (askedMs: number) => after({ charge: 60 }, { charge: 40 }, { charge: 40, askedMs }).charge;
    const isDoubted = (askedMs: number) => isInDoubt(held(askedMs), 20, 8_000);
    expect([isDoubted(9_000), isDoubted(9_001)]).to.deep.equal([true, false]);
    expect(doubtOf(held(500))).to.deep.include({ forMs: 0 });
    expect(isInDoubt(held(1_000), 20, 0)).to.equal(false);
  });

  it('is about the first value of a boot below its threshold, and about any value after a jump', () => {
    expect([isInDoubt(charges(19.9), 20, 8_000), isInDoubt(charges(20), 20, 8_000)]).to.deep.equal([
      true,
      false,
    ]);
    expect(isInDoubt(charges(60, 40), 20, 8_000)).to.equal(true);
    expect(isInDoubt(charges(60, 55), 90, 8_000)).to.equal(false);
    expect(isInDoubt(nothingShown.charge, 20, 8_000)).to.equal(false);
  });
});

describe('the time for which LB is shown', () => {
  type Shown = readonly [words: string, isOnBattery: boolean, line: Line['kind']];
  /** For each of these readings, a second apart: the second since when LB is shown. */
  const since = (...readings: readonly Shown[]): readonly (number | null)[] => {
    let shown = nothingShown;
    return readings.map(([words, isOnBattery, line], second) => {
      const read = { ...emptyReading, status: words.split(' ') };
      shown = shownAfter(shown, read, isOnBattery, line, second * 1000, second * 1000);
      return shown.flagSinceMs === null ? null : shown.flagSinceMs / 1000;
    });
  };
  const low = ['OB LB', true, 'outage'] as const;

  it('runs from the first reading of the outage on battery with it, over readings with OL', () => {
    expect(since(['OB LB', true, 'mains'], low, low)).to.deep.equal([0, 0, 0]);
    expect(since(low, ['OL', false, 'outage'], ['OL LB', false, 'outage'], low)).to.deep.equal([0, 0, 0, 0]);
    expect(since(['OL LB', false, 'mains'], ['OB LB', true, 'mains'])).to.deep.equal([null, 1]);
  });

  it('begins again after a reading on battery without it, and with another outage', () => {
    expect(since(low, ['OB', true, 'outage'], low)).to.deep.equal([0, null, 2]);
    expect(since(low, ['OB LB', true, 'mains'])).to.deep.equal([0, 1]);
    expect(since(low, ['OL', false, 'mains'])).to.deep.equal([0, null]);
    expect(since(['OL OB LB', true, 'unknown'], ['OFF', false, 'unknown'])).to.deep.equal([0, null]);
  });
});

describe('what a snapshot says of values in doubt', () => {
  const jump = after({ charge: 60, runtime: 900 }, { charge: 40, runtime: 300 });

  it('is the same while no doubt begins or ends', () => {
    expect(sameShown(jump, jump)).to.equal(true);
    expect(sameShown(nothingShown, after({ charge: 60, runtime: 900 }))).to.equal(true);
    const usual = after({ charge: 60, runtime: 900 }, { charge: 59, runtime: 890 });
    expect(sameShown(usual, after({ charge: 60, runtime: 900 }, { charge: 58, runtime: 880 }))).to.equal(
      true,
    );
  });

  it('is another with a doubt about either value, a value before it, or LB', () => {
    const steady = after({ charge: 60, runtime: 900 }, { charge: 59, runtime: 890 });
    expect(sameShown(steady, after({ charge: 60, runtime: 900 }, { charge: 40, runtime: 890 }))).to.equal(
      false,
    );
    expect(sameShown(steady, after({ charge: 60, runtime: 900 }, { charge: 59, runtime: 300 }))).to.equal(
      false,
    );
    expect(sameShown(jump, after({ charge: 70, runtime: 900 }, { charge: 40, runtime: 300 }))).to.equal(
      false,
    );
    expect(sameShown(jump, after({}, { charge: 60, runtime: 900 }, { charge: 40, runtime: 300 }))).to.equal(
      false,
    );
    expect(sameShown(jump, { ...jump, flagSinceMs: 1_000 })).to.equal(false);
  });

  it('does not change with a value that is shown again', () => {
    const shown = after({ charge: 60, runtime: 900 }, { charge: 59, runtime: 890 });
    const again = { ...emptyReading, status: ['OB'], chargePercent: 59, runtimeSeconds: 890 };
    expect(shownAfter(shown, again, true, 'outage', 2_000, 2_000)).to.equal(shown);
  });
});

const bad = reading('OB', { chargePercent: 5, runtimeSeconds: 3000 });
const good = reading('OB', { chargePercent: 80, runtimeSeconds: 3000 });

/** On battery for a minute, then a poll each 5 s whose answers take as long as a server that is slow lets them. */
function slowly(tookMs: number, polls: number): Stepper {
  const stepper = new Stepper(settingsOf('ups a extended=off hold=30s delay=0s')).polls('a', good, 60);
  for (let count = 0; count < polls; count += 1) {
    stepper.wait(5_000);
    const askedMs = stepper.nowMs - tookMs;
    stepper.input({ kind: 'polled', at: stepper.at, groupId: 'a', outcome: bad, tookMs, askedMs });
  }
  return stepper;
}

describe('a value in doubt', () => {
  it('was shown until the last answer with it was asked for: it may have left the driver then', () => {
    // 35 s after the first answer with it comes one that was asked for 29 s after it.
    expect(slowly(6_000, 8).starts).to.deep.equal([]);
    expect(slowly(6_000, 9).starts).to.deep.equal(['a']);
  });

  it('acts by the first answer after the hold where the server is fast', () => {
    expect(slowly(0, 7).starts).to.deep.equal([]);
    expect(slowly(0, 8).starts).to.deep.equal(['a']);
  });
});
