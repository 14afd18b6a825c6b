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

  /** Of a step, with a UPS that answers `answer` when it is asked for its commands. */
  const outcomeOf = (action: StepAction, answer: unknown, missing: readonly string[] = []) =>
    checkingActuator({
      missingPrograms: missing,
      needsOfUps: () => [],
      remarks: () => Promise.resolve('these stay off'),
      remote: () => Promise.reject(new Error('no server')),
      poller: () => ({ request: (() => Promise.resolve(answer)) as Poller['request'] }),
    }).perform(planStep('step', { action }), new AbortController().signal);
  const offers = (...names: string[]) => ({ ok: true, value: { commands: names.map((name) => ({ name })) } });
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

  it('fails where the UPS does not offer the command that cuts its output', async () => {
    const outcome = await outcomeOf(output, offers('beeper.mute'));
    expect(outcome.kind).to.equal('failed');
    expect(reasonIn(outcome)).to.equal('the UPS does not offer shutdown.return');
    expect(await outcomeOf(output, offers('shutdown.return'))).to.deep.equal({ kind: 'done' });
  });

  it('checks no output whose NUT user may not list commands, and fails at any other refusal', async () => {
    const refused = (code: string) => ({ ok: false, error: { code, message: 'no' } });
    const unchecked = await outcomeOf(output, refused(controlFailure.notAllowed));
    expect(unchecked).to.deep.equal({ kind: 'skipped', reason: 'not checked: no' });
    expect((await outcomeOf(output, refused(controlFailure.nut))).kind).to.equal('failed');
  });
});
