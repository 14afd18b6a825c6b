import { expect } from 'chai';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { LiveFrame } from '../../../../scripts/commands/control/live-stream.js';
import { followLive } from '../../../../scripts/commands/control/live-stream.js';
import { temporaryFolder } from '../../../fixtures/temporary-folder.js';

describe('the live stream of the daemon', () => {
  it('leaves out a frame that is not JSON', async () => {
    const socket = join(temporaryFolder(), 'daemon.sock');
    const server = createServer((_, response) =>
      response.end('event: status\ndata: {nonsense\n\nevent: event\ndata:  \n\n'),
    ).listen(socket);
    await once(server, 'listening');
    const frames: LiveFrame[] = [];
    const lost = await new Promise<string>((resolve) => {
      const stop = new AbortController();
      void followLive(socket, {
        frame: (frame) => frames.push(frame),
        disconnected: (message) => {
          stop.abort();
          resolve(message);
        },
        connected: () => undefined,
        stop: stop.signal,
      });
    });
    server.close();
    expect(frames).to.deep.equal([]);
    expect(lost).to.contain('closed the connection');
  });
});
