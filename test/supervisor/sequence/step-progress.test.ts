import { expect } from 'chai';
import type { JournalEntry } from '../../../supervisor/sequence/journal/entries.js';
import { foldOf } from '../../../supervisor/sequence/journal/record.js';
import { progressOfSteps } from '../../../supervisor/sequence/step-progress.js';
import { cause, planOf, rig, server } from './several.js';

const plan = planOf('lab', [server('db', 'lab'), server('nas', 'lab'), server('old', 'lab')], true);
const moment = (second: number) => ({ group: 'lab', atMs: second * 1000, unixSeconds: second });
const step = (name: string) => `remote_servers/${name}`;
const began = (name: string, second: number): JournalEntry => ({
  kind: 'stepBegan',
  step: step(name),
  ...moment(second),
});

function shown(...entries: readonly JournalEntry[]) {
  const fold = foldOf([{ kind: 'decided', cause, plan, ...moment(0) }, ...entries]);
  return progressOfSteps(plan, fold.groups.get('lab'));
}

describe('the progress of the steps of a sequence', () => {
  it('is skipped, when it is cancelled, for those that have not begun, and stays for the others', () => {
    const done: JournalEntry = {
      kind: 'stepEnded',
      step: step('nas'),
      outcome: { kind: 'done' },
      ...moment(2),
    };
    const over: JournalEntry = { kind: 'over', cancelled: 'power is back', ...moment(3) };
    const steps = shown(began('db', 1), began('nas', 1), done, over);
    expect(steps.map(({ id, state, error }) => [id, state, error])).to.deep.equal([
      ['remote_servers/db', 'running', null],
      ['remote_servers/nas', 'done', null],
      ['remote_servers/old', 'skipped', 'power is back'],
      ['local_poweroff/host', 'skipped', 'power is back'],
    ]);
    expect(steps.map(({ startedAt, endedAt }) => [startedAt, endedAt]).slice(0, 2)).to.deep.equal([
      [1, null],
      [1, 2],
    ]);
  });

  it('is a failure for a step that a bug ended: the record has no end of it', () => {
    const [db, nas] = shown(began('db', 1), { kind: 'phaseEnded', phase: 'remote_servers', ...moment(2) });
    expect(db).to.include({ state: 'failed', error: 'internal error; see the log' });
    expect(nas).to.include({ state: 'failed', startedAt: null });
  });

  it('is pending without a record', () => {
    expect(progressOfSteps(plan, undefined).map(({ state }) => state)).to.deep.equal(
      Array.from({ length: 4 }, () => 'pending'),
    );
  });

  it('of a server is that of the try which has reached it', async () => {
    const { sequences, journal, start, end } = rig([plan]);
    start('lab');
    await end('nas', { kind: 'failed', how: 'unreachable', reason: 'no route', neverSent: true });
    const stateOfNas = () => {
      const model = sequences.model();
      return 'steps' in model ? model.steps.find(({ target }) => target === 'nas')?.state : undefined;
    };
    expect(stateOfNas()).to.equal('failed');
    journal.write({ kind: 'stepEnded', step: step('nas'), outcome: { kind: 'done' }, ...moment(9) });
    expect(stateOfNas()).to.equal('done');
  });
});
