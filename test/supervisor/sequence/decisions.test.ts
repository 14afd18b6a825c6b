import { expect } from 'chai';
import { settled } from '../../fixtures/fake-time.js';
import { planPhase, planStep, planWith } from '../../fixtures/plans.js';
import { offWait, planOf, restarted, rig, server, success } from './several.js';

describe('sequences', () => {
  const powerOffs = [planOf('office', [], true), planOf('lab', [], true), planOf('rack', [], false)];

  it('are idle with a plan and without a sequence, and active while one runs', async () => {
    const { sequences, start, end, over, logged } = rig([planOf('lab', [server('db', 'lab')], false)]);
    expect(sequences.model()).to.deep.equal({ active: false });
    const seen = () => [sequences.isIdle('lab'), sequences.isIdle('nobody'), sequences.active];
    expect(seen()).to.deep.equal([true, false, false]);
    start('lab');
    expect(seen()).to.deep.equal([false, false, true]);
    await end('db');
    expect(seen()).to.deep.equal([true, false, false]);
    expect(over).to.deep.equal(['lab']);
    expect(logged).to.deep.equal(['shutdown sequence of lab started: LOW_BATTERY: charge 5 %']);
  });

  it('say of a dry run that no step is run, and of a cancelled one that it is cancelled', async () => {
    const lab = { ...planOf('lab', [server('db', 'lab')], false), dryRun: true };
    const { start, logged } = rig([lab]);
    start('lab');
    expect(logged).to.deep.equal([
      'shutdown sequence of lab started (dry run: no step is run): LOW_BATTERY: charge 5 %',
    ]);
    const sync = planStep('filesystem_sync/sync', { action: { kind: 'sync' }, destructive: false });
    const office = planWith(
      [planPhase('filesystem_sync', [sync]), planPhase('local_poweroff', [])],
      'office',
    );
    const cancelled = rig([office]);
    cancelled.start('office');
    expect(cancelled.sequences.cancel('root')).to.deep.equal(['office']);
    await settled();
    expect(cancelled.over).to.deep.equal(['office cancelled']);
  });

  it('neither decide nor resume twice what runs, what has ended, or what has no plan', async () => {
    const lab = planOf('lab', [server('db', 'lab')], false);
    const { sequences, journal, decide, start, end, ran, back } = rig([lab]);
    start('lab');
    expect(decide('lab', 'nobody')).to.deep.equal([]);
    expect(['lab', 'nobody'].map((group) => sequences.resume(group))).to.deep.equal([false, false]);
    await end('db');
    expect(sequences.resume('lab')).to.equal(false);
    back.add('lab');
    expect(decide('nobody')).to.deep.equal([]);
    expect(journal.of('lab')?.over).to.deep.equal({ cancelled: null });
    expect(ran).to.deep.equal(['db']);
  });

  it('are idle by the plan of the record where the configuration has none any more', () => {
    const plans = [planOf('lab', [server('db', 'lab')], false)];
    const first = rig(plans);
    first.start('lab');
    const { sequences } = rig([], success, first.journals);
    expect(sequences.isIdle('lab')).to.equal(true);
    expect(sequences.resume('lab')).to.equal(true);
    expect(sequences.isIdle('lab')).to.equal(false);
  });

  it('say that one continues where it was interrupted', () => {
    const plans = [planOf('lab', [server('db', 'lab')], false)];
    const first = rig(plans);
    first.start('lab');
    const { logged } = restarted(plans, first.journals);
    expect(logged).to.deep.equal(['shutdown sequence of lab continues where it was interrupted']);
  });

  it('power off with a power-off of their own when the decision cannot be recorded', async () => {
    const { journal, start, ran } = rig(powerOffs, success);
    start('office');
    await settled();
    journal.decide = () => {
      throw new Error('no record');
    };
    start('lab');
    await settled();
    expect(ran).to.deep.equal(['poweroff office', 'poweroff lab']);
  });

  it('keep the power-off that others retry when a decision beside them cannot be recorded', async () => {
    const lab = planOf('lab', [server('db', 'lab')], false);
    const { sequences, journal, start, time, ran } = rig([...powerOffs, lab]);
    start('office');
    await settled();
    start('lab');
    expect([ran, sequences.active]).to.deep.equal([['poweroff office', 'db'], true]);
    journal.decide = () => {
      throw new Error('no record');
    };
    start('rack');
    await time.pass(5_000);
    expect(ran).to.deep.equal(['poweroff office', 'db', 'poweroff office']);
  });

  it('retry no power-off after the daemon was told to end', async () => {
    const { sequences, start, time, ran } = rig(powerOffs);
    start('office');
    await settled();
    sequences.stop();
    await time.pass(60_000);
    expect(ran).to.deep.equal(['poweroff office']);
  });

  it('wait for a server to be off, unless the battery leaves no time', async () => {
    const plans = [
      planOf('lab', [server('nas', 'lab'), offWait('nas', 'lab'), server('db', 'lab', 3)], false),
    ];
    const lasting = rig(plans);
    lasting.start('lab');
    await lasting.end('nas');
    expect(lasting.ran).to.deep.equal(['nas']);
    const hurried = rig(plans);
    hurried.noTimeIs('the UPS shows LB');
    hurried.start('lab');
    await hurried.end('nas');
    expect(hurried.ran).to.deep.equal(['nas', 'db']);
  });
});
