import { expect } from 'chai';
import fc from 'fast-check';
import type { Variables } from '../../../../shared/domain/ups/reading.js';
import { Reading } from '../../../../shared/domain/ups/reading.js';
import { readingOf } from '../../../../workers/poller/reading/reading.js';

describe('the parsed reading', () => {
  it('has every quantity in its unit', () => {
    const reading = readingOf({
      'ups.status': 'OL CHRG',
      'battery.charge': '87',
      'battery.runtime': '1920',
      'ups.load': '23.5',
      'input.voltage': '231.0',
      'output.voltage': '230.1',
      'battery.voltage': '27.3',
      'input.frequency': '49.9',
      'output.frequency': '50.0',
      'ups.temperature': '31.2',
      'input.voltage.nominal': '230',
      'ups.realpower': '120',
    });
    expect(reading).to.deep.equal({
      status: ['OL', 'CHRG'],
      chargePercent: 87,
      runtimeSeconds: 1920,
      loadPercent: 23.5,
      inputVolts: 231,
      outputVolts: 230.1,
      batteryVolts: 27.3,
      inputHertz: 49.9,
      outputHertz: 50,
      temperatureCelsius: 31.2,
      nominalVolts: 230,
      realPowerWatts: 120,
    });
  });

  it('lacks what the UPS does not publish', () => {
    const { status, ...numbers } = readingOf({});
    expect(status).to.deep.equal([]);
    expect(Object.values(numbers)).to.satisfy((all: unknown[]) => all.every((value) => value === null));
  });

  for (const [name, key, text, value] of [
    ['battery.charge', 'chargePercent', '0', 0],
    ['battery.charge', 'chargePercent', '100', 100],
    ['battery.charge', 'chargePercent', '104.5', 100],
    ['battery.charge', 'chargePercent', '110', 100],
    ['battery.charge', 'chargePercent', '110.1', null],
    ['battery.charge', 'chargePercent', '255', null],
    ['battery.charge', 'chargePercent', '-1', null],
    ['battery.runtime', 'runtimeSeconds', '0', 0],
    ['battery.runtime', 'runtimeSeconds', '-1', null],
    ['battery.runtime', 'runtimeSeconds', '65534', 65534],
    ['battery.runtime', 'runtimeSeconds', '65535', null],
    ['battery.runtime', 'runtimeSeconds', '65535.0', null],
    ['battery.runtime', 'runtimeSeconds', '3932100', null],
    ['battery.runtime', 'runtimeSeconds', '4294967295', null],
    ['battery.runtime', 'runtimeSeconds', '2147483647.00', null],
    ['battery.runtime', 'runtimeSeconds', '3932101', 3932101],
    ['battery.runtime', 'runtimeSeconds', '65536', 65536],
    ['ups.load', 'loadPercent', '300', 300],
    ['ups.load', 'loadPercent', '520', null],
    ['input.voltage', 'inputVolts', '0', 0],
    ['input.voltage', 'inputVolts', '-6437', null],
    ['output.voltage', 'outputVolts', '601', null],
    ['battery.voltage', 'batteryVolts', '600', 600],
    ['input.frequency', 'inputHertz', '0', null],
    ['input.frequency', 'inputHertz', '20', 20],
    ['output.frequency', 'outputHertz', '120.5', null],
    ['ups.temperature', 'temperatureCelsius', '-40', -40],
    ['ups.temperature', 'temperatureCelsius', '255', null],
    ['ups.realpower', 'realPowerWatts', '-5', null],
  ] as const) {
    it(`parses ${name} ${text} as ${value === null ? 'missing' : String(value)}`, () => {
      expect(readingOf({ [name]: text })[key]).to.equal(value);
    });
  }

  it('has no runtime of a driver whose battery.runtime is not what is left', () => {
    const runtimeOf = (driver: string) =>
      readingOf({ 'driver.name': driver, 'battery.runtime': '00076' }).runtimeSeconds;
    expect(runtimeOf('gamatronic')).to.equal(null);
    expect(runtimeOf('hwmon_ina219')).to.equal(null);
    expect(runtimeOf('usbhid-ups')).to.equal(76);
  });

  it('has the battery temperature when the UPS has none of its own', () => {
    const celsiusOf = (variables: Variables) => readingOf(variables).temperatureCelsius;
    expect(celsiusOf({ 'battery.temperature': '31.0' })).to.equal(31);
    expect(celsiusOf({ 'battery.temperature': '31.0', 'ups.temperature': '28' })).to.equal(28);
    expect(celsiusOf({ 'battery.temperature': '31.0', 'ups.temperature': '255' })).to.equal(null);
  });

  it('keeps each status flag once, in order, and unknown ones too', () => {
    expect(readingOf({ 'ups.status': ' FSD  OB OFF OB WEIRD ' }).status).to.deep.equal([
      'FSD',
      'OB',
      'OFF',
      'WEIRD',
    ]);
  });

  it('passes the codec of the link for any variables', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.double().map(String));
    const names = [
      'ups.status',
      'battery.charge',
      'battery.runtime',
      'ups.load',
      'input.voltage',
      'ups.realpower',
    ];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), text), (variables) =>
        Reading.is(readingOf(variables)),
      ),
    );
  });
});
