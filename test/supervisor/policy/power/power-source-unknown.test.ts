// A UPS that shows OL and OB at once: what its values say of the source, and what the battery has given meanwhile.
import { expect } from 'chai';
import type { BatteryValues } from '../../../../supervisor/policy/power/battery-fall.js';
import type { Line, SourceReading } from '../../../../supervisor/policy/power/power-source.js';
import {
  batteryUse,
  batteryMsBefore,
  isFreshOutage,
  isSettling,
  isUnknownSource,
  lineAfterReading,
  outageByTrigger,
  unseenLine,
} from '../../../../supervisor/policy/power/power-source.js';
import { at, reading, settings } from '../source-readings.js';

type Played = readonly [second: number, status: string, charge?: number, more?: Partial<SourceReading>];

const valuesOf = (charge: number | null): BatteryValues => ({ charge, runtime: null, load: null });

/** The line after these readings. */
function after(...readings: readonly Played[]): Line {
  return readings.reduce<Line>((line, [second, status, charge = null, more = {}]) => {
    const read = reading(status, { values: valuesOf(charge), ...more });
    return lineAfterReading(line, read, settings, at(second * 1000));
  }, unseenLine);
}

const unknown = after([0, 'OL OB', 90]);
const mains = after([0, 'OL', 90]);
const outage = after([0, 'OL', 90], [10, 'OB', 90], [11, 'OB', 90]);
const ended = after([0, 'OB'], [8, 'OL'], [10, 'OL']);

describe('a source that is unknown', () => {
  it('is so while each reading since the first has OL and OB', () => {
    const shown = [unknown, mains, outage].map((line) => isUnknownSource(line, 'battery'));
    expect(shown).to.deep.equal([true, false, false]);
    expect(isUnknownSource(unknown, 'off')).to.equal(false);
  });

  it('turns into an outage that began at the first reading of a fall', () => {
    const fell = after([0, 'OL OB', 94], [10, 'OL OB', 93], [20, 'OL OB', 91], [30, 'OL OB', 91]);
    expect(fell).to.deep.include({ kind: 'outage', clock: { startedMs: 10_000, beganMs: 10_000 } });
    expect(after([0, 'OL OB', 94], [10, 'OL OB', 91]).kind).to.equal('unknown');
  });

  it('turns into an outage at a trigger; no trigger changes another line', () => {
    const by = (line: Line, charge: number) => outageByTrigger(line, valuesOf(charge), settings, at(20_000));
    expect(by(unknown, 90)).to.deep.include({
      kind: 'outage',
      clock: { startedMs: 20_000, beganMs: 20_000 },
    });
    const falling = after([0, 'OL OB', 90], [10, 'OL OB', 87]);
    expect(by(falling, 87)).to.deep.include({ clock: { startedMs: 10_000, beganMs: 10_000 } });
    for (const line of [unseenLine, mains, outage, ended]) expect(by(line, 90)).to.equal(line);
  });

  it('comes back after 5 minutes with both words and no lower charge', () => {
    const again = (second: number, more: Partial<SourceReading> = {}, charge = 90) =>
      after([0, 'OL OB', 90], [10, 'OB', 90], [200, 'OL OB', charge], [second, 'OL OB', charge, more]).kind;
    expect([again(310), again(310.001)]).to.deep.equal(['outage', 'unknown']);
    expect([again(500, {}, 89), again(500.001, {}, 89)]).to.deep.equal(['outage', 'unknown']);
  });

  it('does not come back while a trigger is met, a sequence runs, or after a reading with OB alone', () => {
    const again = (more: Partial<SourceReading>) =>
      after([0, 'OL OB', 90], [10, 'OB', 90], [900, 'OL OB', 90, more]).kind;
    expect([again({ isLow: true }), again({ hasSequence: true })]).to.deep.equal(['outage', 'outage']);
    const alone = [
      [0, 'OL OB', 90],
      [10, 'OB', 90],
      [200, 'OB', 90],
    ] as const;
    expect(after(...alone, [500, 'OL OB', 90]).kind).to.equal('outage');
    expect(after(...alone, [500.001, 'OL OB', 90]).kind).to.equal('unknown');
  });

  it('turns into an outage by a runtime that fell for longer than its driver holds values', () => {
    const shown = (runtime: number) => ({ values: { charge: null, runtime, load: null } });
    const fell = (second: number) =>
      after([0, 'OL OB', 0, shown(3_000)], [10, 'OL OB', 0, shown(2_800)], [second, 'OL OB', 0, shown(2_800)])
        .kind;
    expect([fell(18), fell(18.001)]).to.deep.equal(['unknown', 'outage']);
  });

  it('is not that of a UPS that has shown OL alone before', () => {
    expect(after([0, 'OL', 90], [10, 'OL OB', 90], [900, 'OL OB', 90]).kind).to.equal('outage');
  });
});

describe('what the battery does', () => {
  it('is to give in an outage, to charge on line power and while the source is unknown, else to rest', () => {
    const uses = (line: Line) =>
      (['battery', 'line', 'bypass', 'off', 'neither'] as const).map((source) => batteryUse(line, source));
    expect(uses(outage)).to.deep.equal(['gives', 'charges', 'rests', 'gives', 'gives']);
    expect(uses(mains)).to.deep.equal(['gives', 'charges', 'rests', 'rests', 'rests']);
    expect(uses(unknown)).to.deep.equal(['charges', 'charges', 'charges', 'charges', 'charges']);
  });

  it('before its outage is what its values have shown since they began to fall', () => {
    const falling = after([0, 'OL OB', 94], [10, 'OL OB', 93], [20, 'OL OB', 91]);
    const fell = lineAfterReading(falling, reading('OL OB', { values: valuesOf(91) }), settings, at(30_000));
    expect(batteryMsBefore(falling, fell, at(30_000))).to.equal(20_000);
    expect(batteryMsBefore(fell, unknown, at(400_000))).to.equal(-390_000);
    expect(batteryMsBefore(fell, ended, at(400_000))).to.equal(0);
    expect(batteryMsBefore(unknown, mains, at(400_000))).to.equal(0);
    expect(batteryMsBefore(ended, outage, at(400_000))).to.equal(0);
  });
});

describe('a transfer to battery', () => {
  it('is new but where it resumes an outage; it may have begun before its reading only where the source was unknown', () => {
    const resumed = lineAfterReading(ended, reading('OB'), settings, at(20_000));
    const fell = outageByTrigger(
      after([0, 'OL OB', 90], [10, 'OL OB', 89]),
      valuesOf(87),
      settings,
      at(20_000),
    );
    expect(isFreshOutage(mains, outage, at(10_000))).to.equal(true);
    expect(isFreshOutage(ended, resumed, at(20_000))).to.equal(false);
    expect(isFreshOutage(unknown, fell, at(20_000))).to.equal(true);
    expect(isFreshOutage(outage, outage, at(10_000))).to.equal(false);
    expect(isFreshOutage(unknown, mains, at(10_000))).to.equal(false);
  });
});

describe('a charge that is late', () => {
  it('belongs to an outage, or to one that ended less than 60 s ago', () => {
    expect([isSettling(ended, 69_999), isSettling(ended, 70_000)]).to.deep.equal([true, false]);
    expect([outage, unseenLine, unknown, mains].map((line) => isSettling(line, 20_000))).to.deep.equal([
      true,
      false,
      false,
      false,
    ]);
  });
});
