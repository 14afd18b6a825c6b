import { expect } from 'chai';
import { lostPhases, noPhaseLoss, phaseLossAfter } from '../../../../supervisor/policy/power/phase-loss.js';
import type { PhaseLoss } from '../../../../supervisor/policy/power/phase-loss.js';

const names = ['L1-N', 'L2-N', 'L3-N'];

describe('the loss of a phase', () => {
  let loss: PhaseLoss;
  let told: string[];
  const see = (ms: number, values: readonly number[], declared = 0) => {
    const phases = values.map((volts, index) => ({ phase: String(names[index]), volts }));
    const highestVolts = phases.length === 0 ? null : Math.max(...values);
    const mains = { phases, highestVolts, lowestVolts: null, nominalVolts: null };
    const step = phaseLossAfter(loss, mains, declared, ms, ms);
    const { lost, back } = step.changes ?? { lost: [], back: [] };
    if (lost.length > 0) told.push(`lost ${lost.join()}`);
    if (back.length > 0) told.push(`back ${back.join()}`);
    const before = loss;
    loss = step.phaseLoss;
    return loss === before;
  };
  beforeEach(() => {
    [loss, told] = [noPhaseLoss, []];
  });

  it('is told once, 10 s after its first reading, and its end with half of the highest', () => {
    see(0, [230, 230, 230]);
    see(1000, [230, 22.9, 230]);
    see(10_999, [230, 0, 230]);
    expect(told).to.deep.equal([]);
    see(11_000, [230, 0, 230]);
    expect(see(12_000, [230, 0, 230]), 'nothing new is no new state').to.equal(true);
    see(13_000, [230, 114, 230]);
    expect(lostPhases(loss)).to.deep.equal(['L2-N']);
    see(14_000, [230, 115, 230]);
    expect(told).to.deep.equal(['lost L2-N', 'back L2-N']);
    expect(lostPhases(loss)).to.deep.equal([]);
  });

  it('of two phases is told together', () => {
    see(0, [230, 230, 230]);
    see(1000, [0, 230, 1]);
    see(11_000, [0, 230, 1]);
    expect(told).to.deep.equal(['lost L1-N,L3-N']);
  });

  it('begins again after a reading with voltage, and is none at a tenth of the highest', () => {
    see(0, [230, 230, 230]);
    see(1000, [230, 0, 230]);
    see(9000, [230, 23, 230]);
    see(11_000, [230, 0, 230]);
    see(20_000, [230, 0, 230]);
    expect(told).to.deep.equal([]);
  });

  it('is none of a phase that is not connected, unless the UPS counts it', () => {
    for (const ms of [0, 20_000]) see(ms, [230, 0, 0]);
    expect(told).to.deep.equal([]);
    for (const ms of [30_000, 40_000]) see(ms, [230, 0, 0], 2);
    expect(told).to.deep.equal(['lost L2-N']);
  });

  it('is none in an outage of all phases, which does not end it either', () => {
    see(0, [230, 230, 230]);
    for (const ms of [1000, 20_000]) see(ms, [20, 0, 0]);
    see(21_000, [230, 0, 230]);
    see(25_000, [20, 0, 0]);
    see(31_500, [230, 0, 230]);
    expect(told).to.deep.equal([]);
    see(41_500, [230, 0, 230]);
    see(50_000, [0, 0, 0]);
    see(60_000, [230, 0, 230]);
    see(61_000, []);
    see(62_000, [230]);
    expect(told).to.deep.equal(['lost L2-N']);
    see(63_000, [230, 230]);
    expect(told).to.deep.equal(['lost L2-N', 'back L2-N']);
  });

  it('is one of two phases too, while the other has 50 V', () => {
    for (const ms of [0, 10_000]) see(ms, [230, 0], 2);
    expect(told).to.deep.equal(['lost L2-N']);
    [loss, told] = [noPhaseLoss, []];
    for (const ms of [0, 10_000]) see(ms, [49.9, 0], 2);
    expect(told, 'an outage of both').to.deep.equal([]);
    for (const ms of [20_000, 30_000]) see(ms, [50, 0], 2);
    expect(told).to.deep.equal(['lost L2-N']);
  });

  it('is the same state while nothing is lost, is back, or is seen for the first time', () => {
    expect(see(0, [230, 230, 230]), 'three are seen').to.equal(false);
    expect(see(1000, [230, 230, 230])).to.equal(true);
    expect(see(2000, [230, 0, 230]), 'one is missing').to.equal(false);
    expect(see(3000, [230, 0, 230])).to.equal(true);
    expect(see(4000, [0, 0, 0]), 'an outage forgets it').to.equal(false);
    expect(see(5000, [0, 0, 0])).to.equal(true);
    expect(lostPhases(loss)).to.deep.equal([]);
  });

  it('is not ended by a reading that does not show the phase', () => {
    for (const ms of [0, 1000, 11_000]) see(ms, ms === 0 ? [230, 230, 230] : [230, 230, 0]);
    expect(see(12_000, [230, 230])).to.equal(true);
    expect(lostPhases(loss)).to.deep.equal(['L3-N']);
    see(13_000, [230, 0, 0]);
    see(23_000, [230, 0, 0]);
    expect(lostPhases(loss)).to.deep.equal(['L2-N', 'L3-N']);
    expect(told).to.deep.equal(['lost L3-N', 'lost L2-N']);
  });

  it('is forgotten while it is not told by a reading that does not show the phase', () => {
    see(0, [230, 230, 230]);
    see(1000, [230, 230, 0]);
    expect(see(2000, [230, 230])).to.equal(false);
    see(11_000, [230, 230, 0]);
    expect(told).to.deep.equal([]);
    see(21_000, [230, 230, 0]);
    expect(told).to.deep.equal(['lost L3-N']);
  });

  it('is no other time by a reading with one phase or none', () => {
    see(0, [230, 230, 230]);
    see(1000, [230, 0, 230]);
    expect([see(4000, []), see(5000, [230])]).to.deep.equal([true, true]);
    see(11_000, [230, 0, 230]);
    expect(told).to.deep.equal(['lost L2-N']);
  });

  it('is told beside the end of another one, and a reading with neither tells nothing', () => {
    see(0, [230, 230, 230]);
    for (const ms of [1000, 11_000]) see(ms, [230, 0, 230]);
    see(12_000, [230, 0, 0]);
    see(22_000, [230, 230, 0]);
    expect(told).to.deep.equal(['lost L2-N', 'lost L3-N', 'back L2-N']);
    const phases = [230, 230, 0].map((volts, index) => ({ phase: String(names[index]), volts }));
    const mains = { phases, highestVolts: 230, lowestVolts: 230, nominalVolts: null };
    expect(phaseLossAfter(loss, mains, 0, 23_000, 23_000).changes).to.equal(null);
  });
});
