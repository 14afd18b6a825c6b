import { expect } from 'chai';
import type { CommandOutcome } from '../../../supervisor/sequence/command.js';
import { PowerOff } from '../../../supervisor/sequence/phases/power-off.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';

const action = { kind: 'poweroff', command: ['poweroff-1'], fallback: ['poweroff-2'] } as const;
const ok: CommandOutcome = { kind: 'exited', code: 0, output: '' };
const failure: CommandOutcome = { kind: 'exited', code: 1, output: 'no bus\n' };

function rig(outcomes: CommandOutcome[], powerIsBack = () => false) {
  const time = new FakeTime();
  const ran: string[] = [];
  const failures: string[] = [];
  const powerOff = new PowerOff({
    run: (command) => {
      ran.push(command.join(' '));
      return Promise.resolve(outcomes.shift() ?? ok);
    },
    later: time.later,
    failed: (reason) => failures.push(reason),
    powerIsBack,
  });
  return { powerOff, time, ran, failures };
}

const signal = new AbortController().signal;

describe('the power-off of this host', () => {
  it('runs once, however many groups come to their last step', async () => {
    const { powerOff, ran } = rig([ok]);
    const outcomes = await Promise.all([powerOff.perform(action, signal), powerOff.perform(action, signal)]);
    expect(outcomes).to.deep.equal([{ kind: 'done' }, { kind: 'done' }]);
    expect(ran).to.deep.equal(['poweroff-1']);
  });

  it('is tried again 5 s after a failure, and by the fallback after the third', async () => {
    const { powerOff, time, ran, failures } = rig([failure, failure, failure, ok]);
    expect(await powerOff.perform(action, signal)).to.deep.equal({
      kind: 'failed',
      how: 'failed',
      reason: 'exit status 1: no bus',
    });
    await time.pass(4_999);
    expect(ran).to.have.length(1);
    await time.pass(10_001);
    expect(ran).to.deep.equal(['poweroff-1', 'poweroff-1', 'poweroff-1', 'poweroff-2']);
    expect(failures).to.have.length(3);
  });

  it('is not tried again once power is back, and says so', async () => {
    let back = false;
    const { powerOff, time, ran, failures } = rig([failure, failure, ok], () => back);
    await powerOff.perform(action, signal);
    await time.pass(5_000);
    back = true;
    await time.pass(600_000);
    expect(ran).to.have.length(2);
    expect(failures.at(-1)).to.match(/not tried again: power is back/);
  });

  it('goes on with the command where no fallback is configured', async () => {
    const { powerOff, time, ran } = rig([failure, failure, failure, failure, ok]);
    await powerOff.perform({ ...action, fallback: null }, signal);
    await time.pass(20_000);
    expect(ran).to.deep.equal(Array.from({ length: 5 }, () => 'poweroff-1'));
  });

  it('runs once more when the host is still up 120 s after a success, and then no more', async () => {
    const { powerOff, time, ran, failures } = rig([ok, ok]);
    await powerOff.perform(action, signal);
    await time.pass(119_999);
    expect(ran).to.have.length(1);
    await time.pass(1);
    expect(ran).to.have.length(2);
    expect(failures[0]).to.match(/still up 120 s after/);
    await time.pass(600_000);
    expect(ran).to.have.length(2);
  });

  it('gives each try after the first the 30 s of the step', async () => {
    const signals: AbortSignal[] = [];
    const time = new FakeTime();
    const powerOff = new PowerOff({
      run: (_, budget) => {
        signals.push(budget);
        return signals.length === 1 ? Promise.resolve(failure) : new Promise(() => undefined);
      },
      later: time.later,
      failed: () => undefined,
      powerIsBack: () => false,
    });
    await powerOff.perform(action, signal);
    await time.pass(5_000 + 29_999);
    expect(signals[1]?.aborted).to.equal(false);
    await time.pass(1);
    expect(signals[1]?.aborted).to.equal(true);
  });

  it('makes no more tries once the daemon ends', async () => {
    const { powerOff, time, ran } = rig([failure]);
    await powerOff.perform(action, signal);
    powerOff.stop();
    await time.pass(60_000);
    await settled();
    expect(ran).to.have.length(1);
    expect(powerOff.begun).to.equal(true);
  });
});
