import { expect } from 'chai';
import type { LookRound } from '../../../shared/protocol/remote.js';
import { maxWitnessedLinks } from '../../../shared/protocol/remote.js';
import type { Asked, TryEnd } from '../../../workers/remote/off/attempt.js';
import type { AskedServer } from '../../../workers/remote/looks.js';
import { lookAt } from '../../../workers/remote/looks.js';
import { FakeTime } from '../../fixtures/fake-time.js';

const check = { method: 'tcp', port: 22, settleMs: 10_000, timeoutMs: 120_000, order: 'office/1' } as const;

/** A network on a fake clock: by address, the interface over which it is reached, and how it ends when asked. */
class Site {
  readonly time = new FakeTime();
  readonly asked: string[] = [];
  readonly own = new Map<string, string | null>();
  readonly ends = new Map<string, TryEnd>();
  readonly gateways = new Map<string, readonly string[]>();
  /** By own address. */
  links = new Map([
    ['192.0.2.1', 'eth0'],
    ['198.51.100.1', 'eth1'],
  ]);
  underWay = 0;
  most = 0;

  async look(
    servers: readonly AskedServer[],
    withinMs = 5_000,
  ): Promise<LookRound & { readonly ms: number }> {
    const beganMs = this.time.monotonicMs();
    let ended = false;
    const round = lookAt(servers, withinMs, {
      attempt: (asked, settle) => this.attempt(asked, settle),
      links: () => this.links,
      gateways: (link) => this.gateways.get(link) ?? [],
      ownAddressTo: (address) => Promise.resolve(this.own.get(address) ?? null),
      nowMs: () => this.time.monotonicMs(),
      setTimer: this.time.setTimer,
    }).finally(() => (ended = true));
    for (await this.time.pass(0); !ended;) await this.time.pass(100);
    return { ...(await round), ms: this.time.monotonicMs() - beganMs };
  }

  attempt = ({ method, address, port }: Asked, settle: (end: TryEnd) => void): (() => void) => {
    this.asked.push(`${method} ${address} ${String(port)}`);
    const end = this.ends.get(address) ?? 'silence';
    this.underWay += 1;
    this.most = Math.max(this.most, this.underWay);
    if (end === 'silence') return () => (this.underWay -= 1);
    this.underWay -= 1;
    settle(end);
    return () => undefined;
  };

  server(server: string, ...addresses: readonly string[]): AskedServer {
    for (const address of addresses) if (!this.own.has(address)) this.own.set(address, '192.0.2.1');
    return { server, check, addresses };
  }
}

describe('a look', () => {
  it('is silent after a second without an answer', async () => {
    const site = new Site();
    const { looks, ms } = await site.look([site.server('nas', '192.0.2.20')]);
    expect(looks).to.deep.equal([{ server: 'nas', end: 'silence', link: 'eth0' }]);
    expect(ms).to.be.within(1_000, 1_100);
    expect([site.underWay, site.time.pendingTimers], 'it was abandoned').to.deep.equal([0, 0]);
  });

  it('is a fault where silence came late by this process', async () => {
    for (const [lateMs, end] of [
      [250, 'silence'],
      [251, 'fault'],
    ] as const) {
      const site = new Site();
      site.attempt = () => {
        site.time.advance(lateMs);
        return () => undefined;
      };
      const setTimerLate = site.time.setTimer;
      Object.assign(site.time, {
        setTimer: (ms: number, then: () => void) => setTimerLate(ms === 0 ? 0 : ms + lateMs, then),
      });
      const { looks } = await site.look([site.server('nas', '192.0.2.20')]);
      expect(looks[0]?.end, String(lateMs)).to.equal(end);
    }
  });

  it('is answered by what arrives in the turn in which its second ends', async () => {
    const site = new Site();
    site.attempt = (_asked, settle) => {
      site.time.setTimer(1_000, () => settle('answer'));
      return () => undefined;
    };
    const { looks } = await site.look([site.server('nas', '192.0.2.20')]);
    expect(looks[0]?.end).to.equal('answer');
  });

  it('is a fault when the request throws', async () => {
    const site = new Site();
    site.attempt = () => {
      throw new Error('spawn ENOMEM');
    };
    const { looks } = await site.look([site.server('nas', '192.0.2.20')]);
    expect(looks[0]?.end).to.equal('fault');
    expect(site.time.pendingTimers).to.equal(0);
  });

  it('is a fault without a carrier, or when it is lost meanwhile', async () => {
    const site = new Site();
    site.links.delete('192.0.2.1');
    const nas = site.server('nas', '192.0.2.20');
    expect((await site.look([nas])).looks[0]).to.deep.include({ end: 'fault', link: null });
    site.links.set('192.0.2.1', 'eth0');
    site.attempt = () => {
      site.links.delete('192.0.2.1');
      return () => undefined;
    };
    expect((await site.look([nas])).looks[0]).to.deep.include({ end: 'fault', link: 'eth0' });
  });

  it('asks all addresses of a name, and any that answers is the server', async () => {
    const site = new Site();
    const nas = site.server('nas', '192.0.2.20', '198.51.100.20');
    site.own.set('198.51.100.20', '198.51.100.1');
    site.ends.set('198.51.100.20', 'answer');
    const { looks } = await site.look([nas]);
    expect(looks).to.deep.equal([{ server: 'nas', end: 'answer', link: 'eth1' }]);
    expect(site.asked).to.deep.equal(['tcp 192.0.2.20 22', 'tcp 198.51.100.20 22']);
  });

  it('is silent when all addresses with a route are, without an interface when they have two', async () => {
    const site = new Site();
    const nas = site.server('nas', '192.0.2.20', '2001:db8::20');
    site.own.set('2001:db8::20', null);
    expect((await site.look([nas])).looks[0]).to.deep.include({ end: 'silence', link: 'eth0' });
    site.own.set('2001:db8::20', '198.51.100.1');
    expect((await site.look([nas])).looks[0]).to.deep.include({ end: 'silence', link: null });
    site.ends.set('2001:db8::20', 'fault');
    expect((await site.look([nas])).looks[0]).to.deep.include({ end: 'fault', link: null });
  });

  it('knows the interface of an own address with a scope', async () => {
    const site = new Site();
    const nas = site.server('nas', 'fe80::20%eth1');
    site.links.set('fe80::1', 'eth1');
    site.own.set('fe80::20%eth1', 'fe80::1%eth1');
    expect((await site.look([nas])).looks[0]).to.deep.include({ end: 'silence', link: 'eth1' });
  });

  it('asks at most four addresses of a name', async () => {
    const site = new Site();
    const addresses = [1, 2, 3, 4, 5].map((last) => `192.0.2.${String(last + 20)}`);
    await site.look([site.server('nas', ...addresses)]);
    expect(site.asked).to.have.length(4);
  });
});

describe('a round of looks', () => {
  it('asks the gateways of each interface in use once, at the discard port, before the servers', async () => {
    const site = new Site();
    site.gateways.set('eth0', ['192.0.2.254', '192.0.2.253']);
    site.gateways.set('eth1', ['198.51.100.254']);
    site.gateways.set('eth2', ['203.0.113.254']);
    site.ends.set('192.0.2.253', 'answer');
    const servers = [site.server('nas', '192.0.2.20'), site.server('san', '198.51.100.20')];
    site.own.set('198.51.100.20', '198.51.100.1');
    const { gateways } = await site.look([...servers, site.server('db', '192.0.2.21')]);
    expect(gateways).to.deep.equal([
      { link: 'eth0', answered: true },
      { link: 'eth1', answered: false },
    ]);
    expect(site.asked.slice(0, 3)).to.deep.equal([
      'tcp 192.0.2.254 9',
      'tcp 192.0.2.253 9',
      'tcp 198.51.100.254 9',
    ]);
    expect(site.asked).to.have.length(6);
  });

  it('asks 48 servers side by side, and begins no request that could not end in its time', async () => {
    const site = new Site();
    const servers = Array.from({ length: 200 }, (_, index) =>
      site.server(`s${String(index)}`, `192.0.2.${String(index)}`),
    );
    const { looks, ms } = await site.look(servers, 3_500);
    const ends = looks.map(({ end }) => end);
    expect(site.most).to.equal(48);
    expect(ms).to.be.at.most(3_500);
    expect(ends.filter((end) => end === 'silence')).to.have.length(3 * 48);
    expect(ends.lastIndexOf('silence'), 'in their order').to.equal(3 * 48 - 1);
    expect(ends.filter((end) => end === 'fault')).to.have.length(200 - 3 * 48);
  });

  it('asks nothing in less than the time of one request', async () => {
    const site = new Site();
    site.ends.set('192.0.2.20', 'answer');
    const nas = site.server('nas', '192.0.2.20');
    expect((await site.look([nas], 999)).looks[0]?.end).to.equal('fault');
    expect(site.asked).to.deep.equal([]);
    expect((await site.look([nas], 1_000)).looks[0]?.end).to.equal('answer');
  });

  it('is within the contract also with more interfaces than it names', async () => {
    const site = new Site();
    const servers = Array.from({ length: maxWitnessedLinks + 1 }, (_, index) => {
      const link = `eth${String(index)}`;
      site.links.set(link, link);
      site.gateways.set(link, [`gateway ${link}`]);
      site.ends.set(`gateway ${link}`, 'answer');
      site.own.set(`server ${link}`, link);
      return site.server(link, `server ${link}`);
    });
    const { gateways } = await site.look(servers, 30_000);
    expect(gateways).to.have.length(maxWitnessedLinks);
  });

  it('of no server is empty', async () => {
    expect(await new Site().look([])).to.deep.include({ looks: [], gateways: [] });
  });
});
