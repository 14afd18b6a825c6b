import { expect } from 'chai';
import { ActionLimit } from '../../../../workers/api/auth/action-limit.js';
import { FakeTime } from '../../../fixtures/fake-time.js';

describe('the rate limit on actions', () => {
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

  it('allows twenty actions a second, and rejects the next', async () => {
    expect(admitted(take(20))).to.equal(20);
    expect(take(2)).to.deep.equal([1, 1]);
    await time.pass(999);
    expect(take(1)).to.deep.equal([1]);
    await time.pass(1);
    expect(admitted(take(40))).to.equal(20);
  });

  it('uses a sliding second', async () => {
    take(10);
    await time.pass(600);
    expect(admitted(take(15))).to.equal(10);
    await time.pass(400);
    expect(admitted(take(15))).to.equal(10);
  });

  it('allows 300 actions in five minutes, and returns when the next is allowed', async () => {
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

  it('counts each principal separately, and ignores a change of the wall clock', () => {
    take(25);
    time.step(86_400);
    expect(take(1)).to.deep.equal([1]);
    expect(limit.take('apikey:other')).to.equal(null);
    expect(limit.take('user:ops')).to.equal(null);
  });
});
