import { expect } from 'chai';
import type { Fault } from './fault.js';
import type { Ground } from './ground.js';
import { FaultSet } from './plight.js';

const nowhere = {} as Ground;
const hardlyAny = (): number => 0.001;

describe('the plight of a tortured daemon', () => {
  let healed: string[] = [];
  beforeEach(() => (healed = []));
  const fault = (name: string, change: Partial<Fault> = {}): Fault => ({
    name,
    part: 'disk',
    excuse: {},
    lastsMs: 0,
    stays: true,
    inflict: () => Promise.resolve(() => void healed.push(name)),
    ...change,
  });
  const unhealable = (name: string, change: Partial<Fault> = {}): Fault => ({
    ...fault(name, change),
    inflict: () =>
      Promise.resolve(() => {
        throw new Error(`${name} cannot be healed`);
      }),
  });
  const begun = async (...faults: readonly Fault[]): Promise<FaultSet> => {
    const plight = new FaultSet(faults, hardlyAny);
    await plight.inflict(nowhere);
    return plight;
  };
  const failure = (plight: FaultSet): Promise<string> =>
    plight.heal().then(
      () => 'none',
      (error: unknown) => String(error),
    );

  it('is healed from the last to the first, and once', async () => {
    const plight = await begun(fault('frozen'), fault('hung'));
    await plight.heal();
    await plight.heal();
    expect(healed).to.deep.equal(['hung', 'frozen']);
  });

  it('is healed although one heal fails, which is told then', async () => {
    const plight = await begun(fault('frozen'), unhealable('hung'), fault('full'));
    expect(await failure(plight)).to.equal('AggregateError: not healed: Error: hung cannot be healed');
    expect(healed).to.deep.equal(['full', 'frozen']);
    expect(await failure(plight), 'a second time').to.equal('none');
  });

  it('tells of the failure of what passes by itself no earlier than it is asked to heal', async () => {
    const plight = await begun(fault('frozen'), unhealable('stopped', { stays: false }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await failure(plight)).to.equal('AggregateError: not healed: Error: stopped cannot be healed');
    expect(healed).to.deep.equal(['frozen']);
  });

  it('waits for nothing when it has to end at once', async () => {
    const plight = await begun(fault('frozen'), fault('stopped', { stays: false, lastsMs: 300 }));
    await plight.healAtOnce();
    expect(healed).to.deep.equal(['stopped', 'frozen']);
    await plight.heal();
    expect(healed).to.have.length(2);
  });

  it('heals what was still being inflicted when it had to end, and inflicts no more', async () => {
    let done: (heal: () => void) => void = () => undefined;
    const slow = fault('freezing', { inflict: () => new Promise((resolve) => (done = resolve)) });
    const plight = new FaultSet([slow, fault('next')], hardlyAny);
    const inflicted = plight.inflict(nowhere);
    await plight.healAtOnce();
    done(() => void healed.push('freezing'));
    await inflicted;
    await plight.heal();
    expect(healed).to.deep.equal(['freezing']);
  });
});
