// One heartbeat against real receivers on loopback: one that takes it, refuses, redirects, hangs, closes, speaks no HTTP.
import { expect } from 'chai';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { makeCertificate } from '../../fixtures/certificates.js';
import { sendTo } from '../../../workers/heartbeat/send.js';

describe('the request of a heartbeat', () => {
  const servers: { close: () => unknown }[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });
  async function listening(server: Pick<Server, 'listen' | 'address' | 'close'>): Promise<string> {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  }
  const answering = async (answer: RequestListener): Promise<string> =>
    `http://${await listening(createServer(answer))}/ping/secret-token?status=up`;

  it('asks for the address as it is, with a name, and is content with any status of success', async () => {
    const asked: IncomingMessage[] = [];
    const url = await answering((request, response) => {
      asked.push(request);
      response.writeHead(204).end();
    });
    expect(await sendTo(url, undefined, null)).to.equal(null);
    const { method, url: path, headers } = asked[0] as IncomingMessage;
    expect([method, path]).to.deep.equal(['GET', '/ping/secret-token?status=up']);
    expect(headers['user-agent']).to.match(/^ridethrough\/\d/);
    await sendTo(url.replace('http://', 'http://me:pass%40word@'), undefined, null);
    expect(asked[1]?.headers.authorization).to.equal(
      `Basic ${Buffer.from('me:pass@word').toString('base64')}`,
    );
  });

  it('reads the first of a body alone: one that never ends, comes or is cut off keeps nothing open', async () => {
    const url = await answering((_request, response) => void response.writeHead(200).write('x'));
    expect(await sendTo(url, undefined, null)).to.equal(null);
    const mute = await answering((_request, response) => response.writeHead(200).flushHeaders());
    expect(await sendTo(mute, undefined, null, 50)).to.equal(null);
    const cut = await answering((_request, response) => {
      response.writeHead(200, { 'Content-Length': 9 }).flushHeaders();
      setImmediate(() => response.destroy());
    });
    expect(await sendTo(cut, undefined, null)).to.equal(null);
  });

  const texts: readonly (readonly [string, string | null])[] = [
    ['OK', null],
    ['{"ok":true}', null],
    ['Got it, thanks!', null],
    ['<p>ok</p>', null],
    [
      '\n<!DOCTYPE html>\n<html><title>Log in',
      'it answers with a web page, such as that of a login; correct the address, or let requests to it pass',
    ],
    ['OK (not found)', 'it answers "OK (not found)"; correct the address, or send fewer'],
    ['OK (rate limited)', 'it answers "OK (rate limited)"; correct the address, or send fewer'],
  ];
  for (const [text, fault] of texts)
    it(`${fault === null ? 'was' : 'was not'} taken with 200 and ${JSON.stringify(text)}`, async () => {
      const url = await answering((_request, response) => response.end(text));
      expect(await sendTo(url, undefined, null)).to.equal(fault);
    });

  const statuses: readonly (readonly [number, string])[] = [
    [404, 'it answers with HTTP 404; correct the address'],
    [500, 'it answers with HTTP 500'],
    [429, 'it answers with HTTP 429'],
    [302, 'it answers with HTTP 302, a redirect, which is not followed; correct the address'],
  ];
  for (const [status, fault] of statuses)
    it(`was not taken with the status ${String(status)}`, async () => {
      let asked = 0;
      const url = await answering((_request, response) => {
        asked += 1;
        response.writeHead(status, { Location: '/elsewhere' }).end();
      });
      expect([await sendTo(url, undefined, null), asked]).to.deep.equal([fault, 1]);
    });

  it('was not taken by one that hangs, closes, speaks no HTTP or is not there, and names no part of the address', async () => {
    const hanging = await answering(() => undefined);
    expect(await sendTo(hanging, undefined, null, 50)).to.equal('it does not answer within 0.05 s');
    const closing = await answering((request) => request.socket.destroy());
    expect(await sendTo(closing, undefined, null)).to.equal('it closed the connection');
    const mute = await listening(createTcpServer((socket) => socket.end('220 mail.example\r\n')) as never);
    expect(await sendTo(`http://${mute}/secret-token`, undefined, null)).to.match(
      /^the request failed \(HPE_\w+\)$/,
    );
    const gone = await answering(() => undefined);
    servers.splice(0).forEach((server) => server.close());
    expect(await sendTo(gone, undefined, null)).to.equal('nothing listens at this address');
  });

  it('trusts the authorities of this system, and no other', async () => {
    const { certPem, keyPem } = await makeCertificate();
    const server = createTlsServer({ cert: certPem, key: keyPem }, (_request, response) => response.end());
    const url = `https://${await listening(server)}/secret-token`;
    expect(await sendTo(url, certPem, null)).to.equal(null);
    expect(await sendTo(url, undefined, null)).to.match(/^the request failed \(\w*CERT\w*\)$/);
  });
});
