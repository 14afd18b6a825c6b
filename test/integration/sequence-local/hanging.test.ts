// Commands and unmounts on file systems that do not answer: the sequence continues at the deadline.
import { expect } from 'chai';
import type { Report } from './sandbox.js';
import { hung, hungBlockDevice, needs, needsFrozenDisk, Sandbox } from './sandbox.js';

/** It ended with its budget, and the event loop kept turning meanwhile. */
function atTheEndOfItsBudget({ turns, turnsAfterBudget }: Report): void {
  expect(turns, 'turns of the event loop within the budget').to.be.above(2);
  expect(turnsAfterBudget, 'turns of the event loop after it').to.be.within(0, 20);
}

describe('a file system that does not answer', () => {
  let sandbox: Sandbox;
  before(function () {
    needs(this, 'no FUSE', hung);
  });
  beforeEach(() => (sandbox = new Sandbox()));
  afterEach(() => sandbox.remove());

  it('does not block the start of a program that lies on it', async () => {
    const report = await sandbox.perform(hung, {
      command: [`${sandbox.directory}/hung/poweroff`],
      budgetSeconds: 1,
    });
    expect(report.outcome).to.deep.equal({ kind: 'abandoned', output: '' });
    atTheEndOfItsBudget(report);
  });

  it('does not block a search of PATH that includes it', async () => {
    const report = await sandbox.perform(`${hung}\nexport PATH=$D/hung:$PATH`, {
      command: ['poweroff-of-somewhere'],
      budgetSeconds: 1,
    });
    expect(report.outcome).to.deep.equal({ kind: 'abandoned', output: '' });
    atTheEndOfItsBudget(report);
  });

  it('is unmounted within the budget', async () => {
    const action = { kind: 'unmount', path: `${sandbox.directory}/hung`, options: '' } as const;
    const report = await sandbox.perform(
      hung,
      { action, budgetSeconds: 5 },
      'grep -c $D/hung /proc/self/mountinfo',
    );
    expect(report.outcome).to.deep.equal({ kind: 'done' });
    expect(report.after).to.equal('0');
    expect(report.turnsAfterBudget, 'its budget has not ended').to.equal(null);
  });

  it('does not block the sync of the others', async () => {
    const report = await sandbox.perform(hung, { action: { kind: 'sync' }, budgetSeconds: 20 });
    expect(report.outcome).to.deep.equal({ kind: 'done' });
  });
});

describe('a disk that stalls', () => {
  let sandbox: Sandbox;
  beforeEach(() => (sandbox = new Sandbox()));
  afterEach(() => sandbox.remove());

  it('blocks the writing process, which cannot be killed, but not the sequence', async function () {
    needsFrozenDisk(this);
    const file = `${sandbox.directory}/disk/file`;
    const order = { command: ['sh', '-c', `echo x >${file}`], budgetSeconds: 1 };
    const writers = `ps -eo stat=,args= | grep "^D.*${file}" | grep -vc grep`;
    const report = await sandbox.withFrozenDisk(order, writers);
    expect(report.outcome).to.have.property('kind', 'abandoned');
    expect(report.after, 'still there, in uninterruptible sleep').to.equal('1');
    atTheEndOfItsBudget(report);
  });

  it('is abandoned at the end of the budget when even its unmount cannot be killed', async function () {
    needs(this, 'no FUSE on a loop device', hungBlockDevice);
    const action = { kind: 'unmount', path: `${sandbox.directory}/hung`, options: '' } as const;
    // A killed process that the kernel still holds has a name, but no arguments.
    const unmounting =
      'for i in $(seq 50); do ps -eo stat=,comm= | grep -q "^D.* umount" && echo held && break; sleep 0.1; done';
    const report = await sandbox.perform(hungBlockDevice, { action, budgetSeconds: 2 }, unmounting);
    expect(report.outcome).to.deep.equal({
      kind: 'failed',
      how: 'timeout',
      reason:
        'umount did not end within its budget and was left behind: the file system, or its server, does not answer',
    });
    expect(report.after, 'still there, in uninterruptible sleep').to.equal('held');
    expect(report.turns).to.be.above(2);
  });
});
