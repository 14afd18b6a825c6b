import { expect } from 'chai';
import type { Job } from './schedule.js';
import { nextJob, runAll } from './schedule.js';

const job = (name: string, wall: number, cpu: number): Job => ({ name, cost: { wall, cpu } });
const two = { processors: 2, jobs: 8 };

/** Plays the jobs on a clock of their own; gives what ran side by side, as it began. */
async function played(jobs: readonly Job[], bounds = two): Promise<readonly string[]> {
  const running = new Set<string>();
  const seen: string[] = [];
  const ends: { at: number; end: () => void }[] = [];
  let clock = 0;
  const whole = runAll(
    jobs,
    bounds,
    ({ name, cost }) => {
      running.add(name);
      seen.push([...running].join(' '));
      return new Promise((resolve) => {
        ends.push({
          at: clock + cost.wall,
          end: () => {
            running.delete(name);
            resolve();
          },
        });
      });
    },
    new AbortController().signal,
  );
  for (;;) {
    // What has ended lets others begin within these turns.
    await new Promise(setImmediate);
    const next = ends.sort((a, b) => a.at - b.at).shift();
    if (next === undefined) break;
    clock = next.at;
    next.end();
  }
  await whole;
  return seen;
}

describe('the schedule of the tests', () => {
  it('begins with the longest and fills the processors', async () => {
    const jobs = [job('short', 1, 1), job('long', 9, 9), job('middle', 5, 5)];
    expect(await played(jobs)).to.deep.equal(['long', 'long middle', 'long short']);
  });

  it('runs what waits beside what computes', async () => {
    const jobs = [job('wait-1', 9, 1), job('wait-2', 8, 1), job('compute-1', 5, 5), job('compute-2', 4, 4)];
    expect(await played(jobs)).to.deep.equal([
      'wait-1',
      'wait-1 wait-2',
      'wait-1 wait-2 compute-1',
      'wait-1 wait-2 compute-2',
    ]);
  });

  it('starts one that fits before a longer one that does not', () => {
    const running = [job('a', 10, 10), job('b', 10, 5)];
    expect(nextJob([job('long', 9, 9), job('wait', 5, 1)], running, two)?.name).to.equal('wait');
  });

  it('counts one with several threads as a processor, and starts no more jobs than the bound', () => {
    const threads = job('threads', 10, 30);
    expect(nextJob([threads], [threads], two)).to.equal(threads);
    expect(nextJob([threads], [threads, threads], two)).to.equal(null);
    expect(nextJob([job('wait', 9, 0)], [job('other', 9, 0)], { ...two, jobs: 1 })).to.equal(null);
  });

  it('starts nothing once it is aborted, and settles when what runs has ended', async () => {
    const ended = new AbortController();
    const started: string[] = [];
    await runAll(
      [job('first', 9, 9), job('second', 8, 8)],
      { processors: 1, jobs: 1 },
      ({ name }) => {
        started.push(name);
        ended.abort();
        return Promise.resolve();
      },
      ended.signal,
    );
    expect(started).to.deep.equal(['first']);
  });
});
