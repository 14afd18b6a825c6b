// A notification server in its own process, so that it can be stopped. Accepts every message; prints its port.
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  request.resume().on('end', () => response.end('{}'));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${String((server.address() as AddressInfo).port)}\n`);
});
