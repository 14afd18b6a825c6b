import { expect } from 'chai';
import { StepProgress } from '../../../supervisor/sequence/step-progress.js';
import { planOf, server } from './several.js';

describe('the progress of the steps of a sequence', () => {
  it('is skipped, when it is cancelled, for those that have not begun, and stays for the others', () => {
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

  it('has the start and the end of a step under a previous daemon, and nothing of a step outside of the plan', () => {
    const moment = { atMs: 7, unixSeconds: 8 };
    const past = new Map([
      ['remote_servers/db', { beganMs: 5, beganUnixSeconds: 6, ended: null }],
      [
        'remote_servers/nas',
        { beganMs: 5, beganUnixSeconds: 6, ended: { outcome: { kind: 'done' as const }, ...moment } },
      ],
    ]);
    const plan = planOf('lab', [server('db', 'lab'), server('nas', 'lab')], false);
    const progress = new StepProgress(plan, past);
    progress.began('remote_servers/other', 9);
    expect(
      progress.steps.map(({ id, state, startedAt, endedAt }) => [id, state, startedAt, endedAt]),
    ).to.deep.equal([
      ['remote_servers/db', 'pending', 6, null],
      ['remote_servers/nas', 'done', 6, 8],
    ]);
  });
});
