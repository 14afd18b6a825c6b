import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { holdingsOf, restartsFigure, restartsIn } from './load/daemon-processes.js';

describe('the process figures of the benchmark', () => {
  it('are numbers for a running process', () => {
    const { pssMb, anonymousMb, threads, openFiles } = holdingsOf(process.pid);
    for (const figure of [pssMb, anonymousMb, threads, openFiles]) expect(figure).to.be.above(0);
  });

  it('are NaN for a process that has ended', async () => {
    const child = spawn('true');
    await once(child, 'exit');
    expect(Object.values(holdingsOf(child.pid ?? 0))).to.deep.equal([NaN, NaN, NaN, NaN]);
  });

  it('list the restarted workers', () => {
    const log = 'info supervisor: READY\nwarning supervisor: WORKER_RESTARTED: nut-2 (ended)\n';
    expect(restartsIn(log)).to.deep.equal(['nut-2 (ended)']);
    expect(restartsFigure(restartsIn(log))).to.include({ value: '1', against: 'nut-2 (ended)' });
    expect(restartsFigure([])).to.include({ value: '0', against: 'goal: none' });
  });
});
