import { expect } from 'chai';
import { SnapshotWriter } from '../../supervisor/engine/snapshot-file.js';

/** A disk that stores while it has room. */
function rig() {
  const disk = { hasRoom: true, written: [] as unknown[] };
  let state = 'first';
  const keeper = new SnapshotWriter(
    {
      read: () => null,
      write: (policy) => {
        if (disk.hasRoom) disk.written.push(policy);
        return disk.hasRoom;
      },
    },
    () => state,
  );
  return { disk, keeper, becomes: (next: string) => (state = next) };
}

describe('the keeper of the snapshot', () => {
  it('writes what is due at most once a second', () => {
    const { disk, keeper, becomes } = rig();
    keeper.saveSoon();
    keeper.tick(1_000);
    becomes('second');
    keeper.saveSoon();
    keeper.tick(1_999);
    expect(disk.written).to.deep.equal(['first']);
    keeper.tick(2_000);
    keeper.tick(4_000);
    expect(disk.written).to.deep.equal(['first', 'second']);
  });

  it('writes a decision immediately', () => {
    const { disk, keeper } = rig();
    keeper.commit(1_000);
    keeper.commit(1_001);
    expect(disk.written).to.have.length(2);
  });

  it('tries again every second after a full disk refused a write, without waiting for the next change', () => {
    const { disk, keeper } = rig();
    disk.hasRoom = false;
    keeper.commit(1_000);
    keeper.tick(1_500);
    keeper.tick(2_000);
    disk.hasRoom = true;
    keeper.tick(2_750);
    expect(disk.written).to.deep.equal([]);
    keeper.tick(3_000);
    keeper.tick(9_000);
    expect(disk.written).to.deep.equal(['first']);
  });
});
