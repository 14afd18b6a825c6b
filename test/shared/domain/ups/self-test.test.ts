import { expect } from 'chai';
import { selfTestResultOf } from '../../../../shared/domain/ups/self-test.js';
import { deviceDumps } from '../../../fixtures/device-dumps.js';

/** Every text of NUT's drivers: usbhid-ups, snmp-ups, apcsmart, apcupsd-ups, bcmxcp, and of the devices behind them. */
const texts: readonly (readonly [string, ReturnType<typeof selfTestResultOf>])[] = [
  ['Done and passed', 'PASSED'],
  ['done and passed', 'PASSED'],
  ['Ok', 'PASSED'],
  ['OK', 'PASSED'],
  ['OK - Battery GOOD', 'PASSED'],
  ['Done and warning', 'WARNING'],
  ['Warning: replace the battery', 'FAILED'],
  ['Done and error', 'FAILED'],
  ['done and error', 'FAILED'],
  ['Failed', 'FAILED'],
  ['failed', 'FAILED'],
  ['NOT OK', 'FAILED'],
  ['BT', 'FAILED'],
  ['BAD - Replace battery', 'FAILED'],
  ['In progress', 'RUNNING'],
  ['in progress', 'RUNNING'],
  ['testInProgress', 'RUNNING'],
  ['Test in progress', 'RUNNING'],
  ['IP', 'RUNNING'],
  ['Aborted', 'UNKNOWN'],
  ['aborted', 'UNKNOWN'],
  ['Test scheduled', 'UNKNOWN'],
  ['No test initiated', 'UNKNOWN'],
  ['no test initiated', 'UNKNOWN'],
  ['InvalidTest', 'UNKNOWN'],
  ['NG', 'UNKNOWN'],
  ['NO', 'UNKNOWN'],
  ['', 'UNKNOWN'],
  ['Battery: 27.1 V', 'UNKNOWN'],
  ['Not supported', 'UNSUPPORTED'],
];

describe('the result of a battery test', () => {
  for (const [text, result] of texts)
    it(`"${text}" is ${result}`, () => expect(selfTestResultOf(text)).to.equal(result));

  it('is in the table for every text of the device dumps', () => {
    const found = deviceDumps().flatMap(({ variables }) => variables['ups.test.result'] ?? []);
    const known = texts.map(([text]) => text);
    expect([...new Set(found)].filter((text) => !known.includes(text))).to.deep.equal([]);
  });
});
