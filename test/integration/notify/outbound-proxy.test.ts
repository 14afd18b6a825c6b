// Requests through a proxy: ours, which also misbehaves, and the real tinyproxy, which asks for a login.
import { expect } from 'chai';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { OutboundProxies } from '../../../shared/domain/services/outbound-proxies.js';
import { proxyFor } from '../../../shared/runtime/proxy-choice.js';
import { sendTo } from '../../../workers/heartbeat/send.js';
import type { Certificate } from '../../fixtures/certificates.js';
import { makeCertificate } from '../../fixtures/certificates.js';
import { heldPort } from '../../fixtures/held-port.js';
import { closeServers, onLoopback } from '../../fixtures/loopback-server.js';
import { skipFor } from '../../fixtures/skip.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { until } from '../../fixtures/until.js';
import { deliver, verdict } from './delivering.js';
import { startForwardProxy } from './forward-proxy.js';
import { fine, startHttp, startRaw } from './http-server.js';

const through = (port: number, more: Partial<OutboundProxies> = {}, login = ''): OutboundProxies => {
  const url = `http://${login}127.0.0.1:${String(port)}`;
  return { http: url, https: url, except: '', includePrivate: false, ...more };
};

describe('a request through a proxy', () => {
  let certificate: Certificate;
  before(async () => {
    certificate = await makeCertificate();
  });
  afterEach(closeServers);

  it('reaches an http:// service that only the proxy can find, with its own login and that of the proxy', async () => {
    const far = await startHttp(fine);
    const proxy = await startForwardProxy(far.port);
    const proxies = through(proxy.port, {}, 'me:p%40ss@');
    const outcome = await deliver('webhook+http://u:p@hooks.invalid/ups?a=b', { proxies });
    expect(verdict(outcome)).to.equal('delivered');
    expect(proxy.asked).to.deep.equal(['POST http://hooks.invalid/ups?a=b']);
    expect(proxy.logins).to.deep.equal([`Basic ${btoa('me:p@ss')}`]);
    expect(far.received[0]).to.have.property('path', '/ups?a=b');
    expect(far.received[0]?.headers).to.include({
      host: 'hooks.invalid',
      authorization: `Basic ${btoa('u:p')}`,
    });
  });

  it('is encrypted to an https:// service, and shows the proxy its name alone', async () => {
    const far = await startHttp(fine, certificate);
    const proxy = await startForwardProxy(far.port);
    const proxies = through(proxy.port, { includePrivate: true }, 'me:pass@');
    const outcome = await deliver('ntfys://localhost:8443/alarms', { ca: certificate.certPem, proxies });
    expect(verdict(outcome)).to.equal('delivered');
    expect(proxy.asked).to.deep.equal(['CONNECT localhost:8443']);
    expect(proxy.logins).to.deep.equal([`Basic ${btoa('me:pass')}`]);
    expect(far.received[0]?.headers['proxy-authorization']).to.equal(undefined);
    await until(proxy.connections, (count) => count === 0);
  });

  it('trusts no other server behind the proxy', async () => {
    const far = await startHttp(fine, certificate);
    const proxy = await startForwardProxy(far.port);
    const proxies = through(proxy.port);
    const outcome = await deliver('ntfys://ntfy.invalid/alarms', { ca: certificate.certPem, proxies });
    expect(verdict(outcome)).to.equal('TLS_FAILED');
    expect(far.received).to.deep.equal([]);
  });

  it('reaches a proxy over TLS', async () => {
    const far = await startHttp(fine);
    const proxy = await startForwardProxy(far.port, { certificate });
    const proxies = through(proxy.port, { http: `https://localhost:${String(proxy.port)}` });
    const outcome = await deliver('webhook+http://hooks.invalid/', { ca: certificate.certPem, proxies });
    expect(verdict(outcome)).to.equal('delivered');
  });

  it('goes directly to this machine and to what NO_PROXY names', async () => {
    const far = await startHttp(fine);
    const proxy = await startForwardProxy(far.port);
    const url = `gotify://localhost:${String(far.port)}/tok`;
    expect(verdict(await deliver(url, { proxies: through(proxy.port) }))).to.equal('delivered');
    const excepted = through(proxy.port, { includePrivate: true, except: 'localhost' });
    expect(verdict(await deliver(url, { proxies: excepted }))).to.equal('delivered');
    expect([far.received.length, proxy.accepted()]).to.deep.equal([2, 0]);
  });

  for (const secure of [true, false]) {
    const url = secure ? 'ntfys://ntfy.invalid/S3cr3t' : 'webhook+http://hooks.invalid/S3cr3t';
    const variable = secure ? 'HTTPS_PROXY' : 'HTTP_PROXY';
    const said = async (port: number): Promise<string> =>
      JSON.stringify(await deliver(url, { proxies: through(port, {}, 'me:S3cr3t@') }));

    it(`says that the proxy of ${variable} refuses, or is not there`, async () => {
      const refusing = await startForwardProxy(0, { refusesWith: 407 });
      expect(await said(refusing.port))
        .to.include(`the proxy of ${variable} refuses its login (HTTP 407)`)
        .and.not.include('S3cr3t');
      await refusing.close();
      expect(await said(refusing.port)).to.include(`the proxy of ${variable} cannot be used (ECONNREFUSED)`);
      const mute = await startRaw((socket) => socket.end('220 mail.example\r\n'));
      expect(await said(mute.port)).to.include(`the proxy of ${variable} cannot be used (HPE_`);
    });

    it(`is given up when the proxy of ${variable} hangs`, async () => {
      const proxy = await startForwardProxy(0, { hangs: true });
      const outcome = await deliver(url, { proxies: through(proxy.port), withinMs: 200 });
      expect(verdict(outcome)).to.equal('given up');
      await until(proxy.connections, (count) => count === 0);
    });
  }

  it('says that the proxy does not connect', async () => {
    const proxy = await startForwardProxy(0, { refusesWith: 403 });
    const outcome = await deliver('ntfys://ntfy.invalid/a', { proxies: through(proxy.port) });
    expect(JSON.stringify(outcome)).to.include('does not connect to the server of this address (HTTP 403)');
  });

  it('is that of a heartbeat too', async () => {
    const far = await onLoopback(createServer((_request, response) => response.end()));
    const proxy = await startForwardProxy(far.port);
    const beat = (url: string, proxies = through(proxy.port)): Promise<string | null> =>
      sendTo(url, undefined, proxyFor(url, proxies));
    expect(await beat('http://u:p@hc.invalid/1?x=y')).to.equal(null);
    expect(proxy.asked).to.deep.equal(['GET http://hc.invalid/1?x=y']);
    const refusing = through((await startForwardProxy(0, { refusesWith: 502 })).port);
    expect(await beat('https://hc.invalid/1', refusing)).to.include(
      'the proxy of HTTPS_PROXY does not connect',
    );
  });

  describe('of the real tinyproxy', () => {
    let port: number;
    let ended: Promise<unknown> | undefined;
    let stop: () => void = () => undefined;
    before(async function () {
      const there = spawnSync('tinyproxy', ['-v']).status === 0;
      skipFor(this, !there && 'there is no tinyproxy (Debian package tinyproxy-bin)');
      port = await heldPort();
      const file = join(temporaryFolder(), 'tinyproxy.conf');
      const lines = [`Port ${String(port)}`, 'Listen 127.0.0.1', 'BasicAuth me password1', 'MaxClients 10'];
      writeFileSync(file, `${lines.join('\n')}\n`);
      const child = spawn('tinyproxy', ['-d', '-c', file], { stdio: 'ignore' });
      ended = once(child, 'exit');
      stop = () => void child.kill('SIGTERM');
      await until(() => accepts(port));
    });
    after(async () => {
      stop();
      await ended;
    });

    it('takes messages for http:// and https://, and its refusal of a login is named', async () => {
      const plain = await startHttp(fine);
      const secure = await startHttp(fine, certificate);
      const proxies = through(port, { includePrivate: true }, 'me:password1@');
      const options = { ca: certificate.certPem, proxies };
      const hook = `webhook+http://127.0.0.1:${String(plain.port)}/hook`;
      expect(verdict(await deliver(hook, options))).to.equal('delivered');
      expect(verdict(await deliver(`ntfys://localhost:${String(secure.port)}/a`, options))).to.equal(
        'delivered',
      );
      expect([plain.received.length, secure.received.length]).to.deep.equal([1, 1]);
      const wrong = through(port, { includePrivate: true }, 'me:wrong@');
      const refused = await deliver(`ntfys://localhost:${String(secure.port)}/a`, { proxies: wrong });
      expect(refused)
        .to.have.nested.property('fault.message')
        .that.includes('the proxy of HTTPS_PROXY refuses its login (HTTP 401)');
      expect(plain.received.length).to.equal(1);
    });
  });
});

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
