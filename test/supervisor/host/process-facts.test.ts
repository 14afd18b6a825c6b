import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { processFacts } from '../../../supervisor/host/process-facts.js';
import { until } from '../../fixtures/until.js';

const { residentMb, threadName, threads, stolenMs } = processFacts;
/** Larger than any pid_max of the kernel. */
const noPid = 2 ** 22 + 1;

describe('the facts of a process', () => {
  it('contain its resident memory as the kernel counts it', () => {
    const own = process.memoryUsage.rss() / (1024 * 1024);
    expect(residentMb(process.pid)).to.be.within(own * 0.8, own * 1.2);
  });

  it('contain the name of its main thread, which that thread can set', () => {
    const before = threadName(process.pid) ?? '';
    writeFileSync('/proc/self/comm', 'member-17');
    expect(threadName(process.pid)).to.equal('member-17\n');
    writeFileSync('/proc/self/comm', before);
  });

  it('contain the processor time of its threads', () => {
    const before = threads(process.pid);
    const main = before?.get(process.pid);
    // Node's own threads.
    expect(before?.size).to.be.above(1);
    expect(main).to.have.property('isRunnable', true);
    const { user } = process.cpuUsage();
    while (process.cpuUsage().user < user + 50_000);
    const after = threads(process.pid)?.get(process.pid);
    expect((after?.ranMs ?? 0) - (main?.ranMs ?? 0)).to.be.above(40);
    expect(after?.waitedMs).to.be.at.least(main?.waitedMs ?? NaN);
  });

  it('tell a process that runs from one that sleeps or was stopped', async () => {
    const isRunnable = (pid: number | undefined): unknown => threads(pid ?? 0)?.get(pid ?? 0)?.isRunnable;
    const children = [spawn('sleep', ['60']), spawn('sh', ['-c', 'while :; do :; done'])] as const;
    const [sleeping, spinning] = children.map(({ pid }) => pid);
    try {
      await until(
        () => [isRunnable(sleeping), isRunnable(spinning)],
        ([asleep, runs]) => asleep === false && runs === true,
      );
      children[1].kill('SIGSTOP');
      await until(() => !isRunnable(spinning));
    } finally {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(children.map((child) => once(child, 'exit')));
    }
  });

  it('contain the stolen time of each processor', () => {
    const stolen = stolenMs();
    expect(stolen).not.to.deep.equal([]);
    for (const ms of stolen) expect(ms).to.be.at.least(0);
  });

  it('are null after the end of the process', () => {
    expect([residentMb(noPid), threadName(noPid), threads(noPid)]).to.deep.equal([null, null, null]);
  });
});
