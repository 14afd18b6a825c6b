import { expect } from 'chai';
import { readOptions } from './options.js';

describe('the command line of the benchmarks', () => {
  const read = (...args: readonly string[]) => readOptions(args, ['cost', 'floor']);

  it('is names and numbers', () => {
    const asked = read('floor', '--ups', '50', '--interval=0.5', '--recovery');
    expect(asked).to.deep.include({ names: ['floor'] });
    expect(asked)
      .to.have.property('options')
      .that.includes({ ups: 50, interval: 0.5, rounds: undefined, recovery: true });
  });

  for (const [args, reason] of [
    ['--help', "Unknown option '--help'"],
    ['--ups', "Option '--ups <value>' argument missing"],
    ['--ups 0', '--ups is a number from 1 on, not 0'],
    ['--hours many', '--hours is a number from 0.1 on, not many'],
    ['cost nothing', 'no benchmark nothing'],
  ] as const)
    it(`says what is wrong with ${args}, and the usage`, () =>
      expect(read(...args.split(' '))).to.deep.equal({
        problem: `${reason}
usage: npm run bench -- [NAME...] [--ups NUMBER] [--seconds NUMBER] [--interval NUMBER] [--per-server NUMBER] [--rounds NUMBER] [--hours NUMBER] [--speed NUMBER] [--servers NUMBER] [--recovery]
names: cost, floor
`,
      }));
});
