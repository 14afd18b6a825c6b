import { expect } from 'chai';
import type { AwaitOff } from '../../../supervisor/sequence/phases/off-waits.js';
import { offWaitPerformer } from '../../../supervisor/sequence/phases/off-waits.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { noGuests } from '../../../supervisor/sequence/actuator.js';
import { planStep } from '../../fixtures/plans.js';

type Answer = Awaited<ReturnType<AwaitOff>>;

const gone: Answer = { ok: false, error: { code: 'WORKER_GONE', message: 'it does not run' } };
const off: Answer = { ok: true, value: { off: true, afterMs: 41_200, reason: '' } };
const on: Answer = { ok: true, value: { off: false, afterMs: 0, reason: 'it still answers' } };

function rig(answers: readonly Answer[], budgetSeconds = 120) {
  const time = new FakeTime();
  const asked: (readonly number[])[] = [];
  const left = [...answers];
  const perform = offWaitPerformer({
    clock: time,
    setTimer: time.setTimer,
    awaitOff: (_, agoMs, budgetMs) => {
      asked.push([agoMs, budgetMs]);
      return Promise.resolve(left.shift() ?? gone);
    },
  });
  const about = { server: 'nas', commandedBy: 'remote_servers/nas', followsSeconds: 60 };
  const action = { kind: 'awaitOff', ...about, timeoutSeconds: 120 } as const;
  const outcome = perform(
    action,
    planStep('off', { action, budgetSeconds }),
    new AbortController().signal,
    noGuests,
  );
  return { time, asked, outcome };
}

describe('the wait for a server', () => {
  it('ends with the time after which the server was off', async () => {
    expect(await rig([off]).outcome).to.deep.equal({ kind: 'done', detail: 'off after 41 s' });
  });

  it('fails with what the server did instead', async () => {
    expect(await rig([on]).outcome).to.deep.equal({
      kind: 'failed',
      how: 'timeout',
      reason: 'not off 120 s after its command (it still answers)',
    });
  });

  it('tells the worker how long ago the command was, with what is left of its time', async () => {
    const { asked, outcome } = rig([off], 30);
    await outcome;
    expect(asked).to.deep.equal([[90_000, 29_500]]);
  });

  it('asks a restarted worker again, within its time', async () => {
    const { time, asked, outcome } = rig([gone, off]);
    await settled();
    await time.pass(250);
    expect(await outcome).to.deep.include({ kind: 'done' });
    expect(asked).to.deep.equal([
      [0, 119_500],
      [250, 119_250],
    ]);
  });
});
