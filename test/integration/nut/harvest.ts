// A program for a network namespace: a server at the given address refuses reads, and a client with the login of nut_control polls it.
// Prints how many passwords the server got, and the failure of the poll.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { NutClient } from '../../../workers/poller/session/client.js';
import type { Certificate } from '../../fixtures/certificates.js';
import { overTls } from '../../fixtures/misbehaving-upsd.js';

const [host = '', kind = ''] = process.argv.slice(2);
const certificate = JSON.parse(readFileSync(0, 'utf8')) as Certificate;
let sent = 0;
const refuse = (line: string, socket: Socket): void => {
  if (line.startsWith('PASSWORD')) sent += 1;
  socket.write(line.startsWith('LIST') ? 'ERR USERNAME-REQUIRED\n' : 'OK\n');
};
const behaviour = kind === 'plain' ? refuse : overTls(certificate, refuse);
const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n').slice(0, -1)) behaviour(line, socket);
  });
}).listen(0, host);
await once(server, 'listening');
const { port } = server.address() as { port: number };
const client = new NutClient({
  ups: 'a',
  host,
  port,
  login: null,
  loginIfRefused: { username: 'operator', password: 'may command' },
  tls: {
    mode: kind === 'plain' ? 'off' : 'opportunistic',
    caPem: null,
    pinSha256: kind === 'pinned' ? certificate.sha256 : null,
    client: null,
  },
  notice: () => undefined,
});
const answer = await client.readVariables(20_000);
client.close();
server.close();
process.stdout.write(JSON.stringify({ sent, message: answer.ok ? 'OK' : answer.failure.message }));
process.exit(0);
