import { expect } from 'chai';
import type { RemoteWork } from '../../../shared/domain/actions/remote-work.js';
import type { StepAction } from '../../../shared/domain/actions/table.js';
import { SimulatedJournals } from '../../simulation/journals.js';
import type { PowerOffEntry } from '../../../supervisor/sequence/journal/entries.js';
import { SequenceRecord } from '../../../supervisor/sequence/journal/record.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import { failureOf } from '../../../supervisor/sequence/outcome.js';
import { PowerOff } from '../../../supervisor/sequence/phases/power-off.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { planStep } from '../../fixtures/plans.js';

const action = { kind: 'poweroff', command: ['poweroff-1'], fallback: ['poweroff-2'] } as const;
const step = planStep('local_poweroff/host', { action, budgetSeconds: 30 });
const ok: StepOutcome = { kind: 'done' };
const thrown = failureOf('thrown');
const failure = failureOf('exit status 1: no bus');

function commandOf(tried: StepAction): string {
  if (tried.kind === 'poweroff') return tried.command.join(' ');
  return tried.kind === 'poweroffDelegate' ? String(tried.work.final) : tried.kind;
}

/** Each rig with the same journals is another daemon on the same boot. */
function rig(
  outcomes: StepOutcome[],
  powerIsBack = () => false,
  journals = new SimulatedJournals(() => 'kept'),
) {
  const time = new FakeTime();
  const ran: string[] = [];
  const failures: string[] = [];
  const signals: AbortSignal[] = [];
  const sight = { onBattery: true };
  const journal = new SequenceRecord(journals);
  const powerOff = new PowerOff({
    attempt: (tried, signal) => {
      ran.push(commandOf(tried.action));
      signals.push(signal);
      const outcome = outcomes.shift();
      if (outcome === thrown) throw new Error('no hands');
      return outcome === undefined ? new Promise(() => undefined) : Promise.resolve(outcome);
    },
    setTimer: time.setTimer,
    write: (entry) => journal.write(entry),
    failed: (reason) => failures.push(reason),
    powerIsBack,
    isSeenOnBattery: () => sight.onBattery,
  });
  return { powerOff, time, ran, failures, signals, journal, journals, sight };
}

/** Kills the daemon; another one reads its journals. */
function restarted(
  journals: SimulatedJournals,
  outcomes: StepOutcome[],
  powerIsBack = () => false,
  comesBack = true,
) {
  const next = rig(outcomes, powerIsBack, journals);
  next.powerOff.resume(next.journal.powerOff, comesBack);
  return next;
}

describe('the power-off of this host', () => {
  let signal: AbortSignal;
  beforeEach(() => (signal = new AbortController().signal));

  it('is retried after an attempt that throws', async () => {
    const { powerOff, time, ran } = rig([thrown, ok]);
    expect(await powerOff.perform('office', step, signal)).to.include({ kind: 'failed' });
    await time.pass(5_000);
    expect(ran).to.deep.equal(['poweroff-1', 'poweroff-1']);
  });

  it('runs once when several groups reach their last step', async () => {
    const { powerOff, ran } = rig([ok]);
    const outcomes = await Promise.all([
      powerOff.perform('office', step, signal),
      powerOff.perform('lab', step, signal),
    ]);
    expect(outcomes).to.deep.equal([{ kind: 'done' }, { kind: 'done' }]);
    expect(ran).to.deep.equal(['poweroff-1']);
  });

  it('is retried 5 s after a failure, with the fallback after the third', async () => {
    const { powerOff, time, ran, failures } = rig([failure, failure, failure, ok]);
    expect(await powerOff.perform('office', step, signal)).to.deep.equal(failure);
    await time.pass(4_999);
    expect(ran).to.have.length(1);
    await time.pass(10_001);
    expect(ran).to.deep.equal(['poweroff-1', 'poweroff-1', 'poweroff-1', 'poweroff-2']);
    expect(failures).to.have.length(3);
  });

  it('is not retried after power is back, which is recorded', async () => {
    let back = false;
    const { powerOff, time, ran, failures } = rig([failure, failure, ok], () => back);
    await powerOff.perform('office', step, signal);
    await time.pass(5_000);
    back = true;
    await time.pass(600_000);
    expect(ran).to.have.length(2);
    expect(failures.at(-1)).to.match(/not run again: power is back/);
  });

  it('uses the fallback on the host delegate of a container too', async () => {
    const { powerOff, time, ran } = rig([failure, failure, failure, ok]);
    const work: RemoteWork = {
      server: 'host',
      host: '192.0.2.1',
      port: 22,
      user: 'root',
      useSudo: false,
      connectTimeoutSeconds: 10,
      actions: [],
      final: 'poweroff-1',
      commandTimeoutSeconds: 30,
    };
    const delegated = planStep('local_poweroff/host', {
      action: { kind: 'poweroffDelegate', work, fallback: 'poweroff-2' },
    });
    await powerOff.perform('office', delegated, signal);
    await time.pass(15_000);
    expect(ran).to.deep.equal(['poweroff-1', 'poweroff-1', 'poweroff-1', 'poweroff-2']);
  });

  it('is retried with the command without a configured fallback', async () => {
    const { powerOff, time, ran } = rig([failure, failure, failure, failure, ok]);
    await powerOff.perform('office', { ...step, action: { ...action, fallback: null } }, signal);
    await time.pass(20_000);
    expect(ran).to.deep.equal(Array.from({ length: 5 }, () => 'poweroff-1'));
  });

  it('runs once more when the host is still up 120 s after a success, and then no more', async () => {
    const { powerOff, time, ran, failures, journals } = rig([ok, ok]);
    await powerOff.perform('office', step, signal);
    await time.pass(119_999);
    expect(ran).to.have.length(1);
    await time.pass(1);
    expect(ran).to.have.length(2);
    expect(failures[0]).to.match(/still up 120 s after/);
    await time.pass(600_000);
    expect(ran).to.have.length(2);
    // A daemon that restarts meanwhile has a power-off that succeeded.
    expect(journals.read().map((entry) => (entry as PowerOffEntry).kind)).to.deep.equal([
      'powerOffAsked',
      'tryBegan',
      'tryEnded',
    ]);
  });

  it('does not run once more when power is back by then', async () => {
    let back = false;
    const { powerOff, time, ran, failures, journals } = rig([ok, ok], () => back);
    await powerOff.perform('office', step, signal);
    back = true;
    await time.pass(600_000);
    expect(ran).to.have.length(1);
    expect(failures).to.have.length(1);
    expect(failures[0]).to.match(/not run again: power is back/);
    expect(journals.read().at(-1)).to.deep.equal({ kind: 'givenUp' });
  });

  it('is retried after an attempt that does not end with its budget', async () => {
    const { powerOff, time, ran } = rig([]);
    const budget = new AbortController();
    const outcome = powerOff.perform('office', step, budget.signal);
    budget.abort();
    await settled();
    await time.pass(5_000);
    expect(ran).to.deep.equal(['poweroff-1', 'poweroff-1']);
    expect(await outcome).to.include({ kind: 'failed', how: 'timeout' });
  });

  it('gives each attempt after the first the 30 s of the step', async () => {
    const { powerOff, time, signals } = rig([failure]);
    await powerOff.perform('office', step, signal);
    await time.pass(5_000 + 29_999);
    expect(signals[1]?.aborted).to.equal(false);
    await time.pass(1);
    expect(signals[1]?.aborted).to.equal(true);
  });

  it('makes no more attempts after the daemon ends', async () => {
    const { powerOff, time, ran } = rig([failure]);
    await powerOff.perform('office', step, signal);
    powerOff.stop();
    await time.pass(60_000);
    await settled();
    expect(ran).to.have.length(1);
    expect(powerOff.begun).to.equal(true);
  });

  describe('after a restart of the daemon', () => {
    it('never runs again after an attempt succeeded', async () => {
      const first = rig([ok]);
      await first.powerOff.perform('office', step, signal);
      const { powerOff, time, ran } = restarted(first.journals, [ok]);
      expect(await powerOff.perform('office', step, signal)).to.deep.equal(ok);
      await time.pass(600_000);
      expect(ran).to.deep.equal([]);
    });

    it('continues its attempts and their count', async () => {
      const first = rig([failure, failure]);
      await first.powerOff.perform('office', step, signal);
      await first.time.pass(5_000);
      const { time, ran } = restarted(first.journals, [failure, ok]);
      await time.pass(5_000);
      await time.pass(5_000);
      expect(ran).to.deep.equal(['poweroff-1', 'poweroff-2']);
    });

    it('repeats the attempt that was running immediately, with the same number', async () => {
      const first = rig([failure, failure, failure]);
      await first.powerOff.perform('office', step, signal);
      await first.time.pass(15_000);
      expect(first.ran).to.have.length(4);
      const { ran } = restarted(first.journals, [ok]);
      expect(ran).to.deep.equal(['poweroff-2']);
    });

    it('leaves its first attempt to the step of the sequence', async () => {
      const first = rig([]);
      void first.powerOff.perform('office', step, signal);
      const { powerOff, time, ran } = restarted(first.journals, [ok]);
      await time.pass(60_000);
      expect(ran).to.deep.equal([]);
      expect(powerOff.begun).to.equal(false);
      await powerOff.perform('office', step, signal);
      expect(ran).to.deep.equal(['poweroff-1']);
    });

    it('repeats its first attempt when no sequence is resumed, unless power is back', () => {
      for (const isBack of [false, true]) {
        const first = rig([]);
        void first.powerOff.perform('office', step, signal);
        const { ran, failures } = restarted(first.journals, [ok], () => isBack, false);
        expect(ran).to.deep.equal(isBack ? [] : ['poweroff-1']);
        expect(failures.some((reason) => reason.includes('power is back'))).to.equal(isBack);
      }
    });

    it('waits for a fresh reading before the next attempt, at most 15 s', async () => {
      for (const [seconds, tries] of [
        [14, 0],
        [16, 1],
      ] as const) {
        const first = rig([failure]);
        await first.powerOff.perform('office', step, signal);
        const { time, ran, sight } = restarted(first.journals, [ok]);
        sight.onBattery = false;
        await time.pass(seconds * 1000);
        expect(ran, `after ${String(seconds)} s`).to.have.length(tries);
      }
    });

    it('stays abandoned when power was back for all groups that requested it', async () => {
      let back = false;
      const first = rig([failure], () => back);
      await first.powerOff.perform('office', step, signal);
      back = true;
      await first.time.pass(5_000);
      const { time, ran } = restarted(first.journals, [ok]);
      await time.pass(600_000);
      expect(ran).to.deep.equal([]);
    });
  });
});
