import { expect } from 'chai';
import type { Fault } from './fault.js';
import type { Testbed } from './testbed.js';
import { FaultSet } from './fault-set.js';

const nowhere = {} as Testbed;
const almostZero = (): number => 0.001;

describe('the faults of a torture case', () => {
  let healed: string[] = [];
  beforeEach(() => (healed = []));
  const fault = (name: string, change: Partial<Fault> = {}): Fault => ({
    name,
    part: 'disk',
    allowance: {},
    lastsMs: 0,
    persists: true,
    inject: () => Promise.resolve(() => void healed.push(name)),
    ...change,
  });
  const unhealable = (name: string, change: Partial<Fault> = {}): Fault => ({
    ...fault(name, change),
    inject: () =>
      Promise.resolve(() => {
        throw new Error(`${name} cannot be healed`);
      }),
  });
  const begun = async (...faults: readonly Fault[]): Promise<FaultSet> => {
    const faultSet = new FaultSet(faults, almostZero);
    await faultSet.inject(nowhere);
    return faultSet;
  };
  const failure = (faultSet: FaultSet): Promise<string> =>
    faultSet.heal().then(
      () => 'none',
      (error: unknown) => String(error),
    );

  it('are healed once, the last one first', async () => {
    const faultSet = await begun(fault('frozen'), fault('hung'));
    await faultSet.heal();
    await faultSet.heal();
    expect(healed).to.deep.equal(['hung', 'frozen']);
  });

  it('are all healed although one heal fails, and the failure is reported', async () => {
    const faultSet = await begun(fault('frozen'), unhealable('hung'), fault('full'));
    expect(await failure(faultSet)).to.equal('AggregateError: not healed: Error: hung cannot be healed');
    expect(healed).to.deep.equal(['full', 'frozen']);
    expect(await failure(faultSet), 'a second time').to.equal('none');
  });

  it('report a failure of a passing fault only when they are healed', async () => {
    const faultSet = await begun(fault('frozen'), unhealable('stopped', { persists: false }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await failure(faultSet)).to.equal('AggregateError: not healed: Error: stopped cannot be healed');
    expect(healed).to.deep.equal(['frozen']);
  });

  it('are healed without waiting when the case must end immediately', async () => {
    const faultSet = await begun(fault('frozen'), fault('stopped', { persists: false, lastsMs: 300 }));
    await faultSet.healImmediately();
    expect(healed).to.deep.equal(['stopped', 'frozen']);
    await faultSet.heal();
    expect(healed).to.have.length(2);
  });

  it('are healed although the case ends during an injection, and no further fault is injected', async () => {
    let done: (heal: () => void) => void = () => undefined;
    const slow = fault('freezing', { inject: () => new Promise((resolve) => (done = resolve)) });
    const faultSet = new FaultSet([slow, fault('next')], almostZero);
    const injected = faultSet.inject(nowhere);
    await faultSet.healImmediately();
    done(() => void healed.push('freezing'));
    await injected;
    await faultSet.heal();
    expect(healed).to.deep.equal(['freezing']);
  });
});
