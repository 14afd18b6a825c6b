import { expect } from 'chai';
import { StepProgress } from '../../../supervisor/sequence/step-progress.js';
import { planOf, server } from './several.js';

describe('the progress of the steps of a cancelled sequence', () => {
  it('is skipped for those that have not begun, and stays for the others', () => {
    const servers = ['db', 'nas', 'old'].map((name) => server(name, 'lab'));
    const progress = new StepProgress(planOf('lab', servers, true));
    progress.began('remote_servers/db', 1);
    progress.began('remote_servers/nas', 1);
    progress.ended('remote_servers/nas', { kind: 'done' }, 2);
    progress.skipPending('power is back');
    expect(progress.steps.map(({ id, state, error }) => [id, state, error])).to.deep.equal([
      ['remote_servers/db', 'running', null],
      ['remote_servers/nas', 'done', null],
      ['remote_servers/old', 'skipped', 'power is back'],
      ['local_poweroff/host', 'skipped', 'power is back'],
    ]);
  });
});
