import { expect } from 'chai';
import type { ReturnVerdict } from '../../../../shared/domain/ups/output-return.js';
import { outputReturn, returnWarning, staysOff } from '../../../../shared/domain/ups/output-return.js';
import type { OutputCommand } from '../../../../shared/domain/ups/output-start.js';
import type { Variables } from '../../../../shared/domain/ups/reading.js';
import { deviceDumps, noDumps } from '../../../fixtures/device-dumps.js';
import { skipFor } from '../../../fixtures/skip.js';

const order: OutputCommand = { command: 'shutdown.return', offDelaySeconds: 120 };
const offers = ['beeper.mute', 'shutdown.return'];

const usb = (vendor: string, data: string, more: Variables = {}): Variables => ({
  'driver.name': 'usbhid-ups',
  'driver.version.data': data,
  'ups.vendorid': vendor,
  'ups.delay.shutdown': '20',
  ...more,
});
const from = (start: string): Variables => ({ 'ups.delay.start': start });

// Names and values as in the dumps of NUT's collection of devices, and as reported where a number of an issue stands.
const smartUps = usb('051d', 'APC HID 0.95', from('30'));
const backUps = usb('051d', 'APC HID 0.92');
const cyberPower = usb('0764', 'CyberPower HID 0.4', from('30'));
const eaton = usb('0463', 'MGE HID 1.33', { ...from('30'), 'ups.start.auto': 'yes' });
const ellipse: Variables = { 'driver.name': 'mge-shut', 'ups.delay.shutdown': '20', ...from('-1') };
const mecer: Variables = {
  'driver.name': 'nutdrv_qx',
  'driver.version.data': 'Voltronic 0.01',
  'ups.delay.shutdown': '30',
  'ups.delay.start': '180',
  'ups.start.auto': 'yes',
};
const salicru: Variables = { 'driver.name': 'nutdrv_qx', 'ups.delay.shutdown': '120', ...from('120') };
const apcCard: Variables = {
  'driver.name': 'snmp-ups',
  'driver.version.data': 'apcc MIB 1.2',
  'ups.delay.shutdown': '120',
  ...from('10'),
};
const eatonCard: Variables = {
  ...apcCard,
  'driver.version.data': 'mge MIB 0.5',
  'ups.delay.shutdown': '20',
  'ups.delay.start': '30',
};
const matrix: Variables = {
  'driver.name': 'apcsmart',
  'battery.charge.restart': '00',
  'ups.delay.shutdown': '600',
  'ups.delay.start': '000',
};
const tripplite: Variables = { 'driver.name': 'tripplite_usb', 'ups.delay.shutdown': '64' };
const belkin: Variables = { 'driver.name': 'belkin', 'battery.charge': '100', 'ups.status': 'OL' };

const table: readonly (readonly [string, Variables, ReturnVerdict, RegExp])[] = [
  [
    'APC Smart-UPS 1500 by USB',
    smartUps,
    'may_not_return',
    /reads 30, too early .* 120 s.*take 180.*set ondelay/,
  ],
  [
    '… with ondelay above off_delay',
    { ...smartUps, ...from('180') },
    'returns',
    /reads 180: .* waits for mains/,
  ],
  [
    '… whose fixed cut is later still',
    { ...smartUps, ...from('180'), 'ups.delay.shutdown': '300' },
    'may_not_return',
    /cut after 300 s: .*take 360/,
  ],
  ['APC Back-UPS, which shows no start', backUps, 'unknown', /shows no ups\.delay\.start.*try it once/],
  [
    'CyberPower CP1500EPFCLCD (nut#625)',
    cyberPower,
    'may_not_return',
    /reads 30: a CyberPower .* whatever mains does.*set ondelay = 0/,
  ],
  [
    '… with a start above off_delay',
    { ...cyberPower, ...from('180') },
    'may_not_return',
    /whatever mains does/,
  ],
  ['… with ondelay = 0 (nut#580)', { ...cyberPower, ...from('0') }, 'returns', /waits for mains/],
  [
    '… with ondelay = -1 (nut#578)',
    { ...cyberPower, ...from('-1') },
    'may_not_return',
    /never starts its output by itself/,
  ],
  ['Eaton 9SX by USB', { ...eaton, ...from('180') }, 'returns', /waits for mains/],
  [
    '… with ups.start.auto = no',
    { ...eaton, ...from('180'), 'ups.start.auto': 'no' },
    'may_not_return',
    /ups\.start\.auto reads no.*upsrw -s ups\.start\.auto=yes/,
  ],
  [
    '… with that and an early start',
    { ...eaton, 'ups.start.auto': 'no' },
    'may_not_return',
    /reads no: .*; ups\.delay\.start reads 30/,
  ],
  ['… with a start at once', { ...eaton, ...from('0') }, 'unknown', /reads 0: .* up to the device/],
  ['MGE Ellipse 800 on a serial line', ellipse, 'may_not_return', /reads -1: some UPSes/],
  ['Mecer ME-1000-WTU with nutdrv_qx', mecer, 'returns', /reads 180: the start counts from the cut/],
  ['… without a time to return', { ...mecer, ...from('0') }, 'unknown', /reads 0/],
  ['Salicru SPS ONE with nutdrv_qx', salicru, 'may_not_return', /below 180 s some devices of nutdrv_qx/],
  [
    'APC Smart-UPS 3000 by its card',
    apcCard,
    'returns',
    /reads 10: the start counts from the return of mains/,
  ],
  ['Eaton 5PX by its card', eatonCard, 'may_not_return', /does not come back with snmp-ups/],
  ['… with a start after the cut', { ...eatonCard, ...from('180') }, 'returns', /waits for mains/],
  [
    'a card of another MIB',
    { ...apcCard, 'driver.version.data': 'netvision MIB 0.4', ...from('180') },
    'unknown',
    /not documented/,
  ],
  ['APC Matrix-UPS with apcsmart', matrix, 'returns', /the return of mains/],
  ['Tripp Lite OMNI with tripplite_usb', tripplite, 'unknown', /not documented .* tripplite_usb/],
  [
    'a driver of no family with an early start',
    { ...tripplite, ...from('60') },
    'may_not_return',
    /only if this UPS counts/,
  ],
  [
    'a UPS with neither delay',
    belkin,
    'may_not_return',
    /does not show ups\.delay\.shutdown, so the output stays on/,
  ],
  ['a start that is no number', { ...smartUps, ...from('soon') }, 'unknown', /shows no ups\.delay\.start/],
  ['a UPS that has not been read', {}, 'unknown', /not been read/],
];

describe('the return of an output', () => {
  for (const [what, variables, verdict, reason] of table)
    it(`is ${verdict}: ${what}`, () => {
      const judged = outputReturn(order, variables, offers);
      expect(judged.verdict, judged.reason).to.equal(verdict);
      expect(judged.reason).to.match(reason);
    });

  it('is unknown while the commands of the UPS are not known, and does not come where the command is missing', () => {
    expect(outputReturn(order, mecer, null)).to.deep.equal({
      verdict: 'unknown',
      reason: 'the commands of the UPS are not listed here; a drill lists them',
    });
    expect(outputReturn(order, mecer, ['load.off'])).to.deep.include({ verdict: 'may_not_return' });
    expect(outputReturn(order, mecer, ['SHUTDOWN.RETURN'])).to.deep.include({ verdict: 'returns' });
    // What speaks against it counts also without the list.
    expect(outputReturn(order, cyberPower, null)).to.deep.include({ verdict: 'may_not_return' });
  });

  it('comes later where the UPS waits for a charge, and at once where that is 0', () => {
    const reasonAt = (percent: string) =>
      outputReturn(order, { ...apcCard, 'battery.charge.restart': percent }, offers);
    expect(reasonAt('80')).to.deep.equal({
      verdict: 'returns',
      reason:
        'ups.delay.start reads 10: the start counts from the return of mains, by the documents of snmp-ups; it waits for a ' +
        'charge of 80 % (battery.charge.restart), so after a long outage it starts later',
    });
    for (const percent of ['0', '00', '', 'high', '400', '-5'])
      expect(reasonAt(percent).reason).not.to.contain('charge');
  });

  it('does not come after a command that leaves the output off, of which the configuration check warns', () => {
    for (const command of ['shutdown.stayoff', 'load.off.delay']) {
      expect(staysOff(command)).to.equal(true);
      const chosen = { ...order, command };
      expect(outputReturn(chosen, mecer, [command])).to.deep.include({ verdict: 'may_not_return' });
      expect(returnWarning(chosen, mecer, [command])).to.equal('');
    }
    const graceful = { ...order, command: 'shutdown.reboot.graceful' };
    expect(outputReturn(graceful, mecer, [graceful.command])).to.deep.include({ verdict: 'unknown' });
  });

  it('is a warning only where something speaks against it', () => {
    expect(returnWarning(order, mecer, offers)).to.equal('');
    expect(returnWarning(order, backUps, offers)).to.equal('');
    expect(returnWarning(order, cyberPower, null)).to.match(/^ups\.delay\.start reads 30/);
  });

  it('has a reason for each device of the collection, and promises nothing where no start is shown', function () {
    const dumps = deviceDumps();
    if (dumps.length === 0) skipFor(this, noDumps);
    for (const { file, variables } of dumps) {
      const { verdict, reason } = outputReturn(order, variables, offers);
      expect(reason, file).not.to.equal('');
      expect(reason.length, file).to.be.below(1024);
      const isApc =
        variables['driver.name'] === 'apcsmart' || /^apcc /.test(variables['driver.version.data'] ?? '');
      if (variables['ups.delay.start'] === undefined && !isApc) expect(verdict, file).not.to.equal('returns');
    }
  });
});
