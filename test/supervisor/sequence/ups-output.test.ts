import { expect } from 'chai';
import { upsOutputPerformer } from '../../../supervisor/sequence/phases/ups-output.js';
import { outputOff } from './several.js';

const step = outputOff('office');

/** With the delays that were asked for; a UPS that allows `most`. */
async function cut(neededSeconds: number, most = Infinity) {
  const asked: number[] = [];
  const perform = upsOutputPerformer({
    staysOn: () => null,
    neededSeconds: () => neededSeconds,
    cut: (_, delaySeconds) => {
      asked.push(delaySeconds);
      return Promise.resolve({ ok: true, value: { output: '', delaySeconds: Math.min(most, delaySeconds) } });
    },
  });
  if (step.action.kind !== 'upsOutputOff') throw new Error('no output');
  return { asked, outcome: await perform(step.action, step, new AbortController().signal) };
}

describe('the cut of an output', () => {
  it('comes after off_delay where every server is off, or past its time', async () => {
    for (const seconds of [-Infinity, -5, 0, 120])
      expect(await cut(seconds)).to.deep.equal({ asked: [120], outcome: { kind: 'done' } });
  });

  it('comes later where a server may still shut down, and says so', async () => {
    expect(await cut(179.2)).to.deep.equal({
      asked: [180],
      outcome: { kind: 'done', detail: 'off in 180 s: a server may still shut down' },
    });
    expect((await cut(180, 120)).outcome).to.deep.equal({
      kind: 'done',
      detail: 'off in 120 s, the longest this UPS allows: a server may shut down for 180 s',
    });
  });

  it('never asks for more than a day', async () => {
    expect((await cut(1e9)).asked).to.deep.equal([86_400]);
  });
});
