// A real daemon with a heartbeat, a receiver on loopback, and UPSes that fall silent.
import { expect } from 'chai';
import { createServer } from 'node:http';
import type { Site } from '../../fixtures/dry-run-daemon.js';
import { startSite } from '../../fixtures/dry-run-daemon.js';
import type { LoopbackServer } from '../../fixtures/loopback-server.js';
import { onLoopback } from '../../fixtures/loopback-server.js';
import { descendants } from '../../fixtures/processes.js';
import { ridethrough } from '../../fixtures/ridethrough.js';
import { until } from '../../fixtures/until.js';

describe('the heartbeat of a daemon', () => {
  let receiver: LoopbackServer;
  let site: Site;
  let asked: string[];
  before(async () => {
    asked = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('OK');
    });
    receiver = await onLoopback(server);
    site = await startSite({
      ups: [
        { name: 'office', label: 'Office', local: true },
        { name: 'rack', label: 'Rack' },
      ],
      toml: `[heartbeat]\nurl = "http://127.0.0.1:${String(receiver.port)}/ping/0A1B2C3D4E5F6"\nevery = 10\n`,
    });
  });
  after(async () => {
    await site?.stop();
    await receiver.close();
  });

  it('comes while every UPS is read, ends when one is not, and comes again', async () => {
    const more = (): Promise<number> => {
      const before = asked.length;
      return until(() => asked.length - before);
    };
    await more();
    await more();
    expect(new Set(asked)).to.deep.equal(new Set(['/ping/0A1B2C3D4E5F6']));
    site.upsd.ups('rack').set({ link: 'stale' });
    await until(() => site.daemon.log().includes('no heartbeat is sent: Rack is not read'));
    const count = asked.length;
    site.upsd.ups('rack').set({ link: 'ok' });
    await until(() => asked.length > count);
    await until(() => site.daemon.log().includes('heartbeats are sent again'));
  });

  it('is sent by a process of its own, which is back after it was killed', async () => {
    const own = (): number | undefined =>
      descendants(site.daemon.pid).find(({ command }) => command.includes('heartbeat/worker'))?.pid;
    const pid = own();
    if (pid === undefined) throw new Error('there is no such process');
    process.kill(pid, 'SIGKILL');
    await until(() => own() !== undefined && own() !== pid);
    const count = asked.length;
    await until(() => asked.length > count);
  });

  it('shows its address in no log line, summary or answer', async () => {
    const config = await (await fetch(`${site.url}api/v1/config`)).text();
    expect(config).to.contain('"heartbeat":{"enabled":true,"every":10,"when":"alive"}');
    for (const text of [config, site.daemon.log(), await (await fetch(`${site.url}ready`)).text()])
      expect(text).not.to.contain('0A1B2C3D4E5F6');
    const told = await ridethrough(['validate', '--config', `${site.daemon.directory}/config.toml`]);
    expect(told.out).to.match(/heartbeat +every 10 s, while every UPS is read\n/);
    expect(told.out + told.err).not.to.contain('0A1B2C3D4E5F6');
  });
});
