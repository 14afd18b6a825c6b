import { expect } from 'chai';
import { ActionLimit } from '../../../../workers/api/auth/action-limit.js';
import { FakeTime } from '../../../fixtures/fake-time.js';

describe('the limit on actions', () => {
  let time: FakeTime;
  let limit: ActionLimit;
  beforeEach(() => {
    time = new FakeTime();
    limit = new ActionLimit(time);
  });
  const take = (times: number): readonly (number | null)[] =>
    Array.from({ length: times }, () => limit.take('apikey:ops'));
  const admitted = (answers: readonly (number | null)[]): number =>
    answers.filter((one) => one === null).length;

  it('lets twenty through in a second and no twenty-first', async () => {
    expect(admitted(take(20))).to.equal(20);
    expect(take(2)).to.deep.equal([1, 1]);
    await time.pass(999);
    expect(take(1)).to.deep.equal([1]);
    await time.pass(1);
    expect(admitted(take(40))).to.equal(20);
  });

  it('slides: the second begins with each action', async () => {
    take(10);
    await time.pass(600);
    expect(admitted(take(15))).to.equal(10);
    await time.pass(400);
    expect(admitted(take(15))).to.equal(10);
  });

  it('lets three hundred through in five minutes, and says when the next one is', async () => {
    for (let second = 0; second < 15; second += 1) {
      expect(admitted(take(20))).to.equal(20);
      await time.pass(1_000);
    }
    expect(take(3)).to.deep.equal([285, 285, 285]);
    await time.pass(284_999);
    expect(take(1)).to.deep.equal([1]);
    await time.pass(1);
    expect(admitted(take(21))).to.equal(20);
  });

  it('is that of each principal, and is not moved by somebody who sets the clock', () => {
    take(25);
    time.step(86_400);
    expect(take(1)).to.deep.equal([1]);
    expect(limit.take('apikey:other')).to.equal(null);
    expect(limit.take('user:ops')).to.equal(null);
  });
});
