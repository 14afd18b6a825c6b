import { expect } from 'chai';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SerialWork } from '../../../shared/runtime/serial-work.js';

describe('serial work', () => {
  it('runs one piece after the other, even after one that throws', async () => {
    const serial = new SerialWork();
    const steps: string[] = [];
    const piece = (name: string, fails = false) =>
      serial.run(async () => {
        steps.push(`${name} begins`);
        await nextTurn();
        steps.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });
    const results = await Promise.allSettled([piece('a'), piece('b', true), piece('c')]);
    expect(results.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).to.deep.equal(
      ['a', 'Error: b', 'c'],
    );
    expect(steps).to.deep.equal(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });
});
