import { expect } from 'chai';
import { TokenBucket } from '../../../shared/runtime/token-bucket.js';

describe('a token bucket', () => {
  const taken = (bucket: TokenBucket, nowMs: number): number => {
    let count = 0;
    while (bucket.take(nowMs)) count += 1;
    return count;
  };

  it('allows the burst and then the rate', () => {
    const bucket = new TokenBucket(10, 5, 1000);
    expect(taken(bucket, 1000)).to.equal(10);
    expect(taken(bucket, 1199)).to.equal(0);
    expect(taken(bucket, 1200)).to.equal(1);
    expect(taken(bucket, 2200)).to.equal(5);
  });

  it('never saves more than the burst', () => {
    const bucket = new TokenBucket(10, 5, 1000);
    expect(taken(bucket, 1e9)).to.equal(10);
  });
});
