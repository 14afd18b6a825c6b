import { expect } from 'chai';
import type { LookupAddress } from 'node:dns';
import { ServerAddress } from '../../../../workers/poller/wire/address.js';
import { Deadline } from '../../../../workers/poller/wire/deadline.js';

/** A resolver that counts its queries and answers on command. */
class Resolver {
  lookups = 0;
  #settle: { found: (addresses: LookupAddress[]) => void; lost: (error: Error) => void } | undefined;

  readonly lookup = (): Promise<LookupAddress[]> => {
    this.lookups += 1;
    return new Promise((found, lost) => (this.#settle = { found, lost }));
  };

  async find(address: string): Promise<void> {
    this.#settle?.found([{ address, family: 4 }]);
    await new Promise((resolve) => setImmediate(resolve));
  }

  async fail(code: string): Promise<void> {
    this.#settle?.lost(Object.assign(new Error(code), { code }));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('the resolved address of a NUT server', () => {
  const at = (address: string) => ({ ok: true, value: [{ address, family: 4 }] });

  it('needs no resolver for a literal', async () => {
    const resolver = new Resolver();
    const address = new ServerAddress('127.0.0.1', resolver.lookup);
    expect(await address.find(new Deadline(10))).to.deep.equal(at('127.0.0.1'));
    expect(resolver.lookups).to.equal(0);
  });

  it('is awaited the first time', async () => {
    const resolver = new Resolver();
    const found = new ServerAddress('nut', resolver.lookup).find(new Deadline(1000));
    await resolver.find('127.0.0.3');
    expect(await found).to.deep.equal(at('127.0.0.3'));
  });

  it('is not awaited afterwards, even if the resolver hangs', async () => {
    const resolver = new Resolver();
    const address = new ServerAddress('nut', resolver.lookup);
    void address.find(new Deadline(1000));
    await resolver.find('127.0.0.3');
    for (let i = 0; i < 3; i += 1) expect(await address.find(new Deadline(0))).to.deep.equal(at('127.0.0.3'));
    expect(resolver.lookups).to.equal(2);
  });

  it('follows a changed name', async () => {
    const resolver = new Resolver();
    const address = new ServerAddress('nut', resolver.lookup);
    void address.find(new Deadline(1000));
    await resolver.find('127.0.0.3');
    void address.find(new Deadline(0));
    await resolver.find('127.0.0.4');
    expect(await address.find(new Deadline(0))).to.deep.equal(at('127.0.0.4'));
  });

  it('is kept when the name no longer resolves', async () => {
    const resolver = new Resolver();
    const address = new ServerAddress('nut', resolver.lookup);
    void address.find(new Deadline(1000));
    await resolver.find('127.0.0.3');
    void address.find(new Deadline(0));
    await resolver.fail('EAI_AGAIN');
    expect(await address.find(new Deadline(0))).to.deep.equal(at('127.0.0.3'));
  });

  it('is SERVER_DOWN when the name does not resolve, TIMEOUT when the resolver does not answer', async () => {
    const resolver = new Resolver();
    const address = new ServerAddress('nut', resolver.lookup);
    expect(await address.find(new Deadline(10))).to.have.nested.property('failure.detail', 'TIMEOUT');
    const second = address.find(new Deadline(1000));
    expect(resolver.lookups).to.equal(1);
    await resolver.fail('ENOTFOUND');
    expect(await second).to.have.nested.property('failure.detail', 'SERVER_DOWN');
  });
});
