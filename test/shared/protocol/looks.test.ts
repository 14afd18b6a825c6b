import { expect } from 'chai';
import { maxLooks, maxLooksMs, maxWitnessedLinks, remoteContract } from '../../../shared/protocol/remote.js';

const { params, result } = remoteContract.requests.looks;
const names = (length: number) => Array.from({ length }, (_, index) => `s${String(index)}`);
const look = { server: 'nas', end: 'answer', link: 'eth0' };
const gateway = { link: 'eth0', answered: true };

describe('the looks of the remote contract', () => {
  it('are asked of a bounded number of servers, in a bounded time', () => {
    expect(params.is({ servers: names(maxLooks), withinMs: maxLooksMs })).to.equal(true);
    expect(params.is({ servers: names(maxLooks + 1), withinMs: 1 })).to.equal(false);
    for (const withinMs of [-1, maxLooksMs + 1, 0.5, NaN])
      expect(params.is({ servers: [], withinMs }), String(withinMs)).to.equal(false);
  });

  it('are answered with as many looks and interfaces at most', () => {
    const fill = <T>(length: number, value: T) => Array.from({ length }, () => value);
    const isAnswer = (looks: unknown, gateways: unknown = []) => result.is({ looks, gateways });
    expect(isAnswer(fill(maxLooks, look), fill(maxWitnessedLinks, gateway))).to.equal(true);
    expect(isAnswer(fill(maxLooks + 1, look))).to.equal(false);
    expect(isAnswer([look], fill(maxWitnessedLinks + 1, gateway))).to.equal(false);
    expect(isAnswer([{ ...look, link: null }])).to.equal(true);
    for (const wrong of [{ end: 'off' }, { link: 'x'.repeat(65) }, { server: 'x'.repeat(257) }])
      expect(isAnswer([{ ...look, ...wrong }]), JSON.stringify(wrong)).to.equal(false);
  });
});
