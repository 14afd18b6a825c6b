import { expect } from 'chai';
import { once } from 'node:events';
import { fuzzHttp } from '../../fuzz/campaign.js';
import { descendants } from '../../fixtures/processes.js';
import { Held, ask } from '../../workers/api/raw.js';
import type { WholeDaemon } from './whole-daemon.js';
import { startWholeDaemon } from './whole-daemon.js';

const seed = Math.floor(Math.random() * 2 ** 31);
/**
 * The memory limit of the process is 300 MB (supervisor/workers/managed-worker.ts); the garbage of the campaign is a
 * few dozen MB.
 */
const mostGrowthMb = 100;

describe('the API under load from hostile clients', () => {
  let whole: WholeDaemon;
  before(async () => {
    whole = await startWholeDaemon();
  });
  after(() => whole.stop());
  const api = () => descendants(whole.daemon.pid).find(({ command }) => command.includes('workers/api'));

  it('answers /health quickly with 500 silent connections, 100 streams and 100 slow senders open', async () => {
    const { port } = whole;
    const streams = Array.from({ length: 100 }, () => new Held({ port }));
    for (const { socket } of streams) socket.write('GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await Promise.all(streams.map((stream) => stream.until((text) => text.includes('\r\n\r\n'))));
    const statuses = streams.map(({ received }) => Number(received.slice(9, 12)));
    expect(statuses.filter((status) => status === 200)).to.have.length(64);
    expect(statuses.filter((status) => status === 503)).to.have.length(36);
    const silent = Array.from({ length: 500 }, () => new Held({ port }));
    const slow = Array.from({ length: 100 }, () => new Held({ port }));
    for (const [index, { socket }] of slow.entries())
      socket.write(
        index % 2 === 0
          ? 'GET /health HTTP/1.1\r\nHost: loc'
          : `POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{`,
      );
    for (let times = 0; times < 20; times += 1) expect((await ask({ port }, '/health')).status).to.equal(200);
    // The API closes silent connections and not those with a request.
    expect(streams.filter(({ socket }) => !socket.destroyed)).to.have.length.at.least(64);
    for (const { socket } of [...streams, ...silent, ...slow]) socket.destroy();
  });

  it('survives 250 connections that send 1,600 requests each without reading an answer', async () => {
    const { port } = whole;
    const pid = api()?.pid;
    const flood = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1_600);
    const floods = Array.from({ length: 250 }, () => new Held({ port }));
    await Promise.all(floods.map(({ socket }) => once(socket, 'connect')));
    for (const { socket } of floods) socket.write(flood);
    await Promise.all(floods.map(({ closed }) => closed));
    expect((await ask({ port }, '/health')).status).to.equal(200);
    // A worker that was silent for this long would have been killed.
    expect(api()?.pid).to.equal(pid);
    expect(whole.daemon.log()).not.to.match(/lost the (worker|process)/);
  });

  it(`answers 3000 random requests within its specification (seed ${String(seed)})`, async () => {
    const target = { ups: `office@127.0.0.1:${String(whole.upsdPort)}`, key: whole.key };
    const pid = api()?.pid ?? 0;
    const report = await fuzzHttp({ port: whole.port, pid, target, requests: 3_000, seed });
    expect(report.faults).to.deep.equal([]);
    expect(report.healthFailures).to.equal(0);
    expect(report.memory.late - report.memory.early).to.be.lessThan(mostGrowthMb);
    expect(api()?.pid).to.equal(pid);
    expect(whole.daemon.log()).not.to.match(
      /lost the (worker|process)|internal error|could not be sent|bug:/,
    );
  });
});
