import { expect } from 'chai';
import { rating1500 } from '../../../scripts/simulated-upsd/rating.js';
import type { UpsSpec } from '../../../scripts/simulated-upsd/simulated-ups.js';
import { SimulatedUps } from '../../../scripts/simulated-upsd/simulated-ups.js';
import { stepSeconds, UpsModel } from '../../../scripts/simulated-upsd/ups-model.js';

function quietUps(more: Pick<UpsSpec, 'driver'> = {}): {
  ups: SimulatedUps;
  wait: (seconds: number) => void;
  read: (name: string) => string;
} {
  let now = 0;
  const ups = new SimulatedUps({ name: 'u', noise: 0, ...more }, () => now);
  return {
    ups,
    wait: (seconds) => {
      now += seconds;
      ups.look();
    },
    read: (name) => ups.store.value(name) ?? 'missing',
  };
}

describe('a simulated UPS', () => {
  it('starts on line power with a full battery', () => {
    const { read } = quietUps();
    expect(read('ups.status')).to.equal('OL');
    expect(read('battery.charge')).to.equal('100');
  });

  it('offers the variables of a real one', () => {
    const { ups } = quietUps();
    expect(ups.store.names().length).to.be.within(45, 60);
  });

  it('transfers to battery at a line failure and reports it in the next answer', () => {
    const { ups, read } = quietUps();
    ups.set({ mainsVolts: 0 });
    expect(read('ups.status')).to.equal('OB DISCHRG');
    expect(read('input.voltage')).to.equal('0.0');
    expect(read('output.voltage')).to.equal('230.0');
  });

  it('transfers back only after the line has been good for a short time', () => {
    const { ups, wait, read } = quietUps();
    ups.set({ mainsVolts: 0 });
    wait(10);
    ups.set({ mainsVolts: 230 });
    expect(read('ups.status')).to.match(/^OB/);
    wait(3);
    expect(read('ups.status')).to.equal('OL CHRG');
  });

  it('runs more than twice as long at half the load', () => {
    const { ups, read } = quietUps();
    ups.set({ loadPercent: 80 });
    const heavy = Number(read('battery.runtime'));
    ups.set({ loadPercent: 40 });
    expect(Number(read('battery.runtime')) / heavy).to.be.within(2.2, 2.5);
  });

  it('runs as long as battery.runtime reports', () => {
    const { ups, wait, read } = quietUps();
    const promised = Number(read('battery.runtime'));
    ups.set({ mainsVolts: 0 });
    wait(promised - 2);
    expect(read('ups.status')).to.equal('OB DISCHRG LB');
    wait(4);
    expect(read('ups.status')).to.equal('OB LB OFF');
    expect(read('output.voltage')).to.equal('0.0');
  });

  it('shows LB below battery.charge.low, which can be written', () => {
    const { ups, wait, read } = quietUps();
    ups.write('battery.charge.low', '50');
    ups.set({ mainsVolts: 0 });
    wait(Number(read('battery.runtime')) * 0.48);
    expect(read('ups.status')).to.equal('OB DISCHRG');
    wait(Number(read('battery.runtime')) * 0.06);
    expect(read('ups.status')).to.equal('OB DISCHRG LB');
  });

  it('restarts after an empty battery, a start delay after the return of the line', () => {
    const { ups, wait, read } = quietUps();
    ups.set({ mainsVolts: 0, chargePercent: 1 });
    wait(60);
    ups.set({ mainsVolts: 230 });
    wait(5);
    expect(read('ups.status')).to.contain('OFF');
    expect(Number(read('ups.timer.start'))).to.be.within(1, 30);
    wait(40);
    expect(read('ups.status')).not.to.contain('OFF');
  });

  it('recharges its battery', () => {
    const { ups, wait, read } = quietUps();
    ups.set({ chargePercent: 40 });
    expect(read('ups.status')).to.equal('OL CHRG');
    wait(rating1500.rechargeSeconds / 2);
    expect(Number(read('battery.charge'))).to.be.within(80, 97);
    wait(rating1500.rechargeSeconds);
    expect(read('ups.status')).to.equal('OL');
  });

  it('boosts a low line and trims a high one without touching the battery', () => {
    const { ups, read } = quietUps();
    ups.set({ mainsVolts: 195 });
    expect(read('ups.status')).to.equal('OL BOOST');
    expect(Number(read('output.voltage'))).to.be.within(215, 225);
    ups.set({ mainsVolts: 265 });
    expect(read('ups.status')).to.equal('OL TRIM');
    expect(Number(read('output.voltage'))).to.be.within(228, 238);
  });

  it('gives the same readings for the same seed at any read frequency', () => {
    const run = (looks: number): string[] => {
      let now = 0;
      const ups = new SimulatedUps({ name: 'u', seed: 7 }, () => now);
      for (let look = 1; look <= looks; look += 1) {
        now = (600 * look) / looks;
        ups.look();
      }
      return ups.store.names().map((name) => ups.store.value(name) ?? '');
    };
    expect(run(1)).to.deep.equal(run(977));
  });

  it('gives other readings for another seed', () => {
    const volts = (seed: number): number => {
      const model = new UpsModel(rating1500, seed, 1);
      for (let step = 0; step < 100 / stepSeconds; step += 1) model.step();
      return model.inputVolts;
    };
    expect(volts(1)).not.to.equal(volts(2));
    expect(volts(1)).to.be.within(228, 232);
  });
});

describe('the instant commands of a simulated UPS', () => {
  it('run a battery test with TEST, and report that it passed', () => {
    const { ups, wait, read } = quietUps();
    expect(ups.command('test.battery.start.quick', undefined)).to.equal('SUCCESS');
    expect(read('ups.status')).to.equal('TEST OB DISCHRG');
    expect(read('input.voltage')).to.equal('230.0');
    expect(read('ups.test.result')).to.equal('In progress');
    wait(11);
    expect(read('ups.status')).to.equal('OL CHRG');
    expect(read('ups.test.result')).to.equal('Done and passed');
  });

  it('detect a worn-out battery', () => {
    const { ups, wait, read } = quietUps();
    ups.set({ batteryHealthPercent: 20 });
    ups.command('test.battery.start.deep', undefined);
    wait(301);
    expect(read('ups.test.result')).to.equal('Done and failed');
    expect(read('ups.status')).to.match(/^ALARM OL.* RB$/);
  });

  it('abort a test at a line failure, and refuse one on battery', () => {
    const { ups, read } = quietUps();
    ups.command('test.battery.start.deep', undefined);
    ups.set({ mainsVolts: 0 });
    expect(read('ups.test.result')).to.equal('Aborted');
    expect(read('ups.status')).to.equal('OB DISCHRG');
    expect(ups.command('test.battery.start.quick', undefined)).to.equal('ERR FAILED');
  });

  it('calibrate with CAL down to a charge of 25 %', () => {
    const { ups, wait, read } = quietUps();
    ups.command('calibrate.start', undefined);
    expect(read('ups.status')).to.equal('CAL OB DISCHRG');
    wait(Number(read('battery.runtime')) * 0.8);
    expect(read('ups.status')).to.equal('OL CHRG');
    expect(Number(read('battery.charge'))).to.be.within(24, 27);
  });

  it('turn the output off after ups.delay.shutdown and on with the line', () => {
    const { ups, wait, read } = quietUps();
    ups.write('ups.delay.shutdown', '60');
    ups.set({ mainsVolts: 0 });
    ups.command('shutdown.return', undefined);
    expect(read('ups.timer.shutdown')).to.equal('60');
    wait(59);
    expect(read('ups.status')).not.to.contain('OFF');
    wait(2);
    expect(read('ups.status')).to.equal('OB OFF');
    ups.set({ mainsVolts: 230 });
    wait(40);
    expect(read('ups.status')).to.equal('OL CHRG');
  });

  for (const [driver, start, mainsAfter, onAfter] of [
    ['usbhid-ups', '30', 90, null],
    ['usbhid-ups', '120', 90, 120],
    ['usbhid-ups', '120', 200, 200],
    ['usbhid-ups', '0', 90, 90],
    ['nutdrv_qx', '30', 61, 90],
    ['nutdrv_qx', '30', 200, 200],
    ['apcsmart', '30', 200, 230],
    ['snmp-ups', '30', 61, 91],
  ] as const)
    it(`start again with ${driver} and ups.delay.start ${start}, cut after 60 s, mains back after ${String(mainsAfter)} s`, () => {
      const { ups, wait, read } = quietUps({ driver });
      ups.write('ups.delay.shutdown', '60');
      ups.write('ups.delay.start', start);
      ups.set({ mainsVolts: 0 });
      ups.command('shutdown.return', undefined);
      wait(mainsAfter);
      ups.set({ mainsVolts: 230 });
      if (onAfter === null) {
        wait(3_600);
        expect(read('ups.status')).to.contain('OFF');
        return;
      }
      wait(Math.max(0, onAfter - mainsAfter - 1));
      if (onAfter > mainsAfter) expect(read('ups.status')).to.contain('OFF');
      // The line must be good for some seconds before the UPS transfers to it.
      wait(5);
      expect(read('ups.status')).not.to.contain('OFF');
    });

  it('stay off after shutdown.stayoff until load.on', () => {
    const { ups, wait, read } = quietUps();
    ups.command('shutdown.stayoff', '5');
    wait(600);
    expect(read('ups.status')).to.equal('OL OFF');
    ups.command('load.on', undefined);
    expect(read('ups.status')).to.equal('OL');
  });

  it('cancel a shutdown, and fail without one', () => {
    const { ups, wait, read } = quietUps();
    ups.command('shutdown.return', undefined);
    expect(ups.command('shutdown.stop', undefined)).to.equal('SUCCESS');
    expect(ups.command('shutdown.stop', undefined)).to.equal('ERR FAILED');
    wait(60);
    expect(read('ups.status')).to.equal('OL');
  });

  it('refuse a parameter other than a number of seconds', () => {
    const { ups } = quietUps();
    expect(ups.command('shutdown.return', 'soon')).to.equal('ERR INVALID-ARGUMENT');
    expect(ups.command('beeper.mute', '5')).to.equal('ERR INVALID-ARGUMENT');
    expect(ups.command('no.such', undefined)).to.equal('ERR UNKNOWN');
  });

  it('set the beeper status', () => {
    const { ups, read } = quietUps();
    ups.command('beeper.toggle', undefined);
    expect(read('ups.beeper.status')).to.equal('disabled');
    ups.command('BEEPER.ENABLE', undefined);
    expect(read('ups.beeper.status')).to.equal('enabled');
  });
});
