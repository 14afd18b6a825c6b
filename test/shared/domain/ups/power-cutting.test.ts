import { expect } from 'chai';
import { cutsPower, powerCut } from '../../../../shared/domain/ups/power-cutting.js';
import { skipFor } from '../../../fixtures/skip.js';
import { deviceDumps, noDumps } from '../../../fixtures/device-dumps.js';

/** Every instant command of NUT's docs/nut-names.txt (releases 2.2 to 2.8), with the older names of the beeper. */
const commands: Readonly<Record<'cut' | 'harmless', readonly string[]>> = {
  cut: [
    'load.off',
    'load.off.delay',
    'shutdown.default',
    'shutdown.return',
    'shutdown.stayoff',
    'shutdown.reboot',
    'shutdown.reboot.graceful',
    'reset.watchdog',
    'outlet.1.shutdown.return',
    'outlet.1.load.off',
    'outlet.1.load.cycle',
    'outlet.group.1.shutdown.return',
    'outlet.group.1.load.off',
    'outlet.group.1.load.cycle',
    'driver.killpower',
  ],
  harmless: [
    'load.on',
    'load.on.delay',
    'shutdown.stop',
    'test.panel.start',
    'test.panel.stop',
    'test.failure.start',
    'test.failure.stop',
    'test.battery.start',
    'test.battery.start.quick',
    'test.battery.start.low',
    'test.battery.start.deep',
    'test.battery.stop',
    'test.system.start',
    'calibrate.start',
    'calibrate.stop',
    'bypass.start',
    'bypass.stop',
    'reset.input.minmax',
    'beeper.enable',
    'beeper.disable',
    'beeper.mute',
    'beeper.toggle',
    'beeper.on',
    'beeper.off',
    'outlet.1.load.on',
    'outlet.group.1.load.on',
    'driver.exit',
    'driver.reload',
    'driver.reload-or-error',
    'driver.reload-or-exit',
    'driver.reload-or-restart',
    'experimental.ecomode.disable',
    'experimental.ecomode.enable',
    'experimental.ecomode.start.auto',
    'experimental.ecomode.stop.auto',
    'experimental.essmode.enable',
    'experimental.essmode.disable',
  ],
};

/** Names outside of any list, and other forms of listed names. */
const invented: Readonly<Record<'cut' | 'harmless', readonly string[]>> = {
  cut: [
    'shutdown',
    'LOAD.OFF',
    'Shutdown.Stayoff',
    'load.off.now',
    'load.cycle',
    'load.cycle.delay',
    'outlet.load.off',
    'outlet.1.toggle',
    'load.shed',
    'outlet.2.restart',
    'inverter.disable',
    'outlet.0.load.off.delay',
    'OUTLET.12.LOAD.CYCLE',
    'outlet.group.2.shutdown.reboot',
    'outlet.3.shutdown.stayoff',
    'device.1.load.off',
    'device.2.outlet.4.load.cycle',
    'device.1.shutdown.return',
    'Driver.KillPower',
    'bypass.load.off',
    'experimental.outlet.poweroff',
    'experimental.killpower',
    'experimental.power_off',
    'experimental.power.off',
    'experimental.autoreboot',
    'experimental.shut-down',
    'shutdown.stop.now',
    'shutdown.stopover',
    'xshutdown.stop',
    'outlet.1.reboot',
    'outlet.1.power.cycle',
    'outlet.1.off',
    'outlets.all.off',
    'ups.off',
    'output.off',
    'inverter.off',
    'ups.halt',
  ],
  harmless: [
    'outlet.1.shutdown.stop',
    'outlet.group.1.shutdown.stop',
    'device.1.shutdown.stop',
    'SHUTDOWN.STOP',
    'outlet.12.load.on.delay',
    'display.off',
    'experimental.bicycle',
    'test.battery.start.offline',
    'driver.offline.reset',
  ],
};

const variables: Readonly<Record<'cut' | 'harmless', readonly string[]>> = {
  cut: [
    'ups.timer.shutdown',
    'ups.timer.reboot',
    'UPS.Timer.Shutdown',
    'outlet.1.timer.shutdown',
    'outlet.timer.reboot',
    'outlet.group.3.timer.shutdown',
    'device.1.ups.timer.shutdown',
    'experimental.timer.reboot',
    'outlet.switch',
    'outlet.1.switch',
    'Outlet.2.Switch',
    'outlet.group.1.switch',
    'device.1.outlet.2.switch',
    'ups.shutdown',
    'driver.flag.allow_killpower',
    'experimental.outlet.poweroff',
    'experimental.load.off',
    'ups.poweroff.now',
    'outlet.1.reboot',
    'load.cycle',
    'ups.watchdog.timeout',
  ],
  harmless: [
    'ups.delay.shutdown',
    'UPS.DELAY.SHUTDOWN',
    'ups.delay.reboot',
    'ups.delay.start',
    'ups.timer.start',
    'ups.start.reboot',
    'ups.start.auto',
    'ups.watchdog.status',
    'outlet.1.delay.shutdown',
    'outlet.group.1.delay.shutdown',
    'outlet.delay.reboot',
    'outlet.1.switchable',
    'outlet.1.autoswitch.charge.low',
    'outlet.1.timer.start',
    'battery.charge.low',
    'input.transfer.high',
    'ups.id',
    'ups.beeper.status',
    'battery.energysave',
  ],
};

/** Such names in the reports of devices, without outlet numbers; selected by hand. */
const cutInDumps = {
  command: [
    'load.off',
    'load.off.delay',
    'reset.watchdog',
    'shutdown.reboot',
    'shutdown.return',
    'shutdown.stayoff',
  ],
  variable: [
    'driver.flag.allow_killpower',
    'driver.parameter.shutdown_delay',
    'outlet.N.switch',
    'ups.timer.reboot',
    'ups.timer.shutdown',
  ],
};

describe('the list of names that can cut the power of a load', () => {
  for (const [kind, lists] of [
    ['command', commands],
    ['command', invented],
    ['variable', variables],
  ] as const) {
    for (const name of lists.cut)
      it(`is the ${kind} ${name}`, () => expect(powerCut(kind, name)).to.be.a('string'));
    for (const name of lists.harmless)
      it(`is not the ${kind} ${name}`, () => expect(powerCut(kind, name)).to.equal(null));
  }

  it('matches exactly these names of real devices', function () {
    const dumps = deviceDumps();
    skipFor(this, dumps.length === 0 && noDumps);
    for (const kind of ['command', 'variable'] as const) {
      const names = dumps.flatMap(({ commands, variables }) =>
        kind === 'command' ? commands : Object.keys(variables),
      );
      expect(names).to.have.length.above(40);
      const cut = names
        .filter((name) => cutsPower(kind, name))
        .map((name) => name.replaceAll(/\.\d+(?=\.)/g, '.N'));
      expect([...new Set(cut)].sort(), kind).to.deep.equal(cutInDumps[kind]);
    }
  });
});
