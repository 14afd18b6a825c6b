// A notification server in a process of its own, so that it can be stopped: takes every message, says its port and no more.
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  request.resume().on('end', () => response.end('{}'));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${String((server.address() as AddressInfo).port)}\n`);
});
