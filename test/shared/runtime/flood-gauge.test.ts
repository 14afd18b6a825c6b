import { expect } from 'chai';
import { FloodGauge } from '../../../shared/runtime/flood-gauge.js';

describe('A flood gauge', () => {
  const flooded = (gauge: FloodGauge, frames: number, nowMs: number): boolean =>
    Array.from({ length: frames }, () => gauge.count(nowMs)).includes(true);

  it('accepts the permitted number of frames every second', () => {
    const gauge = new FloodGauge(100);
    for (let second = 0; second < 1000; second += 1)
      expect(flooded(gauge, 100, second * 1000), `second ${String(second)}`).to.equal(false);
  });

  it('reports a frame beyond the limit within a second', () => {
    const gauge = new FloodGauge(100);
    expect(flooded(gauge, 100, 5000)).to.equal(false);
    expect(gauge.count(5999)).to.equal(true);
  });

  it('tolerates the frames sent while the reader was blocked, and no more', () => {
    const gauge = new FloodGauge(100);
    gauge.allowForStall(60_000, 50_000);
    expect(flooded(gauge, 5100, 60_000)).to.equal(false);
    expect(gauge.count(60_001)).to.equal(true);
  });

  it('counts a long frame as several', () => {
    const gauge = new FloodGauge(10);
    expect(gauge.count(0, 9 * 4096)).to.equal(false);
    expect(gauge.count(0, 4095)).to.equal(true);
  });
});
