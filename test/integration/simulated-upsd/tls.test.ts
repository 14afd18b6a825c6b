import { expect } from 'chai';
import type { Certificate } from '../../fixtures/certificates.js';
import { makeCertificate } from '../../fixtures/certificates.js';
import { rig } from './fixture.js';

describe('STARTTLS of the simulated upsd', () => {
  const { start, client } = rig();
  let tls: Certificate;
  let stranger: Certificate;
  before(async () => {
    [tls, stranger] = await Promise.all([makeCertificate(), makeCertificate()]);
  });

  it('is rejected without a certificate', async () => {
    await start();
    expect(await (await client()).ask('STARTTLS')).to.equal('ERR FEATURE-NOT-CONFIGURED\n');
  });

  it('encrypts the whole protocol', async () => {
    await start({ tls });
    const secure = await client();
    expect(await secure.ask('STARTTLS')).to.equal('OK STARTTLS\n');
    await secure.upgrade(tls.certPem);
    expect(
      await secure.askAll(
        'STARTTLS',
        'USERNAME admin',
        'PASSWORD secret',
        'SET VAR office ups.id "x"',
        'GET VAR office ups.id',
      ),
    ).to.deep.equal(['ERR ALREADY-SSL-MODE\n', 'OK\n', 'OK\n', 'OK\n', 'VAR office ups.id "x"\n']);
    expect(await secure.ask('LIST VAR office')).to.contain('END LIST VAR office\n');
    expect(await secure.ask('LOGOUT')).to.equal('OK Goodbye\n');
    await secure.untilClosed();
  });

  it('discards plain text sent after it', async () => {
    const asked: string[] = [];
    await start({ tls, onQuery: (words) => void asked.push(words.join(' ')) });
    const secure = await client();
    secure.send('USERNAME admin\nSTARTTLS\nPASSWORD secret\nLIST ');
    await secure.untilReceived('OK\nOK STARTTLS\n');
    await secure.upgrade(tls.certPem);
    expect(await secure.ask('PROTVER')).to.equal('1.3\n');
    expect(asked).to.deep.equal(['USERNAME admin', 'STARTTLS', 'PROTVER']);
  });

  it('presents a certificate that another CA does not verify', async () => {
    const upsd = await start({ tls });
    const secure = await client();
    await secure.ask('STARTTLS');
    const refused = await secure.upgrade(stranger.certPem).catch((error: unknown) => String(error));
    expect(refused).to.contain('self-signed certificate');
    await secure.untilClosed();
    expect(await (await client()).ask('PROTVER')).to.equal('1.3\n');
    expect(upsd.connections).to.equal(1);
  });

  it('closes a connection with an invalid handshake', async () => {
    await start({ tls });
    const plain = await client();
    await plain.ask('STARTTLS');
    plain.send('LIST VAR office\n');
    await plain.untilClosed();
    expect(plain.received).not.to.contain('VAR');
  });
});
