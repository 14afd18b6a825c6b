import { expect } from 'chai';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { mkdirSync, rmdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as t from 'io-ts';
import { inDirectory, requestDaemon } from '../../../../scripts/commands/control/control-socket.js';
import { lockInstance } from '../../../../shared/runtime/instance-lock.js';
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

describe('a request to a daemon that answers badly', () => {
  /** What a command gets from a socket where each request ends in `answer`. */
  async function replyTo(answer: RequestListener, withinMs: number, codec: t.Mixed = t.unknown) {
    const socket = inDirectory(temporaryFolder());
    const server = createServer(answer).listen(socket);
    await once(server, 'listening');
    try {
      return await requestDaemon(socket, 'status', codec, { method: 'GET', withinMs });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  it('ends at an answer that is longer than any', async () => {
    const reply = await replyTo((_, response) => void response.end(Buffer.alloc(30 << 20, ' ')), 600_000);
    expect(reply).to.include({
      ok: false,
      message: 'The answer of the daemon does not end. Restart the daemon.',
    });
  });

  it('names a command where the API names a path', async () => {
    const why = 'No UPS of this name is configured. GET /api/v1/ups lists them all.';
    const error = { error: { code: 'NOT_FOUND', message: why } };
    const reply = await replyTo((_, response) => void response.end(JSON.stringify(error)), 5000, t.string);
    expect(reply).to.deep.equal({
      ok: false,
      code: 'NOT_FOUND',
      message: 'No UPS of this name is configured. `ridethrough status` lists them all.',
    });
  });

  it('ends without an answer', async () => {
    const reply = await replyTo(() => undefined, 500);
    expect(reply.ok ? '' : reply.message)
      .to.contain('does not answer on')
      .and.to.contain('within 0.5 s');
  });
});
