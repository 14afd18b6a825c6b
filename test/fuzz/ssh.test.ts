import { expect } from 'chai';
import fc from 'fast-check';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseKnownHosts } from '../../workers/ssh/known-hosts/entries.js';
import { verdictOf } from '../../workers/ssh/known-hosts/verdict.js';
import { OutputTail, oneLine } from '../../workers/ssh/output-tail.js';
import { onLoopback } from '../fixtures/loopback-server.js';
import { ed25519Key } from '../fixtures/ssh-key.js';
import { createTargets, workOn } from '../integration/ssh/remote-parts.js';
import { tried } from './runs.js';
import { notWatched } from '../fixtures/off-check.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const key = ed25519Key();

/** An identification string, damaged in any way, followed by bytes that start like packets. */
const anyGreeting: fc.Arbitrary<Buffer> = fc
  .tuple(
    fc.constantFrom(
      'SSH-2.0-OpenSSH_9.9\r\n',
      'SSH-2.0-\r\n',
      'SSH-1.99-x\n',
      'SSH-2.0-x y z',
      'welcome\r\nSSH-2.0-x\r\n',
      'HTTP/1.1 400 Bad Request\r\n\r\n',
      '',
    ),
    fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 400 }),
        // A packet: length, padding, message number, garbage.
        fc
          .tuple(
            fc.constantFrom(12, 28, 60, 0xffff_ffff),
            fc.constantFrom(1, 2, 4, 6, 20, 21, 31, 50, 52, 90, 255),
            fc.uint8Array({ minLength: 10, maxLength: 58 }),
          )
          .map(([length, message, noise]) => {
            const head = Buffer.alloc(6);
            head.writeUInt32BE(length);
            head.writeUInt8(4, 4);
            head.writeUInt8(message, 5);
            return Buffer.concat([head, noise]);
          }),
      ),
      { maxLength: 4 },
    ),
  )
  .map(([name, packets]) => Buffer.concat([Buffer.from(name), ...packets]));

describe('data from an SSH server', () => {
  it('before the login always leads to an outcome without a command sent', async () => {
    const folder = temporaryFolder();
    let greeting: Buffer = Buffer.alloc(0);
    // The connection may also end at any time.
    const server = await onLoopback(createServer((socket) => void socket.end(greeting)));
    const { targets } = createTargets([
      {
        server: 'nas',
        host: '127.0.0.1',
        port: server.port,
        user: 'root',
        privateKey: key,
        keyTrouble: null,
        knownHostsFile: join(folder, 'known_hosts'),
        hostKeyPolicy: 'accept-new',
        // Too short for a second attempt.
        connectTimeoutMs: 1_900,
        offCheck: notWatched,
      },
    ]);
    try {
      await fc.assert(
        fc.asyncProperty(anyGreeting, async (bytes) => {
          greeting = bytes;
          const before = server.accepted();
          const { result, delivered, detail } = await targets.shutDown(workOn(), 5_000);
          expect(result).to.be.oneOf(['failed', 'unreachable', 'timeout']);
          expect(delivered).to.equal(false);
          expect(server.accepted()).to.equal(before + 1);
          expect(detail.length).to.be.lessThan(2_000);
          // oxlint-disable-next-line no-control-regex -- none of them may be left
          expect(detail).not.to.match(/[\u0000-\u001f\u007f]/);
        }),
        tried(60),
      );
    } finally {
      await server.close();
    }
  });

  it('as output of a command is truncated and printed without control characters', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 9_000 }), { maxLength: 8 }), (chunks) => {
        const tail = new OutputTail();
        for (const chunk of chunks) tail.add(Buffer.from(chunk));
        const line = oneLine(tail.text, 300);
        expect(line.length).to.be.at.most(300);
        // oxlint-disable-next-line no-control-regex -- none of them may be left
        expect(line).not.to.match(/[\u0000-\u001f\u007f-\u009f]/);
      }),
      tried(200),
    );
  });

  it('as a host key gets a verdict with any content of known_hosts', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc
        .array(
          fc.constantFrom(
            'nas',
            '*',
            '!nas',
            '|1|a|b',
            '@revoked',
            '@x',
            ' ',
            'ssh-ed25519',
            'AAAA',
            '\n',
            ',',
          ),
          { maxLength: 30 },
        )
        .map((words) => words.join(' ')),
    );
    fc.assert(
      fc.property(anyText, fc.uint8Array({ maxLength: 80 }), (text, shown) => {
        const verdict = verdictOf(parseKnownHosts(text), 'nas', 22, Buffer.from(shown));
        expect(verdict).to.be.oneOf(['known', 'unknown', 'changed', 'revoked']);
      }),
      tried(400),
    );
  });
});
