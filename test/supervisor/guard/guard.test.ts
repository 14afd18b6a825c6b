import { expect } from 'chai';
import { SimulatedJournals } from '../../simulation/journals.js';
import { Guard } from '../../../supervisor/guard/guard.js';
import { guardDependencies } from '../../../supervisor/engine/guarded-dependencies.js';
import type { SetTimer } from '../../../supervisor/host/timer.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import { idleFile, idleLog, idleObserver, idlePerformers } from '../../fixtures/idle-parts.js';

function rig() {
  const errors: string[] = [];
  const guard = new Guard({ ...idleLog, error: (message) => errors.push(message) });
  return { guard, errors };
}

const failing = (message: string) => (): never => {
  throw new TypeError(message);
};

describe('a guard', () => {
  it('logs an exception once for its place and line, and continues', () => {
    const { guard, errors } = rig();
    expect(guard.run('the commit', failing('one'))).to.equal(false);
    expect(guard.run('the commit', failing('two'))).to.equal(false);
    expect(guard.run('the start', failing('three'))).to.equal(false);
    expect(guard.run('the rest', () => undefined)).to.equal(true);
    expect(errors).to.have.length(2);
    expect(errors[0]).to.match(/^bug: the commit failed, .*TypeError: one/s);
  });

  it('runs each of several acts when one throws', () => {
    const { guard, errors } = rig();
    const done: string[] = [];
    guard.runAll('a tick', { a: () => done.push('a'), b: failing('b'), c: () => done.push('c') });
    expect(done).to.deep.equal(['a', 'c']);
    expect(errors).to.have.length(1);
    expect(errors[0]).to.include('a tick of b');
  });

  it('calls a listener once when it throws', () => {
    const { guard } = rig();
    let calls = 0;
    const changed = (): void => {
      calls += 1;
      throw new Error('deaf');
    };
    guard.listener('the observer', { changed }, { changed: () => undefined }).changed();
    expect(calls).to.equal(1);
  });

  it('calls a method that throws once more, and then its fallback', () => {
    const { guard } = rig();
    let calls = 0;
    const read = (): number => {
      calls += 1;
      if (calls < 2) throw new Error('not yet');
      return calls;
    };
    const tool = guard.withFallback('the disk', { read }, { read: () => -1 });
    expect(tool.read()).to.equal(2);
    const broken = guard.withFallback('the disk', { read: failing('always') }, { read: () => -1 });
    expect(broken.read()).to.equal(-1);
  });

  it('uses the fallback for a rejected promise, without a second call', async () => {
    const { guard, errors } = rig();
    let calls = 0;
    const ask = (): Promise<string> => {
      calls += 1;
      return Promise.reject(new Error('gone'));
    };
    const tool = guard.withFallback('the worker', { ask }, { ask: () => Promise.resolve('nobody') });
    expect(await tool.ask()).to.equal('nobody');
    expect(calls).to.equal(1);
    expect(errors).to.have.length(1);
  });

  it('tolerates a log that throws', () => {
    const guard = new Guard({ ...idleLog, error: failing('the log') });
    expect(guard.run('the commit', failing('one'))).to.equal(false);
  });

  it('keeps the class of what it wraps', () => {
    class Counter {
      #count = 0;
      next(): number {
        return (this.#count += 1);
      }
    }
    const { guard } = rig();
    const counter = guard.withFallback<Pick<Counter, 'next'>>('the counter', new Counter(), {
      next: () => -1,
    });
    expect([counter.next(), counter.next()]).to.deep.equal([1, 2]);
  });
});

describe('the collaborators of the engine', () => {
  it('fire a timer once when the call that set it threw and was repeated', async () => {
    const time = new FakeTime();
    let calls = 0;
    const setTimer: SetTimer = (ms, then) => {
      const cancel = time.setTimer(ms, then);
      calls += 1;
      if (calls === 1) throw new Error('made, and thrown');
      return cancel;
    };
    const tools = guarded(time, { setTimer });
    let kept = 0;
    tools.setTimer(1_000, () => (kept += 1));
    await time.pass(2_000);
    expect([calls, kept]).to.deep.equal([2, 1]);
    tools.setTimer(1_000, () => (kept += 1))();
    await time.pass(2_000);
    expect(kept, 'a cancelled timer').to.equal(1);
  });

  it('keep an exception of a timer from whoever runs the timers', async () => {
    const time = new FakeTime();
    const tools = guarded(time, {});
    let kept = 0;
    tools.setTimer(500, failing('late'));
    tools.setTimer(500, () => (kept += 1));
    await time.pass(1_000);
    expect(kept).to.equal(1);
  });

  it('let whoever cancels a timer go on', () => {
    const tools = guarded(new FakeTime(), { setTimer: () => failing('no such timer') });
    expect(tools.setTimer(500, failing('late'))).not.to.throw();
  });

  it('fail the call of a command that cannot be run', async () => {
    const runs = [failing('no memory'), () => Promise.reject(new Error('no memory'))];
    for (const run of runs) {
      const tools = guarded(new FakeTime(), { run });
      const ended = await tools.run(['true'], new AbortController().signal);
      expect(ended).to.deep.include({ kind: 'unstartable' });
    }
  });

  it('let whoever writes a log line or is observed go on', () => {
    const line = failing('disk full');
    const log = { debug: line, info: line, warning: line, error: line };
    const tools = guarded(new FakeTime(), {
      log,
      observer: { ...idleObserver, prepare: line, stepped: line },
    });
    expect(() => tools.log.warning('on battery')).not.to.throw();
    expect(() => tools.observer.prepare()).not.to.throw();
    expect(() => tools.observer.stepped()).not.to.throw();
  });
});

type Collaborators = Parameters<typeof guardDependencies>[1];

function guarded(time: FakeTime, change: Partial<Collaborators>) {
  return guardDependencies(rig().guard, {
    ...{ clock: time, log: idleLog, snapshot: idleFile, reserve: idleFile, observer: idleObserver },
    journals: new SimulatedJournals(() => 'kept'),
    run: () => new Promise(() => undefined),
    setTimer: time.setTimer,
    performers: () => idlePerformers,
    ...change,
  });
}
