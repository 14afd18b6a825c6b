import { expect } from 'chai';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import type { AddressBody } from '../../../shared/http/bodies.js';
import type { ApiUnderTest } from './fixture.js';
import { publishedApi, startedApi } from './fixture.js';
import { Held, ask } from './raw.js';

function occupied(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => resolve(server));
  });
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const closed = (server: Server): Promise<unknown> => new Promise((resolve) => server.close(resolve));

describe('a changed configuration of the API', () => {
  let api: ApiUnderTest;
  beforeEach(async () => {
    api = await publishedApi();
  });
  afterEach(() => api.end());

  it('moves to another port and keeps the control socket and its connections', async () => {
    const local = new Held({ path: api.socket });
    const status = 'GET /control/v1/status HTTP/1.1\r\n\r\n';
    local.socket.write(status);
    await local.until((text) => text.endsWith('}'));
    const moved = api.nextListening();
    api.body.reconfigure({ ...api.settings, listen: { bind: '127.0.0.2', port: 0 } });
    const { address, error } = await moved;
    expect(error).to.equal(null);
    const [bind, port] = address.split(':');
    expect(bind).to.equal('127.0.0.2');
    const answer = await fetch(`http://127.0.0.2:${port ?? ''}/health`);
    expect(answer.status).to.equal(200);
    const refused = await ask(api, '/health').then(
      () => 'answered',
      (cause: NodeJS.ErrnoException) => cause.code,
    );
    expect(refused).to.equal('ECONNREFUSED');
    local.received = '';
    local.socket.write(status);
    await local.until((text) => text.endsWith('}'));
    local.socket.destroy();
  });

  it('reopens the same port on another address', async () => {
    const moved = api.nextListening();
    api.body.reconfigure({ ...api.settings, listen: { bind: '0.0.0.0', port: api.port } });
    expect(await moved).to.deep.equal({ address: `0.0.0.0:${String(api.port)}`, error: null });
    expect((await ask(api, '/health')).status).to.equal(200);
    const told = api.log.filter(({ level }) => level === 'warning').map(({ message }) => message);
    expect(told.join()).to.contain('cleartext');
  });

  it('lets a running request finish', async () => {
    await api.end();
    let answer: () => void = () => undefined;
    const later = new Promise<void>((resolve) => (answer = resolve));
    api = await publishedApi({
      limits: { drainMs: 10_000 },
      ask: () => later.then(() => ({ ok: true, value: { readings: {} } })),
    });
    const held = new Held(api);
    held.socket.write('GET /api/v1/ups/office-127.0.0.1/readings HTTP/1.1\r\nHost: localhost\r\n\r\n');
    while (api.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const moved = api.nextListening();
    api.body.reconfigure({ ...api.settings, listen: { bind: '127.0.0.2', port: 0 } });
    await moved;
    answer();
    await held.until((text) => text.includes(' 200 '));
    held.socket.destroy();
  });

  it('closes the port when the API is switched off', async () => {
    api.body.reconfigure({ ...api.settings, listen: null });
    const refused = async () =>
      ask(api, '/health').then(
        () => false,
        () => true,
      );
    while (!(await refused()));
    expect((await ask({ path: api.socket }, '/control/v1/status')).status).to.equal(200);
  });

  it('accepts a new Host name immediately', async () => {
    const asNew = () => ask(api, '/health', { headers: 'Host: new.example.org\r\n' });
    expect((await asNew()).status).to.equal(421);
    api.body.reconfigure({ ...api.settings, allowedHosts: ['new.example.org'] });
    expect((await asNew()).status).to.equal(200);
  });
});

describe('the address of the API on the control socket', () => {
  const shown = async ({ socket }: ApiUnderTest) =>
    (JSON.parse((await ask({ path: socket }, '/control/v1/address')).body) as AddressBody).address;

  it('has the port that the system chose, as the log, and follows a move', async () => {
    const api = await startedApi();
    expect(api.port).to.be.greaterThan(0);
    expect(await shown(api))
      .to.equal(`127.0.0.1:${String(api.port)}`)
      .and.to.equal(api.listening[0]?.address);
    const moved = api.nextListening();
    api.body.reconfigure({ ...api.settings, listen: { bind: '127.0.0.2', port: 0 } });
    const { address } = await moved;
    expect(await shown(api)).to.equal(address);
    await api.end();
  });

  it('is null while the API listens nowhere', async () => {
    const off = await startedApi({ settings: { listen: null } });
    expect(await shown(off)).to.equal(null);
    await off.end();
    const other = await occupied();
    const waiting = await startedApi({ settings: { listen: { bind: '127.0.0.1', port: portOf(other) } } });
    expect(await shown(waiting)).to.equal(null);
    await waiting.end();
    await closed(other);
  });
});

describe('a port of the API that is taken', () => {
  it('is logged once, with the remedy, and retried', async () => {
    const other = await occupied();
    const port = portOf(other);
    const api = await startedApi({
      settings: { listen: { bind: '127.0.0.1', port } },
      limits: { reopenMs: 5 },
    });
    expect(api.listening).to.have.length(1);
    expect(api.listening[0]?.error).to.contain('another program listens on it').and.to.contain('api.port');
    expect((await ask({ path: api.socket }, '/control/v1/ready')).status).to.equal(503);
    const open = api.nextListening();
    await closed(other);
    expect(await open).to.deep.equal({ address: `127.0.0.1:${String(port)}`, error: null });
    expect((await ask({ port }, '/health')).status).to.equal(200);
    await api.end();
  });

  it('is abandoned when another one is configured', async () => {
    const other = await occupied();
    const settings = { listen: { bind: '127.0.0.1', port: portOf(other) } };
    const api = await startedApi({ settings, limits: { reopenMs: 5 } });
    const open = api.nextListening();
    api.body.reconfigure({ ...api.settings, listen: { bind: '127.0.0.1', port: 0 } });
    expect(await open).to.have.property('error', null);
    await closed(other);
    await api.end();
  });
});
