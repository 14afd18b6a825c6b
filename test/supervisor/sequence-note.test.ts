import { expect } from 'chai';
import type { SequenceModel } from '../../shared/domain/status-model.js';
import { SequenceNote } from '../../supervisor/sequence-note.js';
import { settled } from '../fixtures/fake-time.js';

function model(change: object = {}): SequenceModel {
  const step = {
    phase: 'local_poweroff',
    target: 'this host',
    startedAt: 1,
    endedAt: null,
    budgetSeconds: 30,
    error: null,
  };
  return {
    active: true,
    group: 'office',
    startedAt: 1,
    phase: 'local_poweroff',
    pointOfNoReturn: true,
    powerBack: false,
    dryRun: false,
    steps: [{ ...step, id: 'local_poweroff/host', state: 'running' }],
    ...change,
  };
}

/** A storage worker that takes notes, or is away. */
function rig() {
  const kept: (string | null)[] = [];
  const world = { away: false };
  const note = new SequenceNote(
    {
      request: (_name: string, params: object) => {
        if (world.away) return Promise.resolve({ ok: false, error: { code: 'WORKER_GONE', message: '' } });
        kept.push((params as { sequence: string | null }).sequence);
        return Promise.resolve({ ok: true, value: {} });
      },
    } as never,
    'run-1',
  );
  const tick = async () => {
    note.tick();
    await settled();
  };
  return { note, kept, world, tick };
}

describe('the note of a shutdown under way', () => {
  it('says what has been done, once for each change', async () => {
    const { note, kept, tick } = rig();
    note.changed(model());
    await tick();
    note.changed(model());
    await tick();
    expect(kept).to.deep.equal(['office: local_poweroff/host running']);
  });

  it('is not written for a dry run, nor before the point of no return', async () => {
    const { note, kept, tick } = rig();
    note.changed({ active: false });
    note.changed(model({ dryRun: true }));
    note.changed(model({ pointOfNoReturn: false }));
    note.over();
    await tick();
    expect(kept).to.deep.equal([]);
  });

  it('waits for storage that is away, and writes the newest then', async () => {
    const { note, kept, world, tick } = rig();
    world.away = true;
    note.changed(model());
    await tick();
    note.changed(model({ group: 'rack' }));
    await tick();
    world.away = false;
    await tick();
    await tick();
    expect(kept).to.deep.equal(['rack: local_poweroff/host running']);
  });

  it('is taken back when power returns to a machine that is still up', async () => {
    const { note, kept, tick } = rig();
    note.changed(model());
    await tick();
    note.over();
    await tick();
    expect(kept.at(-1)).to.equal(null);
  });
});
