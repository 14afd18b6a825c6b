import { expect } from 'chai';
import { Sessions } from '../../../../workers/api/auth/sessions.js';
import { FakeTime } from '../../../fixtures/fake-time.js';

const alice = { user: 'alice', stamp: 's1', role: 'control' } as const;

describe('login sessions', () => {
  let time: FakeTime;
  let sessions: Sessions;
  beforeEach(() => {
    time = new FakeTime();
    sessions = new Sessions(time);
  });

  it('are found by their token, which has 256 random bits', () => {
    const tokens = Array.from({ length: 50 }, () => sessions.open(alice, 60));
    expect(new Set(tokens).size).to.equal(50);
    for (const token of tokens) {
      expect(token).to.match(/^rs_[A-Za-z0-9_-]{43}$/);
      expect(sessions.find(token)).to.include(alice);
    }
  });

  it('are not found by any other token', () => {
    const token = sessions.open(alice, 60);
    for (const other of ['', 'rs_', token.slice(0, -1), `${token}A`, token.toUpperCase(), token.slice(3)])
      expect(sessions.find(other), other).to.equal(null);
  });

  it('end after their lifetime, regardless of the wall clock', async () => {
    const token = sessions.open(alice, 60);
    time.step(-86_400);
    await time.pass(59_999);
    expect(sessions.find(token)).not.to.equal(null);
    await time.pass(1);
    expect(sessions.find(token)).to.equal(null);
  });

  it('end one by one', () => {
    const [one, other] = [sessions.open(alice, 60), sessions.open(alice, 60)];
    sessions.end(one);
    expect(sessions.find(one)).to.equal(null);
    expect(sessions.find(other)).not.to.equal(null);
  });

  it('are limited to a thousand a user: the oldest of that user ends, no other', () => {
    const other = sessions.open({ user: 'bob', stamp: 's2', role: 'control' }, 60);
    const tokens = Array.from({ length: 1_001 }, () => sessions.open(alice, 60));
    expect(sessions.find(tokens[0] ?? '')).to.equal(null);
    expect(sessions.find(tokens[1] ?? '')).not.to.equal(null);
    expect(sessions.find(other)).not.to.equal(null);
  });
});
