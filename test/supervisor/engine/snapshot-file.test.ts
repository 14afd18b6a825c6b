import { expect } from 'chai';
import { SnapshotWriter } from '../../../supervisor/engine/snapshot-file.js';

/** A disk that stores while it has room. */
function rig() {
  const disk = { hasRoom: true, written: [] as unknown[] };
  let state = 'first';
  const writer = new SnapshotWriter(
    {
      read: () => null,
      write: (policy) => {
        if (disk.hasRoom) disk.written.push(policy);
        return disk.hasRoom;
      },
    },
    () => state,
  );
  return { disk, writer, becomes: (next: string) => (state = next) };
}

describe('the writer of the snapshot', () => {
  it('writes what is due at most once a second', () => {
    const { disk, writer, becomes } = rig();
    writer.saveSoon();
    writer.tick(1_000);
    becomes('second');
    writer.saveSoon();
    writer.tick(1_999);
    expect(disk.written).to.deep.equal(['first']);
    writer.tick(2_000);
    writer.tick(4_000);
    expect(disk.written).to.deep.equal(['first', 'second']);
  });

  it('writes a decision immediately', () => {
    const { disk, writer } = rig();
    writer.commit(1_000);
    writer.commit(1_001);
    expect(disk.written).to.have.length(2);
  });

  it('tries again every second after a full disk refused a write, without waiting for the next change', () => {
    const { disk, writer } = rig();
    disk.hasRoom = false;
    writer.commit(1_000);
    writer.tick(1_500);
    writer.tick(2_000);
    disk.hasRoom = true;
    writer.tick(2_750);
    expect(disk.written).to.deep.equal([]);
    writer.tick(3_000);
    writer.tick(9_000);
    expect(disk.written).to.deep.equal(['first']);
  });
});
