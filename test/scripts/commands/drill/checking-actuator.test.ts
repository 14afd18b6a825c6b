import { expect } from 'chai';
import type { StepAction } from '../../../../shared/domain/actions/table.js';
import { controlFailure } from '../../../../shared/protocol/poller.js';
import type { CheckDependencies } from '../../../../scripts/commands/drill/checking-actuator.js';
import { checkingActuator } from '../../../../scripts/commands/drill/checking-actuator.js';
import type { StepOutcome } from '../../../../supervisor/sequence/outcome.js';
import { planStep } from '../../../fixtures/plans.js';

type Poller = NonNullable<ReturnType<CheckDependencies['poller']>>;

describe('a drill on this machine', () => {
  const output: StepAction = {
    kind: 'upsOutputOff',
    ups: 'office',
    command: 'shutdown.return',
    offDelaySeconds: 60,
  };

  const judgements: string[] = [];

  /** Of a step, with a poller that answers `answer` when its output is checked. */
  const outcomeOf = (action: StepAction, answer: unknown, missing: readonly string[] = []) =>
    checkingActuator({
      missingPrograms: missing,
      needsOfUps: () => [],
      remarks: () => Promise.resolve('these stay off'),
      remote: () => Promise.reject(new Error('no server')),
      judged: ({ ups, command }, { verdict }) => judgements.push(`${ups} ${command} ${verdict}`),
      poller: () => ({ request: (() => Promise.resolve(answer)) as Poller['request'] }),
    }).perform(planStep('step', { action }), new AbortController().signal);
  const reasonIn = (outcome: StepOutcome) => ('reason' in outcome ? outcome.reason : '');

  it('fails at a program that is missing', async () => {
    const outcome = await outcomeOf({ kind: 'sync' }, null, ['sync']);
    expect(outcome.kind).to.equal('failed');
    expect(reasonIn(outcome)).to.match(/^sync is not installed or may not be run/);
    expect(await outcomeOf({ kind: 'sync' }, null)).to.deep.equal({ kind: 'done' });
  });

  it('names what a person must know of the containers that it stops', async () => {
    const stop = {
      kind: 'stopContainers',
      runtime: 'docker',
      includeUserContainers: false,
      stopTimeoutSeconds: 60,
    } as const;
    expect(await outcomeOf(stop, null))
      .to.deep.include({ kind: 'done' })
      .and.to.have.property('detail')
      .that.equals('these stay off');
    expect((await outcomeOf(stop, null, ['docker'])).kind).to.equal('failed');
  });

  it('fails where the poller cannot cut the output, for its reason', async () => {
    const message = 'the UPS does not offer shutdown.return';
    const outcome = await outcomeOf(output, {
      ok: false,
      error: { code: controlFailure.unsupported, message },
    });
    expect(outcome.kind).to.equal('failed');
    expect(reasonIn(outcome)).to.equal(message);
    expect(judgements.splice(0)).to.deep.equal(['office shutdown.return may_not_return']);
    await outcomeOf(output, { ok: false, error: { code: controlFailure.nut, message: 'no answer' } });
    expect(judgements, 'it is not known').to.deep.equal([]);
  });

  it('says why an output may not come back, and nothing of one that does', async () => {
    const judged = (verdict: string) => outcomeOf(output, { ok: true, value: { verdict, reason: 'why' } });
    expect(await judged('returns')).to.deep.equal({ kind: 'done' });
    expect(await judged('may_not_return')).to.deep.equal({
      kind: 'done',
      detail: 'may not come back: why',
    });
    expect(await judged('unknown')).to.deep.equal({
      kind: 'done',
      detail: 'not known whether it comes back: why',
    });
    expect(judgements).to.deep.equal([
      'office shutdown.return returns',
      'office shutdown.return may_not_return',
      'office shutdown.return unknown',
    ]);
  });
});
