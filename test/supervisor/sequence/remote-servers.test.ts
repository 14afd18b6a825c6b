import { expect } from 'chai';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { TargetOutcome } from '../../../shared/protocol/remote.js';
import { noGuests } from '../../../supervisor/sequence/actuator.js';
import { remotePerformer } from '../../../supervisor/sequence/phases/remote-servers.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { planStep, remoteWork } from '../../fixtures/plans.js';

const work = remoteWork('nas');
const step = planStep('remote_servers/nas', { action: { kind: 'remote', work }, budgetSeconds: 100 });
const gone: Outcome<TargetOutcome> = {
  ok: false,
  error: { code: 'WORKER_GONE', message: 'it does not run' },
};
const answer = (result: TargetOutcome['result'], detail = '', delivered = false): Outcome<TargetOutcome> => ({
  ok: true,
  value: { result, detail, delivered, sent: delivered, maybeSent: false, unchecked: '', steps: [] },
});

function rig(answers: (Outcome<TargetOutcome> | 'silence')[]) {
  const time = new FakeTime();
  const budgets: number[] = [];
  const perform = remotePerformer({
    clock: time,
    setTimer: time.setTimer,
    shutDown: (_, budgetMs) => {
      budgets.push(budgetMs);
      const next = answers.shift() ?? gone;
      return next === 'silence' ? new Promise(() => undefined) : Promise.resolve(next);
    },
  });
  const budget = new AbortController();
  const outcome = perform({ work }, step, budget.signal, noGuests);
  return { time, budgets, outcome, abort: () => budget.abort() };
}

describe('the shutdown of a remote server', () => {
  it('gives the worker its budget less the margin for the reply', async () => {
    const { budgets, outcome } = rig([answer('ok')]);
    expect(await outcome).to.deep.equal({ kind: 'done' });
    expect(budgets).to.deep.equal([99_500]);
  });

  it('reports the failure, and whether the final command was given', async () => {
    expect(await rig([answer('unreachable', 'no route')]).outcome).to.deep.equal({
      kind: 'failed',
      how: 'unreachable',
      reason: 'no route',
      neverSent: true,
    });
    expect(await rig([answer('failed', 'stop_vms: 1 left', true)]).outcome).to.deep.equal({
      kind: 'failed',
      how: 'failed',
      reason: 'stop_vms: 1 left; the final command was given',
    });
  });

  it('repeats the request to a restarted worker with the rest of the budget', async () => {
    const { time, budgets, outcome } = rig([gone, gone, answer('ok')]);
    await settled();
    await time.pass(500);
    expect(await outcome).to.deep.equal({ kind: 'done' });
    expect(budgets).to.deep.equal([99_500, 99_250, 99_000]);
  });

  it('does not know whether a worker that was lost has sent the command', async () => {
    const { time, outcome } = rig([gone, answer('unreachable', 'no route')]);
    await settled();
    await time.pass(250);
    expect(await outcome).to.include({ neverSent: true, maybeSent: true });
  });

  it('passes on that the server may run the command without having said so', async () => {
    const { value } = answer('timeout') as { ok: true; value: TargetOutcome };
    const silent = { ok: true, value: { ...value, maybeSent: true } } as const;
    expect(await rig([silent]).outcome).to.include({ neverSent: true, maybeSent: true });
    const ended = { ok: true, value: { ...value, sent: true, maybeSent: true } } as const;
    const outcome = await rig([ended]).outcome;
    expect(outcome).to.include({ maybeSent: true }).and.not.to.have.property('neverSent');
  });

  it('repeats the request until the budget is used up, and reports the reason', async () => {
    const { time, outcome } = rig([]);
    await settled();
    await time.pass(100_000);
    expect(await outcome).to.deep.equal({
      kind: 'failed',
      how: 'timeout',
      reason: 'remote worker: it does not run',
      ...{ neverSent: true, maybeSent: true },
    });
    expect(time.pendingTimers).to.equal(0);
  });

  it('does not know what a worker has done that does not answer in time', async () => {
    const late = { ok: false, error: { code: 'DEADLINE_EXCEEDED', message: 'no answer' } } as const;
    expect(await rig([late]).outcome).to.include({ how: 'timeout', neverSent: true, maybeSent: true });
  });

  it('sends no request after the step is abandoned', async () => {
    const { time, budgets, outcome, abort } = rig([]);
    await settled();
    abort();
    expect(await outcome).to.include({ how: 'timeout' });
    await time.pass(10_000);
    expect(budgets).to.have.length(1);
  });

  it('ends with a refusal of the worker', async () => {
    const refused: Outcome<TargetOutcome> = { ok: false, error: { code: 'WORKER_ERROR', message: 'a bug' } };
    // Whether it had sent the command before is not known.
    expect(await rig([refused]).outcome).to.include({ how: 'failed', neverSent: true, maybeSent: true });
    const unknown: Outcome<TargetOutcome> = { ok: false, error: { code: 'NOT_FOUND', message: 'no server' } };
    const outcome = await rig([unknown]).outcome;
    expect(outcome).to.include({ how: 'failed', neverSent: true }).and.not.to.have.property('maybeSent');
  });
});
