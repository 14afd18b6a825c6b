import { expect } from 'chai';
import type { LookupAddress } from 'node:dns';
import { ServiceAddresses } from '../../../../workers/notify/services/addresses.js';

type Answer = (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void;
const at = (address: string): LookupAddress[] => [{ address, family: 4 }];
const unknown = (): NodeJS.ErrnoException => Object.assign(new Error('no'), { code: 'ENOTFOUND' });

describe('the resolved addresses of notification services', () => {
  let asked: { readonly host: string; readonly answer: Answer }[];
  let addresses: ServiceAddresses;
  beforeEach(() => {
    asked = [];
    addresses = new ServiceAddresses((host, answer) => asked.push({ host, answer }), 20);
  });

  const found = (host: string): Promise<string> =>
    new Promise((resolve) => {
      addresses.lookup(host, { all: true }, (error, list) => {
        resolve(
          error === null
            ? (list as LookupAddress[]).map(({ address }) => address).join()
            : (error.code ?? ''),
        );
      });
    });

  it('come from the name server', async () => {
    const one = found('ntfy.example');
    asked[0]?.answer(null, [...at('192.0.2.1'), ...at('192.0.2.2')]);
    expect(await one).to.equal('192.0.2.1,192.0.2.2');
  });

  it('are kept when the name server is gone', async () => {
    addresses.keep(['ntfy.example']);
    asked[0]?.answer(null, at('192.0.2.1'));
    const one = found('ntfy.example');
    asked[1]?.answer(unknown(), []);
    expect(await one).to.equal('192.0.2.1');
  });

  it('are kept while the name server does not answer', async () => {
    addresses.keep(['ntfy.example']);
    asked[0]?.answer(null, at('192.0.2.1'));
    expect(await found('ntfy.example')).to.equal('192.0.2.1');
  });

  it('follow the name server', async () => {
    addresses.keep(['ntfy.example']);
    asked[0]?.answer(null, at('192.0.2.1'));
    const one = found('ntfy.example');
    asked[1]?.answer(null, at('192.0.2.9'));
    expect(await one).to.equal('192.0.2.9');
  });

  it('are not guessed', async () => {
    const [one, other] = [found('nobody.example'), found('empty.example')];
    asked[0]?.answer(unknown(), []);
    asked[1]?.answer(null, []);
    expect(await one).to.equal('ENOTFOUND');
    expect(await other).to.equal('ENOTFOUND');
  });

  it('are requested once for simultaneous callers', async () => {
    const all = [found('ntfy.example'), found('ntfy.example'), found('ntfy.example')];
    expect(asked.length).to.equal(1);
    asked[0]?.answer(null, at('192.0.2.1'));
    expect(await Promise.all(all)).to.deep.equal(['192.0.2.1', '192.0.2.1', '192.0.2.1']);
  });

  it('are dropped for a removed service', async () => {
    addresses.keep(['ntfy.example']);
    asked[0]?.answer(null, at('192.0.2.1'));
    addresses.keep([]);
    const one = found('ntfy.example');
    asked[1]?.answer(unknown(), []);
    expect(await one).to.equal('ENOTFOUND');
  });
});
