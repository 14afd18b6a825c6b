import { expect } from 'chai';
import type { StepRecord } from '../../../supervisor/sequence/journal/fold.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import { failureOf } from '../../../supervisor/sequence/outcome.js';
import type { PastProgress } from '../../../supervisor/sequence/run.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { planStep, remoteWork } from '../../fixtures/plans.js';
import { plan, rig, step } from './one-sequence.js';

describe('a shutdown sequence resumed after a restart of the daemon', () => {
  const now = new FakeTime().monotonicMs();
  const began = (agoSeconds: number, outcome?: StepOutcome): StepRecord => ({
    beganMs: now - agoSeconds * 1000,
    beganUnixSeconds: 1_700_000_000,
    ended: outcome === undefined ? null : { outcome, atMs: now, unixSeconds: 1_700_000_001 },
  });
  const past = (steps: Readonly<Record<string, StepRecord>>, phasesEnded: string[] = []): PastProgress => ({
    startedUnixSeconds: 1_700_000_000,
    steps: new Map(Object.entries(steps)),
    phasesEnded: new Set(phasesEnded),
  });
  const done: StepOutcome = { kind: 'done' };

  it('continues at the first step that has not ended, and repeats none that has', async () => {
    const { sequence, steps, begun, end, calls } = rig(
      plan([step('a', true), step('b', true)], [step('c', true)]),
      () => false,
      past({ a: began(9, done), b: began(3) }),
    );
    sequence.start();
    expect(begun()).to.deep.equal(['b']);
    expect(calls).not.to.include('phase');
    await end('b');
    expect(begun()).to.deep.equal(['b', 'c']);
    await end('c');
    expect(calls.at(-1)).to.equal('finished');
    expect(steps().map(({ state }) => state)).to.deep.equal(['done', 'done', 'done']);
  });

  it('has the rest of its budget', async () => {
    const { sequence, budgets, end } = rig(plan([step('a', true, 30)]), () => false, past({ a: began(12) }));
    sequence.start();
    expect(budgets.get('a')).to.equal(18);
    await end('a');
  });

  it('fails a step whose budget is used up, but never the final command of a server', async () => {
    const nas = planStep('nas', { action: { kind: 'remote', work: remoteWork('nas') }, budgetSeconds: 100 });
    const off = planStep('off', {
      action: { kind: 'poweroff', command: ['x'], fallback: null },
      budgetSeconds: 30,
    });
    const work = { ...remoteWork('guests'), final: null };
    const guests = planStep('guests', { action: { kind: 'remote', work }, budgetSeconds: 100 });
    const { sequence, begun, budgets, calls } = rig(
      plan([step('a', true, 30), guests, nas, off]),
      () => false,
      past({ a: began(31), guests: began(1_000), nas: began(1_000), off: began(1_000) }),
    );
    sequence.start();
    await settled();
    expect(begun()).to.deep.equal(['nas', 'off']);
    expect([budgets.get('nas'), budgets.get('off')]).to.deep.equal([40, 30]);
    for (const step of ['a', 'guests'])
      expect(calls).to.include(`failed ${step}: its budget was used up while the daemon was down`);
  });

  it('keeps the time for one command at the NUT server, and for what takes a moment', async () => {
    const fsd = planStep('fsd', {
      action: { kind: 'forceShutdown', ups: 'a', hostsyncSeconds: 15 },
      budgetSeconds: 20,
    });
    const flag = planStep('flag', { action: { kind: 'powerdownFlag', path: '/f' }, budgetSeconds: 5 });
    const cut = planStep('cut', {
      action: { kind: 'upsOutputOff', ups: 'a', command: 'load.off', offDelaySeconds: 20 },
      budgetSeconds: 10,
    });
    const wait = planStep('wait', {
      action: { kind: 'awaitOff', server: 'a', commandedBy: 'x', timeoutSeconds: 120, followsSeconds: 60 },
      budgetSeconds: 120,
    });
    const again = planStep('again', { action: { kind: 'commandAgain', works: [] }, budgetSeconds: 30 });
    const { sequence, budgets } = rig(
      plan([fsd, flag, cut, wait, again]),
      () => false,
      past({ fsd: began(1_000), flag: began(1_000), cut: began(7), wait: began(1_000), again: began(1_000) }),
    );
    sequence.start();
    await settled();
    expect([...budgets]).to.deep.equal([
      ['fsd', 5],
      ['flag', 1],
      ['cut', 5],
      ['wait', 1],
      // It ends with the other steps of its phase.
      ['again', 30],
    ]);
  });

  it('stays past the point of no return when power is back', () => {
    const { sequence, begun } = rig(plan([step('a', true)]), () => true, past({ a: began(1) }));
    sequence.start();
    expect(sequence.cancel('cancelled by local')).to.equal(false);
    expect(begun()).to.deep.equal(['a']);
  });

  it('reports the end of a phase that was not reported', async () => {
    const steps = { a: began(9, failureOf('no')), b: began(3, done) };
    for (const [ended, lines] of [
      [[], ['phase done, 1 failed', 'finished']],
      [['local_poweroff'], ['finished']],
    ] as const) {
      const { sequence, calls } = rig(
        plan([step('a', true), step('b', true)]),
        () => false,
        past(steps, [...ended]),
      );
      sequence.start();
      await settled();
      expect(calls).to.deep.equal(lines);
    }
  });
});
