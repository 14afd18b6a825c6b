import { expect } from 'chai';
import type { JournalEntry } from '../../../../supervisor/sequence/journal/entries.js';
import { Boot, Life } from './lives.js';

/** On battery and nearly empty, up to a sync that hangs: no destructive step has started. */
async function beforeTheReturn(): Promise<Boot> {
  const boot = new Boot();
  const life = new Life(boot, ['sync']);
  await life.read('OL', 100);
  await life.read('OB', 5);
  expect(boot.ran).to.deep.equal(['sync']);
  life.kill();
  await boot.time.pass(100);
  return boot;
}

/** Up to a power-off that hangs. */
async function pastTheReturn(): Promise<Boot> {
  const boot = new Boot();
  const life = new Life(boot, ['off']);
  await life.read('OL', 100);
  await life.read('OB', 5);
  expect(boot.ran).to.deep.equal(['sync', 'off']);
  life.kill();
  await boot.time.pass(100);
  return boot;
}

describe('the open sequence of a killed daemon', () => {
  it('is resumed immediately when a reading shows the UPS on battery, which is recorded', async () => {
    const boot = await beforeTheReturn();
    const life = new Life(boot);
    await life.pass(1);
    expect(boot.ran).to.deep.equal(['sync']);
    await life.read('OB', 5);
    expect(boot.ran).to.deep.equal(['sync', 'sync', 'off']);
    expect(life.events).to.include('SHUTDOWN_RESUMED');
    expect(boot.records.at(-1)).to.equal('over');
  });

  it('is cancelled when a reading shows that power is back, in the journal too', async () => {
    const boot = await beforeTheReturn();
    const life = new Life(boot);
    await life.read('OL', 60);
    await life.pass(30);
    expect(boot.ran).to.deep.equal(['sync']);
    expect(life.events).to.include('SHUTDOWN_CANCELLED');
    expect(boot.records.at(-1)).to.equal('over');
    const another = new Life(boot);
    await another.pass(30);
    expect(boot.ran).to.deep.equal(['sync']);
    expect(another.events).not.to.include('SHUTDOWN_RESUMED');
  });

  it('waits for a reading at most 15 s', async () => {
    const boot = await beforeTheReturn();
    const life = new Life(boot);
    await life.pass(14.5);
    expect(boot.ran).to.deep.equal(['sync']);
    await life.pass(1);
    expect(boot.ran).to.deep.equal(['sync', 'sync', 'off']);
  });

  it('is resumed without a reading past the point of no return, even when power is back', async () => {
    const boot = await pastTheReturn();
    const life = new Life(boot);
    await life.read('OL', 60);
    expect(boot.ran).to.deep.equal(['sync', 'off', 'off']);
    expect(life.events).to.include('SHUTDOWN_SEQUENCE_COMPLETE');
  });

  it('is resumed from its journal when the snapshot is lost, and no second sequence starts', async () => {
    const boot = await pastTheReturn();
    boot.snapshot = null;
    const life = new Life(boot);
    await life.pass(1);
    expect(boot.ran).to.deep.equal(['sync', 'off', 'off']);
    await life.read('OB', 4);
    await life.read('OB', 3);
    expect(boot.ran).to.deep.equal(['sync', 'off', 'off']);
    expect(life.events).not.to.include('SHUTDOWN_TRIGGERED');
  });

  it('is cancelled only by a reading when the snapshot is lost before the point of no return', async () => {
    const boot = await beforeTheReturn();
    boot.snapshot = null;
    const life = new Life(boot);
    await life.pass(1);
    expect(life.events).not.to.include('SHUTDOWN_CANCELLED');
    await life.read('OB', 4);
    expect(boot.ran).to.deep.equal(['sync', 'sync', 'off']);
    const other = await beforeTheReturn();
    other.snapshot = null;
    const spared = new Life(other);
    await spared.read('OL', 60);
    expect(spared.events).to.include('SHUTDOWN_CANCELLED');
    await spared.pass(1);
    await spared.read('OB', 4);
    expect(other.ran, 'another outage is another sequence').to.deep.equal(['sync', 'sync', 'off']);
  });

  it('is resumed after 15 s without a reading when the snapshot is lost', async () => {
    const boot = await beforeTheReturn();
    boot.snapshot = null;
    const life = new Life(boot);
    await life.pass(14.5);
    expect(boot.ran).to.deep.equal(['sync']);
    await life.pass(1);
    expect(boot.ran).to.deep.equal(['sync', 'sync', 'off']);
  });

  it('is not cancelled by the line power in a snapshot from before the outage', async () => {
    const boot = new Boot();
    const life = new Life(boot, ['sync']);
    await life.read('OL', 100);
    await life.pass(2);
    const before = boot.snapshot;
    await life.read('OB', 5);
    life.kill();
    boot.snapshot = before;
    const next = new Life(boot);
    await next.pass(1);
    expect(next.events).not.to.include('SHUTDOWN_CANCELLED');
    await next.read('OB', 4);
    expect(boot.ran).to.deep.equal(['sync', 'sync', 'off']);
  });

  it('has ended when its journal has the end and the snapshot does not', async () => {
    const boot = new Boot();
    const life = new Life(boot);
    await life.read('OL', 100);
    await life.read('OB', 5);
    expect(boot.records.at(-1)).to.equal('over');
    life.kill();
    boot.snapshot = JSON.parse(
      JSON.stringify(boot.snapshot).replaceAll('"sequenceOver":true', '"sequenceOver":false'),
    );
    const next = new Life(boot);
    await next.read('OB', 4);
    await next.pass(30);
    expect(boot.ran).to.deep.equal(['sync', 'off']);
    expect(next.events).not.to.include('SHUTDOWN_RESUMED');
  });

  it('has ended when its journal has the end and the snapshot is from the outage before', async () => {
    const boot = new Boot();
    const life = new Life(boot, ['off']);
    await life.read('OL', 100);
    await life.read('OB', 5);
    const before = boot.snapshot;
    await life.pass(31);
    await life.read('OL', 60);
    await life.pass(90);
    await life.read('OB', 5);
    await life.pass(31);
    life.kill();
    boot.snapshot = before;
    const next = new Life(boot);
    await next.pass(30);
    expect(next.events).not.to.include('SHUTDOWN_RESUMED');
  });

  it('has ended when a full disk has space again before the kill, by a tick or by any commit', async () => {
    const passed = async (life: Life) => life.pass(2);
    const committed = (life: Life) => Promise.resolve(life.stop());
    for (const write of [passed, committed]) {
      const boot = new Boot();
      const life = new Life(boot, ['off']);
      await life.read('OL', 100);
      await life.read('OB', 5);
      boot.full = true;
      await life.pass(31);
      expect(life.events).to.include('SHUTDOWN_SEQUENCE_COMPLETE');
      boot.full = false;
      await write(life);
      life.kill();
      expect(boot.records.at(-1)).to.equal('over');
      const next = new Life(boot);
      await next.read('OB', 4);
      expect(next.events).not.to.include('SHUTDOWN_RESUMED');
    }
  });

  it('starts from the first step when there is only the journal of an earlier outage', async () => {
    const boot = new Boot();
    const life = new Life(boot);
    await life.read('OL', 100);
    await life.read('OB', 5);
    const earlier = boot.journals.read() as readonly JournalEntry[];
    await life.read('OL', 60);
    await life.pass(90);
    await life.read('OB', 5);
    life.kill();
    expect(boot.ran).to.deep.equal(['sync', 'off', 'sync', 'off']);
    // The state between the decision and the first line of the journal.
    boot.snapshot = JSON.parse(
      JSON.stringify(boot.snapshot).replaceAll('"sequenceOver":true', '"sequenceOver":false'),
    );
    boot.journals.begin(earlier);
    boot.journals.writerDied();
    const next = new Life(boot);
    await next.read('OB', 4);
    expect(boot.ran).to.deep.equal(['sync', 'off', 'sync', 'off', 'sync', 'off']);
  });
});
