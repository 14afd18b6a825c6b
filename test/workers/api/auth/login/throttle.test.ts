import { expect } from 'chai';
import { Throttle } from '../../../../../workers/api/auth/login/throttle.js';
import { FakeTime } from '../../../../fixtures/fake-time.js';

describe('the login throttle', () => {
  let time: FakeTime;
  let throttle: Throttle;
  beforeEach(() => {
    time = new FakeTime();
    throttle = new Throttle(time);
  });
  const fail = (peer: string, times: number): void => {
    for (let turn = 0; turn < times; turn += 1) throttle.begin(peer).failed();
  };

  it('allows ten failures a minute for a peer', () => {
    fail('192.0.2.1', 9);
    expect(throttle.waitSeconds('192.0.2.1')).to.equal(null);
    fail('192.0.2.1', 1);
    expect(throttle.waitSeconds('192.0.2.1')).to.equal(60);
    expect(throttle.waitSeconds('192.0.2.2')).to.equal(null);
  });

  it('uses a sliding minute for each failure', async () => {
    fail('192.0.2.1', 1);
    await time.pass(30_000);
    fail('192.0.2.1', 9);
    expect(throttle.waitSeconds('192.0.2.1')).to.equal(30);
    await time.pass(29_999);
    expect(throttle.waitSeconds('192.0.2.1')).to.equal(1);
    await time.pass(1);
    expect(throttle.waitSeconds('192.0.2.1')).to.equal(null);
    fail('192.0.2.1', 1);
    expect(throttle.waitSeconds('192.0.2.1')).to.equal(30);
  });

  it('counts running attempts as failures until they are decided', () => {
    const attempts = Array.from({ length: 10 }, () => throttle.begin('192.0.2.1'));
    expect(throttle.waitSeconds('192.0.2.1')).to.equal(1);
    attempts[0]?.withdrawn();
    expect(throttle.waitSeconds('192.0.2.1')).to.equal(null);
    throttle.begin('192.0.2.1').failed();
    expect(throttle.waitSeconds('192.0.2.1')).to.equal(1);
    for (const attempt of attempts.slice(1)) attempt.failed();
    expect(throttle.waitSeconds('192.0.2.1')).to.equal(60);
  });

  it('clears nothing on success: only failures count (specification/security.md#login-limits)', () => {
    fail('192.0.2.1', 9);
    throttle.begin('192.0.2.1').withdrawn();
    fail('192.0.2.1', 1);
    expect(throttle.waitSeconds('192.0.2.1')).to.equal(60);
  });

  it('blocks all peers after a hundred failures in 300 s', async () => {
    for (let peer = 0; peer < 10; peer += 1) {
      fail(`192.0.2.${String(peer)}`, 10);
      await time.pass(10_000);
    }
    expect(throttle.waitSeconds('203.0.113.1')).to.equal(200);
    await time.pass(199_999);
    expect(throttle.waitSeconds('203.0.113.1')).to.equal(1);
    await time.pass(1);
    expect(throttle.waitSeconds('203.0.113.1')).to.equal(null);
    fail('203.0.113.1', 10);
    expect(throttle.waitSeconds('203.0.113.2')).to.equal(10);
  });

  it('counts a hundred running attempts of a hundred peers', () => {
    const attempts = Array.from({ length: 100 }, (_, peer) => throttle.begin(`10.0.0.${String(peer)}`));
    expect(throttle.waitSeconds('203.0.113.1')).to.equal(1);
    for (const attempt of attempts) attempt.withdrawn();
    expect(throttle.waitSeconds('203.0.113.1')).to.equal(null);
  });

  it('ignores a change of the wall clock', () => {
    fail('192.0.2.1', 10);
    time.step(86_400);
    expect(throttle.waitSeconds('192.0.2.1')).to.equal(60);
  });
});
