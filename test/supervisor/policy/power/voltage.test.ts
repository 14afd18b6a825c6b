// The voltage state of several phases, and an excursion that lasts through an outage or a nominal voltage that is replaced.
import { expect } from 'chai';
import type { Mains, Voltage, VoltageChange } from '../../../../supervisor/policy/power/voltage.js';
import { noVoltage, voltageAfter } from '../../../../supervisor/policy/power/voltage.js';

const nominal230: Mains = { onLine: true, highestVolts: 230, lowestVolts: 230, nominalVolts: 230 };
/** Three phases, of which these are the lowest and the highest. */
const phases = (lowestVolts: number, highestVolts: number): Mains => ({
  ...nominal230,
  lowestVolts,
  highestVolts,
});
const alike = (volts: number): Mains => phases(volts, volts);
const outage: Mains = { ...nominal230, onLine: false, highestVolts: null, lowestVolts: null };

const settings = { sensitivity: 'normal', hysteresisMs: 30_000, holdMs: 32_000 } as const;

describe('the voltage state', () => {
  let voltage: Voltage;
  let changes: VoltageChange[];
  const see = (second: number, mains: Mains, askedSecond?: number): string => {
    const step = voltageAfter(voltage, mains, settings, second * 1000, (askedSecond ?? second) * 1000);
    voltage = step.voltage;
    changes.push(...step.changes);
    return voltage.state;
  };
  const kinds = (): readonly string[] => changes.map(({ kind }) => kind);
  beforeEach(() => {
    [voltage, changes] = [noVoltage, []];
  });

  it('of three phases is LOW by the lowest, before it is HIGH by the highest', () => {
    expect(see(0, phases(206.9, 230))).to.equal('LOW');
    expect(see(1, phases(230, 253.1))).to.equal('HIGH');
    expect(see(2, phases(206.9, 253.1))).to.equal('LOW');
    expect(see(3, phases(207, 253))).to.equal('NORMAL');
  });

  it('of three phases is far off by the phase that is out of the band', () => {
    see(0, phases(195.4, 230));
    expect(changes.at(-1)).to.deep.equal({ kind: 'report', side: 'LOW', severe: true });
    see(1, phases(230, 264.6));
    expect(changes.at(-1)).to.deep.equal({ kind: 'report', side: 'HIGH', severe: true });
    const before = changes.length;
    see(2, phases(206, 230));
    expect(changes.slice(before), 'only a little too low').to.deep.equal([{ kind: 'left', side: 'LOW' }]);
  });

  it('is unknown while one of both is missing', () => {
    expect(see(0, { ...nominal230, lowestVolts: null })).to.equal('UNKNOWN');
    expect(see(1, { ...nominal230, highestVolts: null })).to.equal('UNKNOWN');
    expect(see(2, nominal230)).to.equal('NORMAL');
  });

  describe('that was shown on battery', () => {
    const onBattery = (volts: number): Mains => ({ ...alike(volts), onLine: false });

    it('says nothing on line power, until it is another', () => {
      see(0, alike(230));
      see(10, onBattery(0));
      expect(see(20, alike(0))).to.equal('UNKNOWN');
      expect(see(40, alike(0))).to.equal('UNKNOWN');
      expect(see(41, alike(195))).to.equal('LOW');
      expect(kinds()).to.deep.equal(['left', 'report']);
    });

    it('counts when it has been shown on line power for longer than the hold', () => {
      see(10, onBattery(180));
      see(20, alike(180));
      expect(see(52, alike(180))).to.equal('UNKNOWN');
      expect(see(52.001, alike(180))).to.equal('LOW');
    });

    it('counts until its last answer was asked for, which may be handled late', () => {
      see(10, onBattery(180));
      see(20, alike(180));
      expect(see(90, alike(180), 52)).to.equal('UNKNOWN');
      expect(see(91, alike(180), 52.001)).to.equal('LOW');
    });

    it('counts anew from each return of the mains, and by each of several phases', () => {
      see(10, onBattery(180));
      see(20, alike(180));
      see(40, onBattery(180));
      see(50, alike(180));
      expect(see(60, alike(180))).to.equal('UNKNOWN');
      expect(see(61, phases(180, 230))).to.equal('LOW');
      see(62, onBattery(180));
      see(63, phases(180, 181));
      expect(see(64, alike(180)), 'read since').to.equal('LOW');
    });

    it('is normal at once where it is in the band', () => {
      see(10, onBattery(230));
      expect(see(11, alike(230))).to.equal('NORMAL');
    });

    it('teaches no nominal voltage before it is another', () => {
      see(0, onBattery(130));
      for (let second = 1; second <= 10; second += 1) see(second, alike(130));
      expect(see(11, alike(230))).to.equal('NORMAL');
      expect(kinds()).to.deep.equal([]);
    });

    it('leaves an excursion of before as it is', () => {
      see(0, alike(200));
      see(31, alike(200));
      see(40, onBattery(0));
      see(50, alike(0));
      see(60, alike(200));
      expect(kinds()).to.deep.equal(['left', 'report']);
    });
  });

  it('begins the wait of a notification that is due again after an outage', () => {
    see(0, alike(200));
    see(20, outage);
    see(25, alike(200));
    see(54.999, alike(200));
    expect(kinds()).to.deep.equal(['left']);
    see(55, alike(200));
    expect(kinds()).to.deep.equal(['left', 'report']);
  });

  it('is normal after the time since the excursion began, also with an outage in between', () => {
    see(0, alike(200));
    see(30, alike(200));
    see(40, outage);
    see(50, alike(200));
    see(60, alike(230));
    expect(changes.at(-1)).to.deep.equal({ kind: 'normalized', lastedMs: 60_000 });
  });

  it('is suppressed where it ends before its notification, with its side and its time', () => {
    see(5, alike(254));
    see(34.999, alike(230));
    expect(changes.slice(1)).to.deep.equal([{ kind: 'suppressed', side: 'HIGH', lastedMs: 29_999 }]);
  });

  it('does not say that a band is normal again which the first readings have replaced', () => {
    const reported = { ...alike(230), nominalVolts: 120 };
    for (let second = 0; second < 9; second += 1) expect(see(second, reported)).to.equal('HIGH');
    expect(kinds()).to.deep.equal(['left', 'report']);
    expect(see(9, reported)).to.equal('NORMAL');
    expect(changes.slice(2)).to.deep.equal([{ kind: 'mismatch', beforeVolts: 120, afterVolts: 230 }]);
  });

  it('begins another excursion below another nominal voltage', () => {
    see(0, alike(200));
    see(29, { ...alike(200), nominalVolts: 240 });
    expect(kinds()).to.deep.equal(['left', 'left', 'report']);
    expect(changes.at(-1)).to.include({ severe: true });
  });

  it('learns the nominal voltage from the highest phase', () => {
    for (let second = 0; second < 10; second += 1) see(second, { ...phases(115, 230), nominalVolts: null });
    expect(voltage.nominalVolts).to.equal(230);
  });
});
