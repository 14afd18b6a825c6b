import { expect } from 'chai';
import type { Lookups } from '../../../workers/ssh/addresses.js';
import { HostAddresses } from '../../../workers/ssh/addresses.js';
import { parseHosts } from '../../../workers/ssh/lookups.js';
import { inTime } from '../../fixtures/in-time.js';

const never = (): Promise<readonly string[]> => new Promise(() => undefined);
const fails = (): Promise<readonly string[]> => Promise.reject(new Error('ENOTFOUND'));
const says = (address: string) => (): Promise<readonly string[]> => Promise.resolve([address]);

/** Waits for all settled promises. */
const turns = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

function setUp(lookups: Partial<Lookups>) {
  const said: string[] = [];
  const say = (message: string): void => void said.push(message);
  const log = { debug: say, info: say, warning: say, error: say };
  const ways: Lookups = {
    system: fails,
    direct: fails,
    hostsFile: () => Promise.resolve(new Map()),
    ...lookups,
  };
  return { addresses: new HostAddresses(ways, log), ways, said };
}

describe('the address of a remote server', () => {
  it('is the literal of the configuration', async () => {
    const { addresses } = setUp({ system: never, direct: never });
    expect(await addresses.find('192.0.2.7', 10)).to.deep.equal(['192.0.2.7']);
    expect(await addresses.find('fe80::1', 10)).to.deep.equal(['fe80::1']);
  });

  it('is the one resolved in advance, immediately, even when the name servers are gone', async () => {
    const { addresses, ways, said } = setUp({ system: says('192.0.2.1') });
    addresses.watch(['nas.lan']);
    expect(await addresses.find('nas.lan', 1_000)).to.deep.equal(['192.0.2.1']);
    ways.system = never;
    ways.direct = never;
    addresses.refresh();
    expect(await addresses.find('nas.lan', 0)).to.deep.equal(['192.0.2.1']);
    expect(said).to.deep.equal([]);
  });

  it('is without a look-up the last good one, and none before the first answer', async () => {
    let lookups = 0;
    const system = () => {
      lookups += 1;
      return Promise.resolve(['192.0.2.1']);
    };
    const { addresses } = setUp({ system });
    expect(addresses.lastAddresses('nas.lan')).to.deep.equal([]);
    expect(addresses.lastAddresses('192.0.2.7')).to.deep.equal(['192.0.2.7']);
    await turns();
    expect(lookups).to.equal(0);
    await addresses.find('nas.lan', 1_000);
    expect([addresses.lastAddresses('nas.lan'), lookups]).to.deep.equal([['192.0.2.1'], 1]);
  });

  it('is missing after a failed lookup, and known after a successful retry', async () => {
    let answer = fails;
    const { addresses } = setUp({ system: () => answer() });
    let answers = 0;
    addresses.onAnswer = () => (answers += 1);
    addresses.watch(['nas.lan']);
    expect(addresses.isKnown('nas.lan')).to.equal(undefined);
    expect(addresses.isKnown('192.0.2.7')).to.equal(true);
    await addresses.find('nas.lan', 1_000);
    expect(addresses.isKnown('nas.lan')).to.equal(false);
    answer = says('192.0.2.1');
    addresses.retry();
    await addresses.find('nas.lan', 1_000);
    expect([addresses.isKnown('nas.lan'), answers]).to.deep.equal([true, 2]);
    // A retry does not look up a name with an address, which it keeps across failures.
    answer = fails;
    addresses.retry();
    addresses.refresh();
    await turns();
    expect(addresses.isKnown('nas.lan')).to.equal(true);
  });

  it('is kept across failures, which are logged once', async () => {
    const { addresses, ways, said } = setUp({ system: says('192.0.2.1') });
    addresses.watch(['nas.lan']);
    await addresses.find('nas.lan', 1_000);
    ways.system = fails;
    for (let i = 0; i < 3; i += 1) {
      addresses.refresh();
      await turns();
    }
    expect(await addresses.find('nas.lan', 0)).to.deep.equal(['192.0.2.1']);
    expect(said).to.deep.equal([
      'the name nas.lan does not resolve any more; its last address 192.0.2.1 is used',
    ]);
  });

  it('follows a changed name', async () => {
    const { addresses, ways } = setUp({ system: says('192.0.2.1') });
    addresses.watch(['nas.lan']);
    await addresses.find('nas.lan', 1_000);
    ways.system = says('192.0.2.2');
    addresses.refresh();
    await turns();
    expect(await addresses.find('nas.lan', 0)).to.deep.equal(['192.0.2.2']);
  });

  it('comes from the hosts file first', async () => {
    const hosts = parseHosts(
      '127.0.0.1 localhost\n192.0.2.9  NAS.lan nas # the old one\n#192.0.2.8 nas.lan\n',
    );
    const { addresses } = setUp({
      system: never,
      direct: says('192.0.2.1'),
      hostsFile: () => Promise.resolve(hosts),
    });
    expect(await addresses.find('nas.lan', 1_000)).to.deep.equal(['192.0.2.9']);
  });

  it('is missing when the name servers do not answer, within its time limit', async () => {
    const { addresses } = setUp({ system: never, direct: never });
    expect(await inTime(1_000, addresses.find('nas.lan', 50))).to.deep.equal([]);
  });

  it('comes from DNS directly when the system resolver hangs, so that no name blocks another', async () => {
    const { addresses } = setUp({
      system: never,
      direct: (name) => (name === 'nas.lan' ? Promise.resolve(['192.0.2.1']) : never()),
    });
    addresses.watch(['dead-1.lan', 'dead-2.lan', 'dead-3.lan', 'nas.lan']);
    expect(await addresses.find('nas.lan', 5_000)).to.deep.equal(['192.0.2.1']);
  });

  it('uses the system resolver for two names at once, within the thread pool', async () => {
    const asked: string[] = [];
    const { addresses } = setUp({
      system: (name) => {
        asked.push(name);
        return asked.length <= 2 ? never() : Promise.resolve(['192.0.2.1']);
      },
    });
    addresses.watch(['a.lan', 'b.lan', 'c.lan']);
    await turns();
    expect(asked).to.deep.equal(['a.lan', 'b.lan']);
  });
});
