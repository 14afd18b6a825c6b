import { expect } from 'chai';
import { mkdirSync, rmdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as t from 'io-ts';
import { inDirectory, requestDaemon } from '../../../../scripts/commands/control/control-socket.js';
import { lockInstance } from '../../../../supervisor/host/instance-lock.js';
import { temporaryFolder } from '../../../fixtures/temporary-folder.js';

describe('a request to a daemon on whose socket nothing listens', () => {
  let directory: string;
  let own: string;
  beforeEach(() => {
    directory = temporaryFolder();
    own = join(directory, 'supervisor');
    mkdirSync(own);
  });
  const asked = async () => {
    const reply = await requestDaemon(inDirectory(directory), 'status', t.unknown);
    if (reply.ok) throw new Error('nobody can have answered');
    return reply;
  };

  it('finds that it runs, while it has locked its runtime directory', async () => {
    await lockInstance(own);
    const { message, notRunning } = await asked();
    expect(message).to.contain('The daemon runs, but its API does not').and.not.to.contain('systemctl start');
    expect(notRunning).to.equal(undefined);
  });

  it('finds that it does not run, and keeps none from starting', async () => {
    const { message, notRunning } = await asked();
    expect(message).to.contain('The daemon is not running: nothing listens');
    expect(notRunning).to.equal(true);
    expect(await lockInstance(own)).to.deep.equal({ held: true, warning: null });
  });

  it('does not know whether it runs where the lock cannot be looked at', async () => {
    rmdirSync(own);
    symlinkSync('supervisor', own);
    const { message, notRunning } = await asked();
    expect(message).to.contain('is not running, or its API is being restarted');
    expect(notRunning).to.equal(true);
  });
});
