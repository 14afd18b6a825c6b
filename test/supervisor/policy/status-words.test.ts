// Tables of status flags: what each combination means for FSD, the inhibits and the conditions.
import { expect } from 'chai';
import { conditionsAfterStatus, noConditions } from '../../../supervisor/policy/power/conditions.js';
import type { PolicyClock } from '../../../supervisor/policy/base/clock.js';
import { fsdAfterStatus, unseenFsd } from '../../../supervisor/policy/trigger/fsd-latch.js';
import {
  batteryTestKind,
  inhibitedBy,
  inhibitsAfterOwnTest,
  inhibitsAfterStatus,
  noInhibits,
} from '../../../supervisor/policy/trigger/inhibits.js';
import { powerSource, statusWords } from '../../../shared/domain/ups/status-words.js';
import { upsRow } from '../../../supervisor/policy/view/view.js';
import { emptyReading } from '../../simulation/empty-reading.js';
import type { Variables } from '../../../shared/domain/ups/reading.js';
import type { PollOutcome } from '../../../supervisor/policy/base/inputs.js';
import { reading, settingsOf, Stepper } from './stream.js';

const at = (ms: number): PolicyClock => ({
  monotonicMs: ms,
  watchedMs: ms,
  lookingSinceMs: 0,
  unixSeconds: ms / 1000,
});

describe('FSD', () => {
  const table: readonly [string, string][] = [
    ['OL', 'absent'],
    ['FSD OL', 'latched'],
    ['FSD OB', 'acting'],
    ['FSD OL OB', 'acting'],
    ['FSD', 'acting'],
    ['FSD OFF', 'acting'],
    ['FSD OL, FSD OL', 'latched'],
    ['FSD OL, FSD OFF', 'latched'],
    ['FSD OL, FSD OB', 'acting'],
    ['FSD OL, OL', 'absent'],
    ['FSD OL, OB', 'absent'],
    ['FSD OL, OL, FSD OL', 'acting'],
    ['OL, FSD OL', 'acting'],
    ['OL, FSD OL, OL', 'absent'],
    ['OL, FSD OL, OFF', 'acting'],
    ['OL, FSD OB, OB', 'acting'],
    ['OL, FSD OL, FSD OL', 'acting'],
    ['OL, FSDX OL', 'absent'],
  ];
  for (const [statuses, expected] of table) {
    it(`is ${expected} after ${statuses}`, () => {
      const last = statuses.split(', ').reduce((fsd, status) => {
        const words = statusWords(status);
        return fsdAfterStatus(fsd, words, powerSource(words), at(0), 0);
      }, unseenFsd);
      expect(last.kind).to.equal(expected);
    });
  }
});

describe('calibration and self test', () => {
  const minute = 60_000;
  const since = (...words: string[]) => inhibitsAfterStatus(noInhibits, words, 1, 0);

  it('inhibit the triggers for charge, runtime, depletion and time: TEST for 15 minutes, CAL for 4 hours', () => {
    for (const trigger of ['LOW_BATTERY', 'CRITICAL_RUNTIME', 'DEPLETION', 'EXTENDED_TIME'] as const) {
      expect(inhibitedBy(since('OB', 'TEST'), trigger, 15 * minute - 1)).to.equal('self-test');
      expect(inhibitedBy(since('OB', 'TEST'), trigger, 15 * minute)).to.equal(null);
      expect(inhibitedBy(since('OB', 'CAL'), trigger, 240 * minute - 1)).to.equal('calibration');
      expect(inhibitedBy(since('OB', 'CAL'), trigger, 240 * minute)).to.equal(null);
      expect(inhibitedBy(since('OB', 'CAL', 'TEST'), trigger, 16 * minute)).to.equal('calibration');
      expect(inhibitedBy(since('OB'), trigger, 0)).to.equal(null);
    }
  });

  it('inhibit LB only in a calibration, for 60 s from its first reading', () => {
    expect(inhibitedBy(since('OB', 'TEST', 'LB'), 'LOW_BATTERY_FLAG', 0)).to.equal(null);
    expect(inhibitedBy(since('OB', 'CAL'), 'LOW_BATTERY_FLAG', 0)).to.equal(null);
    const later = inhibitsAfterStatus(since('OB', 'CAL'), ['OB', 'CAL', 'LB'], 1, minute);
    expect(inhibitedBy(later, 'LOW_BATTERY_FLAG', 2 * minute - 1)).to.equal('calibration');
    expect(inhibitedBy(later, 'LOW_BATTERY_FLAG', 2 * minute)).to.equal(null);
    const gone = inhibitsAfterStatus(later, ['OB', 'CAL'], 1, minute + 30_000);
    const again = inhibitsAfterStatus(gone, ['OB', 'CAL', 'LB'], 1, minute + 31_000);
    expect(inhibitedBy(again, 'LOW_BATTERY_FLAG', 2 * minute)).to.equal('calibration');
  });

  it('count from the first reading with the word, and start again when it was gone', () => {
    const stays = inhibitsAfterStatus(since('OL', 'TEST'), ['OB', 'TEST'], 1, 10 * minute);
    expect(inhibitedBy(stays, 'LOW_BATTERY', 15 * minute)).to.equal(null);
    const gone = inhibitsAfterStatus(stays, ['OB'], 1, 11 * minute);
    expect(inhibitedBy(gone, 'LOW_BATTERY', 11 * minute)).to.equal(null);
    expect(
      inhibitedBy(inhibitsAfterStatus(gone, ['OB', 'TEST'], 1, 12 * minute), 'LOW_BATTERY', 20 * minute),
    ).to.equal('self-test');
  });

  it('end only with as many readings in a row without their word as confirm a trigger', () => {
    for (const word of ['TEST', 'CAL']) {
      const held = (confirmations: number, ...statuses: string[]) => {
        const after = statuses.reduce(
          (holds, status, place) =>
            inhibitsAfterStatus(holds, statusWords(status), confirmations, place * 1_000),
          noInhibits,
        );
        return inhibitedBy(after, 'LOW_BATTERY', 5_000);
      };
      const by = word === 'TEST' ? 'self-test' : 'calibration';
      const isHeld = (...statuses: string[]) => held(2, ...statuses);
      expect([held(3, `OB ${word}`, 'OB', 'OB'), held(3, `OB ${word}`, 'OB', 'OB', 'OB')]).to.deep.equal([
        by,
        null,
      ]);
      expect(isHeld(`OB ${word}`, 'OB')).to.equal(by);
      expect(isHeld(`OB ${word}`, 'OB', `OB ${word}`, 'OB')).to.equal(by);
      expect(isHeld(`OB ${word}`, 'OB', 'OB')).to.equal(null);
      expect(isHeld(`OB ${word}`, 'OL', 'OB')).to.equal(null);
      expect(isHeld('OB')).to.equal(null);
    }
    const low = ['OB CAL LB', 'OB LB', 'OB CAL LB'].reduce(
      (holds, status, place) => inhibitsAfterStatus(holds, statusWords(status), 2, place * 1_000),
      noInhibits,
    );
    expect(inhibitedBy(low, 'LOW_BATTERY_FLAG', 59_999)).to.equal('calibration');
    expect(inhibitedBy(low, 'LOW_BATTERY_FLAG', 60_000)).to.equal(null);
  });

  it('inhibit the same in a test by the daemon as in TEST, until its end is reported', () => {
    const own = inhibitsAfterOwnTest(noInhibits, true, 0);
    expect(inhibitedBy(own, 'LOW_BATTERY', 15 * minute - 1)).to.equal('self-test');
    expect(inhibitedBy(own, 'LOW_BATTERY', 15 * minute)).to.equal(null);
    expect(inhibitedBy(inhibitsAfterOwnTest(own, false, minute), 'LOW_BATTERY', minute)).to.equal(null);
    expect(batteryTestKind(own)).to.equal('self-test');
    expect(batteryTestKind(since('CAL', 'TEST'))).to.equal('calibration');
    expect(batteryTestKind(noInhibits)).to.equal(null);
  });
});

describe('conditions', () => {
  it('are the same object while nothing changes', () => {
    const boost = conditionsAfter('BOOST OFF');
    expect(boost).to.deep.include({ avr: 'BOOST', offSinceMs: 0 });
    expect(conditionsAfterStatus(boost, ['OFF', 'BOOST'], false, confirmingAt(99), 99)).to.equal(boost);
  });

  it('have OFF since the first reading with it and without OB', () => {
    const offSince = (...statuses: readonly string[]) => conditionsAfter(...statuses).offSinceMs;
    expect(offSince('OL', 'OFF', 'OFF')).to.equal(1_000);
    expect(offSince('OL', 'OFF', 'OB OFF', 'OFF')).to.equal(3_000);
    expect(offSince('OL', 'OB OFF')).to.equal(null);
    expect(offSince(...line, 'OL OFF', 'OL OFF')).to.equal(4_000);
    expect(offSince(...line, 'OFF', 'OL OFF')).to.equal(4_000);
  });

  it('have no OFF beside OL where it stood so at first', () => {
    expect(conditionsAfter(...always)).to.deep.include({ offSinceMs: null, offOnLineAtFirst: true });
    expect(conditionsAfter(...always, 'OL CHRG OFF').offSinceMs).to.equal(null);
    expect(conditionsAfter(...always, 'OFF').offSinceMs).to.equal(4_000);
    expect(conditionsAfter(...always, ...line, 'OL OFF').offSinceMs, 'its charger was on meanwhile').to.equal(
      null,
    );
    expect(
      conditionsAfter('OB', 'OFF', 'OB', 'OB', ...always).offOnLineAtFirst,
      'a boot in an outage',
    ).to.equal(true);
  });

  it('do not take one wrong first sample for what always stands', () => {
    expect(conditionsAfter('OL', ...always, ...always).offSinceMs).to.equal(null);
    expect(
      conditionsAfter('OL', 'OL', 'OL', ...always).offSinceMs,
      'a sample that is shown for the hold',
    ).to.equal(null);
    expect(conditionsAfter('OL OFF', ...line, 'OL OFF').offSinceMs).to.equal(5_000);
    expect(conditionsAfter('OL OFF', 'OL OFF').offSinceMs, 'not known yet').to.equal(null);
    expect(conditionsAfter('OL', 'OL', 'OL OFF', 'OL OFF', ...line, 'OL OFF').offSinceMs).to.equal(8_000);
    const slowAt = (askedMs: number) => ({ ...confirmingAt(askedMs), confirmations: 5 });
    const few = always
      .map(statusWords)
      .reduce(
        (before, words, place) =>
          conditionsAfterStatus(before, words, false, slowAt(place * 1_000), place * 1_000),
        noConditions,
      );
    expect(few.offOnLineAtFirst, 'fewer readings than confirmations').to.equal(null);
  });
});

const confirmingAt = (askedMs: number) => ({ confirmations: 2, statusMs: () => 2_000, askedMs });
/** Readings of 1 s: four are more than the hold apart. */
const line = ['OL', 'OL', 'OL', 'OL'];
const always = line.map((words) => `${words} OFF`);

function conditionsAfter(...statuses: readonly string[]) {
  return statuses.reduce(
    (before, status, place) =>
      conditionsAfterStatus(before, statusWords(status), false, confirmingAt(place * 1_000), place * 1_000),
    noConditions,
  );
}

describe('WAIT', () => {
  it('has no effect with any other word, and neither has an empty status', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('OL'), 1);
    stepper.polls('a', reading('WAIT OB FSD LB'), 1).polls('a', reading(''), 1);
    expect(stepper.events).to.deep.equal([]);
    expect(stepper.starts).to.deep.equal([]);
    expect(upsRow(stepper.state, 'a').triggerActive).to.equal(false);
  });

  it('becomes DATA_STALE when it lasts, and silence after a good reading becomes TIMEOUT', () => {
    const stepper = new Stepper(settingsOf('ups a'))
      .polls('a', reading('OL'), 1)
      .polls('a', reading('WAIT'), 8);
    const detail = () => upsRow(stepper.state, 'a').connectionDetail;
    expect(detail()).to.equal('DATA_STALE');
    stepper.polls('a', reading('OL'), 1);
    expect(detail()).to.equal('OK');
    stepper.wait(8_000);
    expect(detail()).to.equal('TIMEOUT');
    const failing = new Stepper(settingsOf('ups a')).polls('a', reading('WAIT'), 1);
    failing.polls('a', { kind: 'failed', detail: 'SERVER_DOWN', message: '' }, 1).wait(8_000);
    expect(upsRow(failing.state, 'a').connectionDetail, 'as the last poll said').to.equal('SERVER_DOWN');
  });

  it('does not end the grace period', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('OL'), 1);
    stepper
      .polls('a', { kind: 'failed', detail: 'SERVER_DOWN', message: '' }, 1)
      .polls('a', reading('WAIT'), 3);
    expect(upsRow(stepper.state, 'a').connectionState).to.equal('GRACE_PERIOD');
  });

  it('does not change for how long the driver may have held what came before it', () => {
    const good = { chargePercent: 90, runtimeSeconds: 3_000 };
    const shown = { ...emptyReading, ...good, status: ['OB'] };
    const drivers: readonly [Variables, string, number, readonly string[]][] = [
      // Of snmp-ups a sample of OB is shown for 32 s: 4 s of it confirm nothing.
      [{ 'driver.name': 'snmp-ups' }, 'WAIT', 5, []],
      [{ 'driver.name': 'snmp-ups' }, '', 5, []],
      // 2 s of OB with an interval of 1 s do, also where WAIT comes between two evaluations.
      [{ 'driver.parameter.pollinterval': '1' }, 'WAIT', 3, ['redundancy-rack']],
    ];
    for (const [variables, silent, readings, starts] of drivers) {
      const stepper = new Stepper(settingsOf('ups a\nups b\ngroup rack members=a,b degraded=critical min=2'));
      const reads = (outcome: PollOutcome, count: number): void => {
        for (let left = count; left > 0; left -= 1)
          stepper.polls('a', outcome, 1).poll('b', reading('OL', good));
      };
      reads(reading('OL', good), 2);
      reads({ kind: 'reading', reading: shown, variables }, readings);
      reads(reading(silent), 4);
      expect(stepper.starts).to.deep.equal(starts);
    }
  });
});
