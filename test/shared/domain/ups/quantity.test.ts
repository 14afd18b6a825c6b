import { expect } from 'chai';
import {
  charge,
  celsius,
  hertz,
  load,
  numberOf,
  runtime,
  volts,
  watts,
} from '../../../../shared/domain/ups/quantity.js';

describe('a number', () => {
  for (const [text, value] of [
    ['42', 42],
    [' 42.50 ', 42.5],
    ['+3', 3],
    ['-0.5', -0.5],
    ['.5', 0.5],
    ['5.', 5],
    ['1e2', 100],
    ['007', 7],
    ['12,5', 12.5],
    ['-0,25', -0.25],
    [',5', 0.5],
    ['2,8281', 2.8281],
  ] as const) {
    it(`is read from ${JSON.stringify(text)}`, () => {
      expect(numberOf(text)).to.equal(value);
    });
  }

  for (const text of [
    '',
    ' ',
    '.',
    '0x10',
    '1e999',
    '1e1000',
    '1,500',
    '1.500,5',
    '1,2,3',
    '1,500 ',
    '230 V',
    '5 constructor',
    'NaN',
    'Infinity',
    '--1',
    '1 2',
    '9'.repeat(33),
  ]) {
    it(`is not read from ${JSON.stringify(text)}`, () => {
      expect(numberOf(text)).to.equal(null);
    });
  }
});

describe('a quantity with its unit', () => {
  for (const [name, parse, text, value] of [
    ['a charge', charge, '95 %', 95],
    ['a charge', charge, '95,5%', 95.5],
    ['a charge', charge, '100.0 Percent', 100],
    ['a charge', charge, '12 V', null],
    ['a charge', charge, '95 toString', null],
    ['a runtime', runtime, '1500 s', 1500],
    ['a runtime', runtime, '1500 Seconds', 1500],
    ['a runtime', runtime, '35.5 Minutes', 2130],
    ['a runtime', runtime, '25 min', 1500],
    ['a runtime', runtime, '25 m', null],
    ['a runtime', runtime, '65535 min', null],
    ['a runtime', runtime, '1,500', null],
    ['a load', load, '9.0 Percent', 9],
    ['a voltage', volts, '232.0 Volts', 232],
    ['a voltage', volts, '230,1', 230.1],
    ['a voltage', volts, '230 V', 230],
    ['a voltage', volts, '230 mV', null],
    ['a frequency', hertz, '50,0 Hz', 50],
    ['a temperature', celsius, '31.2 °C', 31.2],
    ['a temperature', celsius, '88 F', null],
    ['a power', watts, '700 Watts', 700],
  ] as const) {
    it(`reads ${name} ${JSON.stringify(text)} as ${value === null ? 'missing' : String(value)}`, () => {
      expect(parse(text)).to.equal(value);
    });
  }
});
