// Tables of status flags: what each means for the outage and its clock.
import { expect } from 'chai';
import { mayHaveMains } from '../../../../supervisor/policy/power/nominal-voltage.js';
import {
  countsAsBattery,
  isOnBattery,
  lineAfterReading,
  onBatteryMs,
  unseenLine,
} from '../../../../supervisor/policy/power/power-source.js';
import type { Line } from '../../../../supervisor/policy/power/power-source.js';
import { powerSource, statusWords } from '../../../../shared/domain/ups/status-words.js';
import { at, reading, settings } from '../source-readings.js';

function after(line: Line, status: string, ms: number, mayHaveMains = true): Line {
  return lineAfterReading(line, reading(status, { mayHaveMains }), settings, at(ms));
}

/** The kinds of line after each status, a second apart; "" is a reading without flags. */
function lines(...statuses: readonly string[]): readonly string[] {
  let line: Line = unseenLine;
  return statuses.map((status, index) => {
    line = after(line, status, index * 1_000);
    return line.kind;
  });
}

describe('the time on battery', () => {
  it('is 0 without an outage and at its start', () => {
    expect(onBatteryMs(unseenLine, 5)).to.equal(0);
    const begun = after(unseenLine, 'OB', 7_000);
    expect([onBatteryMs(begun, 6_000), onBatteryMs(begun, 7_000), onBatteryMs(begun, 7_001)]).to.deep.equal([
      0, 0, 1,
    ]);
  });
});

describe('the line state', () => {
  const table: readonly [readonly string[], readonly string[]][] = [
    [['OL'], ['mains']],
    [['OL CHRG'], ['mains']],
    [['OL LB'], ['mains']],
    [['OFF'], ['mains']],
    [['BYPASS'], ['mains']],
    [['OB'], ['outage']],
    [['OB DISCHRG'], ['outage']],
    [['OL OB'], ['unknown']],
    [
      ['OL', 'OL OB'],
      ['mains', 'outage'],
    ],
    [
      ['OL OB', 'OL OB', 'OB', 'OL OB'],
      ['unknown', 'unknown', 'outage', 'outage'],
    ],
    [
      ['OL OB', 'OL', 'OL OB'],
      ['unknown', 'mains', 'outage'],
    ],
    [
      ['OL OB', 'OFF', 'ALARM', 'OL OB'],
      ['unknown', 'unknown', 'unknown', 'unknown'],
    ],
    [['OL DISCHRG'], ['mains']],
    [['OBX'], ['mains']],
    [['ob'], ['outage']],
    [
      ['OB', 'OL', 'OL'],
      ['outage', 'outage', 'mains'],
    ],
    [
      ['OB', 'OL', 'OFF', 'OL', 'OL'],
      ['outage', 'outage', 'outage', 'outage', 'mains'],
    ],
    [
      ['OB', 'OL', 'OB', 'OL', 'OL'],
      ['outage', 'outage', 'outage', 'outage', 'mains'],
    ],
    [
      ['OL', 'OFF', 'OB', 'OFF', 'BYPASS', 'CHRG'],
      ['mains', 'mains', 'outage', 'outage', 'outage', 'outage'],
    ],
  ];
  for (const [statuses, expected] of table) {
    it(`after ${statuses.join(', ')} is ${expected.join(', ')}`, () => {
      expect(lines(...statuses)).to.deep.equal(expected);
    });
  }

  it('continues an outage that ended 60 s ago, and starts a new one after that', () => {
    const ended: Line = { kind: 'mains', ended: { startedMs: 5, beganMs: 1, endedMs: 1_000 } };
    expect(after(ended, 'OB', 61_000)).to.deep.include({
      clock: { startedMs: 60_005, beganMs: 1 },
    });
    expect(after(ended, 'OB', 61_001)).to.deep.include({
      clock: { startedMs: 61_001, beganMs: 61_001 },
    });
  });
});

describe('BYPASS in an outage', () => {
  const inBypass = after(after(unseenLine, 'OB', 0), 'BYPASS', 20_000);
  const seconds = (line: Line, s: number) => onBatteryMs(line, s * 1000) / 1000;

  it('stops the clock, which goes on from there with OB', () => {
    expect([seconds(inBypass, 20), seconds(inBypass, 50)]).to.deep.equal([20, 20]);
    const again = after(after(inBypass, 'BYPASS', 50_000), 'OB', 70_000);
    expect([seconds(again, 70), seconds(again, 80)]).to.deep.equal([20, 30]);
  });

  it('ends it after bypass_end_delay, and OB within 60 s resumes the clock that stood', () => {
    expect(after(inBypass, 'BYPASS', 79_999).kind).to.equal('outage');
    const ended = after(inBypass, 'BYPASS', 80_000);
    expect(ended.kind).to.equal('mains');
    expect(seconds(after(ended, 'OB', 90_000), 90)).to.equal(20);
  });

  it('counts only readings with mains at the input, in a row', () => {
    const without = after(inBypass, 'BYPASS', 70_000, false);
    expect(after(without, 'BYPASS', 80_000).kind).to.equal('outage');
    expect(after(after(without, 'BYPASS', 80_000), 'BYPASS', 139_999).kind).to.equal('outage');
    const ended = after(after(without, 'BYPASS', 80_000), 'BYPASS', 140_000);
    expect(ended.kind).to.equal('mains');
    expect(seconds(after(ended, 'OB', 150_000), 150)).to.equal(20);
  });

  it('ends none with bypass_end_delay = 0, and one after any other delay', () => {
    const line = (bypassEndMs: number) =>
      lineAfterReading(inBypass, reading('BYPASS'), { confirmations: 2, bypassEndMs }, at(999_000));
    expect(line(0)).to.equal(inBypass);
    expect(line(1).kind).to.equal('mains');
  });

  it('leaves what was known of OB: after OB it stays for the failsafe, after OL it does not', () => {
    const afterLine = after(after(after(unseenLine, 'OB', 0), 'OL', 1_000), 'BYPASS', 2_000);
    expect([isOnBattery(inBypass), isOnBattery(afterLine)]).to.deep.equal([true, false]);
    expect(after(afterLine, 'OL', 3_000)).to.deep.include({ kind: 'outage', lineReadings: 1 });
  });

  it('begins none', () => {
    expect(after(after(unseenLine, 'OL', 0), 'BYPASS', 1_000).kind).to.equal('mains');
  });
});

describe('other words in an outage', () => {
  it('count as OB, also after a single OL; outside of an outage they count as nothing', () => {
    const outage = after(after(unseenLine, 'OB', 0), 'OB', 500);
    for (const status of ['OFF', 'ALARM', 'DISCHRG', 'CAL', 'NEWWORD']) {
      const source = powerSource(statusWords(status));
      const line = after(after(outage, 'OL', 1_000), status, 2_000);
      expect([isOnBattery(line), countsAsBattery(line, source)]).to.deep.equal([true, true]);
      const mains = after(unseenLine, status, 0);
      expect([mains.kind, countsAsBattery(mains, source)]).to.deep.equal(['mains', false]);
    }
    expect(isOnBattery(after(after(outage, 'OL', 1_000), 'OB', 2_000))).to.equal(true);
    expect(countsAsBattery(outage, 'bypass')).to.equal(false);
    expect(countsAsBattery(outage, 'line')).to.equal(false);
  });

  it('end one that OB has not confirmed, but for OFF and for words of a battery that gives', () => {
    expect(lines('OB', 'CHRG', 'CHRG')).to.deep.equal(['outage', 'outage', 'mains']);
    expect(lines('OB', 'CHRG', 'OB', 'ALARM', 'CHRG').at(-1)).to.equal('mains');
    expect(lines('OB', 'OB', 'CHRG', 'CHRG', 'CHRG').at(-1)).to.equal('outage');
    expect(lines('OB', 'OFF', 'OFF', 'OFF').at(-1)).to.equal('outage');
    expect(lines('OB', 'DISCHRG', 'CHRG', 'CHRG').at(-1)).to.equal('outage');
    const once = after(after(unseenLine, 'OB', 0), 'CHRG', 1_000);
    expect([isOnBattery(once), countsAsBattery(once, 'neither')]).to.deep.equal([true, false]);
  });

  it('follow an OB that as many readings as `confirmations` have confirmed', () => {
    const isBattery = (confirmations: number, readings: number) => {
      let line: Line = unseenLine;
      for (let count = 0; count < readings; count += 1)
        line = lineAfterReading(line, reading('OB'), { ...settings, confirmations }, at(count * 1_000));
      return countsAsBattery(line, 'neither');
    };
    expect([isBattery(1, 1), isBattery(2, 1), isBattery(2, 2)]).to.deep.equal([true, false, true]);
    expect([isBattery(3, 2), isBattery(3, 3)]).to.deep.equal([false, true]);
  });

  it('end it where they say that the voltage is corrected', () => {
    expect(lines('OB', 'BOOST', 'TRIM')).to.deep.equal(['outage', 'outage', 'mains']);
  });
});

describe('mains at the input in bypass', () => {
  it('is more than half of nominal, 50 V where that is unknown, and assumed without a voltage', () => {
    expect([mayHaveMains(115, 230), mayHaveMains(115.1, 230)]).to.deep.equal([false, true]);
    expect([mayHaveMains(50, null), mayHaveMains(51, null)]).to.deep.equal([false, true]);
    expect([mayHaveMains(null, 230), mayHaveMains(null, null)]).to.deep.equal([true, true]);
  });
});
