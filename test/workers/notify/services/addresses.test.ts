import { expect } from 'chai';
import type { LookupAddress } from 'node:dns';
import { Addresses } from '../../../../workers/notify/services/addresses.js';

type Answer = (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void;
const at = (address: string): LookupAddress[] => [{ address, family: 4 }];
const unknown = (): NodeJS.ErrnoException => Object.assign(new Error('no'), { code: 'ENOTFOUND' });

describe('the addresses of services', () => {
  let asked: { readonly host: string; readonly answer: Answer }[];
  let addresses: Addresses;
  beforeEach(() => {
    asked = [];
    addresses = new Addresses((host, answer) => asked.push({ host, answer }), 20);
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

  it('are those of the name server', async () => {
    const one = found('ntfy.example');
    asked[0]?.answer(null, [...at('192.0.2.1'), ...at('192.0.2.2')]);
    expect(await one).to.equal('192.0.2.1,192.0.2.2');
  });

  it('are remembered when the name server is gone', async () => {
    addresses.keep(['ntfy.example']);
    asked[0]?.answer(null, at('192.0.2.1'));
    const one = found('ntfy.example');
    asked[1]?.answer(unknown(), []);
    expect(await one).to.equal('192.0.2.1');
  });

  it('are remembered while the name server says nothing', async () => {
    addresses.keep(['ntfy.example']);
    asked[0]?.answer(null, at('192.0.2.1'));
    expect(await found('ntfy.example')).to.equal('192.0.2.1');
  });

  it('follow what the name server says', async () => {
    addresses.keep(['ntfy.example']);
    asked[0]?.answer(null, at('192.0.2.1'));
    const one = found('ntfy.example');
    asked[1]?.answer(null, at('192.0.2.9'));
    expect(await one).to.equal('192.0.2.9');
  });

  it('are not made up', async () => {
    const [one, other] = [found('nobody.example'), found('empty.example')];
    asked[0]?.answer(unknown(), []);
    asked[1]?.answer(null, []);
    expect(await one).to.equal('ENOTFOUND');
    expect(await other).to.equal('ENOTFOUND');
  });

  it('are asked for once at a time, however many wait', async () => {
    const all = [found('ntfy.example'), found('ntfy.example'), found('ntfy.example')];
    expect(asked.length).to.equal(1);
    asked[0]?.answer(null, at('192.0.2.1'));
    expect(await Promise.all(all)).to.deep.equal(['192.0.2.1', '192.0.2.1', '192.0.2.1']);
  });

  it('of a service that is gone are forgotten', async () => {
    addresses.keep(['ntfy.example']);
    asked[0]?.answer(null, at('192.0.2.1'));
    addresses.keep([]);
    const one = found('ntfy.example');
    asked[1]?.answer(unknown(), []);
    expect(await one).to.equal('ENOTFOUND');
  });
});
