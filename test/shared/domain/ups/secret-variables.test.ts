import { expect } from 'chai';
import fc from 'fast-check';
import { hiddenValue, shownValue, withoutSecrets } from '../../../../shared/domain/ups/secret-variables.js';
import { skipFor } from '../../../fixtures/skip.js';
import { deviceDumps, noDumps } from '../../../fixtures/device-dumps.js';

const hidden: readonly (readonly [string, string])[] = [
  ['driver.parameter.community', 'private'],
  ['driver.parameter.community', '4711'],
  ['driver.parameter.authPassword', 'a'],
  ['driver.parameter.privPassword', '12345678'],
  ['driver.parameter.password', '12345'],
  ['driver.parameter.login', 'admin'],
  ['driver.parameter.mibs', 'ietf'],
  ['driver.parameter.vendorid', '10AF'],
  ['driver.parameter.langid_fix', '0x0409'],
  ['driver.parameter.runtimecal', '240,100,720,50'],
  ['driver.parameter.anything', ''],
  ['driver.parameter.port', 'http://admin:secret@192.0.2.7/'],
  ['driver.parameter.override.ups.id', 'abc'],
  ['driver.parameter.port.community', 'x'],
  ['DRIVER.PARAMETER.SECNAME', 'ops'],
  ['override.ups.community', '1'],
  ['override.ups.id', 'text'],
  ['default.ups.id', 'text'],
  ['default.wifi.passwd', '00000000'],
  ['ups.password', 'x'],
  ['device.access.token', '7'],
  ['experimental.client_secret', 'x'],
  ['ups.key', 'x'],
  ['ups.api-key', 'x'],
  ['ups.api_key.1', 'x'],
  ['ups.apiKey', 'x'],
  ['device.Key', 'x'],
  ['driver.flag.community', 'public'],
];
const shown: readonly (readonly [string, string])[] = [
  ['driver.parameter.pollinterval', '2'],
  ['driver.parameter.pollfreq', '30'],
  ['driver.parameter.port', 'auto'],
  ['driver.parameter.port', '/dev/ttyS0'],
  ['Driver.Parameter.Port', 'office@192.0.2.7'],
  ['driver.parameter.synchronous', 'no'],
  ['driver.parameter.offdelay', 'none'],
  ['driver.parameter.ondelay', '3'],
  ['driver.parameter.lowbatt', '30 %'],
  ['driver.parameter.vendorid', '0665'],
  ['driver.parameter.lowbattvolt', '11.5'],
  ['driver.parameter.offset', '-3'],
  ['driver.parameter.override.battery.charge.low', '20'],
  ['driver.flag.allow_killpower', '0'],
  ['driver.flag.ignorelb', 'enabled'],
  ['driver.flag.key', 'enabled'],
  ['override.battery.charge.low', '20'],
  ['default.battery.voltage.high', '27.6'],
  ['driver.name', 'snmp-ups'],
  ['driver.version.data', 'mge MIB 0.5'],
  ['ups.serial', 'AS0000'],
  ['ups.keypad.lock', 'yes'],
  ['ups.turnkey', 'yes'],
  ['ups.monkey.count', '12'],
  ['ups.id', hiddenValue],
];

/** Variables of a real device's report that may be hidden; selected by hand. */
const hiddenInDumps = [
  'driver.parameter.alarm_control',
  'driver.parameter.langid_fix',
  'driver.parameter.mfr',
  'driver.parameter.mibs',
  'driver.parameter.model',
  'driver.parameter.modelname',
  'driver.parameter.product',
  'driver.parameter.productid',
  'driver.parameter.protocol',
  'driver.parameter.runtimecal',
  'driver.parameter.serial',
  'driver.parameter.snmp_version',
  'driver.parameter.subdriver',
  'driver.parameter.type',
  'driver.parameter.vendor',
  'driver.parameter.vendorid',
];

describe('the value of a variable that may be a secret', () => {
  for (const [name, value] of hidden)
    it(`is not shown: ${name} = ${JSON.stringify(value)}`, () =>
      expect(shownValue(name, value)).to.equal('(hidden)'));
  for (const [name, value] of shown)
    it(`is no secret: ${name} = ${JSON.stringify(value)}`, () =>
      expect(shownValue(name, value)).to.equal(value));

  it('is replaced under its name, and other values are unchanged', () => {
    const variables = {
      'driver.parameter.community': 'private',
      'ups.status': 'OL',
      'battery.charge': '100',
    };
    expect(withoutSecrets(variables)).to.deep.equal({
      ...variables,
      'driver.parameter.community': '(hidden)',
    });
  });

  it('is hidden the same when only what changed is looked at', () => {
    const some = fc.dictionary(
      fc.constantFrom('ups.status', 'driver.parameter.community', 'driver.flag.key', 'battery.charge'),
      fc.constantFrom('OL', 'private', 'enabled', '1'),
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(some, some, (before, after) => {
        const last = { raw: before, variables: withoutSecrets(before) };
        expect(withoutSecrets(after, last)).to.deep.equal(withoutSecrets(after));
      }),
    );
  });

  it('is only a driver setting in the reports of real devices', function () {
    const dumps = deviceDumps();
    skipFor(this, dumps.length === 0 && noDumps);
    const found = dumps.flatMap(({ variables }) => {
      const masked = withoutSecrets(variables);
      expect(Object.keys(masked)).to.deep.equal(Object.keys(variables));
      return Object.keys(masked).filter((name) => masked[name] !== variables[name]);
    });
    expect([...new Set(found)].sort()).to.deep.equal(hiddenInDumps);
  });
});
