import { expect } from 'chai';
import { createSecureContext } from 'node:tls';
import { NutClient } from '../../../workers/poller/session/client.js';
import type { TlsSettings } from '../../../workers/poller/wire/tls.js';
import type { Certificate } from '../../fixtures/certificates.js';
import { makeCertificate } from '../../fixtures/certificates.js';
import type { Behaviour, Misbehaving } from '../../fixtures/misbehaving-upsd.js';
import { goodList, misbehavingUpsd, overTls } from '../../fixtures/misbehaving-upsd.js';

const deadlineMs = 20_000;
/** For the handshake that never ends. */
const hastyMs = 1_000;

describe('TLS to a NUT server', () => {
  let ours: Certificate;
  let other: Certificate;
  let server: Misbehaving | undefined;

  before(async () => {
    [ours, other] = await Promise.all([makeCertificate(), makeCertificate()]);
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });

  async function poll(
    behaviour: Behaviour,
    tls: Partial<TlsSettings>,
    host = '127.0.0.1',
    limitMs = deadlineMs,
  ): Promise<string> {
    server = await misbehavingUpsd(behaviour);
    const client = new NutClient({
      host,
      port: server.port,
      ups: 'ups',
      login: null,
      tls: { mode: 'required', caPem: null, pinSha256: null, client: null, ...tls },
      notice: () => undefined,
    });
    const answer = await client.readVariables(limitMs);
    client.close();
    message = answer.ok ? '' : answer.failure.message;
    return answer.ok ? 'OK' : answer.failure.detail;
  }
  /** Of the last poll. */
  let message = '';
  /** A NAS of 2010. */
  const old = (): Behaviour =>
    overTls(
      ours,
      goodList,
      '',
      createSecureContext({
        cert: ours.certPem,
        key: ours.keyPem,
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1',
        ciphers: 'ALL:@SECLEVEL=0',
      }),
    );
  const good = (): Behaviour => overTls(ours, goodList);

  it('works with a certificate of the configured CA', async () => {
    expect(await poll(good(), { caPem: ours.certPem })).to.equal('OK');
    expect(server?.received).to.deep.equal(['STARTTLS']);
  });

  it('checks the name: an address or a host name in the certificate', async () => {
    expect(await poll(good(), { caPem: ours.certPem }, 'localhost')).to.equal('OK');
  });

  it('works with a pinned certificate, written with or without colons', async () => {
    const colons = (ours.sha256.toUpperCase().match(/../g) ?? []).join(':');
    expect(await poll(good(), { pinSha256: ours.sha256 })).to.equal('OK');
    await server?.stop();
    expect(await poll(good(), { pinSha256: colons, caPem: ours.certPem })).to.equal('OK');
  });

  it('is unverified when it is opportunistic and no CA is configured', async () => {
    expect(await poll(good(), { mode: 'opportunistic' })).to.equal('OK');
    expect(server?.received).to.deep.equal(['STARTTLS']);
  });

  it('of a server with TLS 1.0 alone is enough where nothing is verified', async () => {
    expect(await poll(old(), { mode: 'opportunistic' })).to.equal('OK');
    expect(server?.received).to.deep.equal(['STARTTLS']);
  });

  for (const [what, tls, advice] of [
    ['required', { mode: 'required' }, /speaks TLS 1.2 and 1.3: update the NUT server$/],
    ['verified by a pin', { mode: 'opportunistic', pinSha256: '00' }, /TLS 1.2 and 1.3: .* nut.tls = "off"/],
  ] as const)
    it(`of a server with TLS 1.0 alone fails where it is ${what}, and the message has versions and key`, async () => {
      expect(await poll(old(), tls)).to.equal('TLS_FAILED');
      expect(message).to.match(advice);
    });

  for (const mode of ['required', 'opportunistic'] as const) {
    it(`fails with an unknown CA when ${mode}`, async () => {
      expect(await poll(good(), { mode, caPem: other.certPem })).to.equal('TLS_FAILED');
    });

    it(`fails with another certificate than the pinned one when ${mode}`, async () => {
      expect(await poll(good(), { mode, pinSha256: other.sha256 })).to.equal('TLS_FAILED');
    });

    it(`fails on garbage in place of a handshake when ${mode}`, async () => {
      const rubbish: Behaviour = (_line, socket) => {
        socket.removeAllListeners('data');
        socket.once('data', () => socket.write('rubbish, not a handshake\n'.repeat(20)));
        socket.write('OK STARTTLS\n');
      };
      expect(await poll(rubbish, { mode })).to.equal('TLS_FAILED');
    });

    it(`rejects plain text that came before the handshake when ${mode}`, async () => {
      const list = 'BEGIN LIST VAR ups\nVAR ups ups.status "OB LB"\nEND LIST VAR ups\n';
      expect(await poll(overTls(ours, goodList, list), { mode, caPem: ours.certPem })).to.equal('TLS_FAILED');
      await server?.stop();
      expect(await poll(overTls(ours, goodList, 'x'), { mode, caPem: ours.certPem })).to.equal('TLS_FAILED');
    });

    it(`fails when the server closes after the handshake and when ${mode}`, async () => {
      const hangUp = overTls(ours, (_line, socket) => void socket.destroy());
      expect(await poll(hangUp, { mode, caPem: ours.certPem })).to.equal('TLS_FAILED');
    });

    it(`times out when the handshake never ends and when ${mode}`, async () => {
      const silent: Behaviour = (line, socket) => void (line === 'STARTTLS' && socket.write('OK STARTTLS\n'));
      expect(await poll(silent, { mode }, '127.0.0.1', hastyMs)).to.equal('TIMEOUT');
    });

    it(`fails on an answer that neither accepts nor rejects STARTTLS when ${mode}`, async () => {
      const tls = { mode, caPem: ours.certPem };
      expect(await poll((_line, socket) => void socket.write('OK\n'), tls)).to.equal('TLS_FAILED');
      expect(message).to.contain(
        'answered STARTTLS with "OK", neither OK STARTTLS nor an ERR; the daemon wants TLS 1.2',
      );
    });
  }

  it('never falls back to plain text when required', async () => {
    expect(await poll(goodList, {})).to.equal('TLS_FAILED');
    expect(server?.received).to.deep.equal(['STARTTLS']);
  });

  for (const trusts of ['a CA', 'a pin'] as const) {
    it(`falls back to plain text with ${trusts}, too, when opportunistic`, async () => {
      const authority = trusts === 'a CA' ? { caPem: ours.certPem } : { pinSha256: ours.sha256 };
      expect(await poll(goodList, { mode: 'opportunistic', ...authority })).to.equal('OK');
    });
  }

  it('fails with a self-signed certificate when required without a configured CA', async () => {
    expect(await poll(good(), {})).to.equal('TLS_FAILED');
  });

  it('is not requested when off', async () => {
    expect(await poll(goodList, { mode: 'off' })).to.equal('OK');
    expect(server?.received).to.deep.equal(['LIST VAR ups']);
  });

  it('fails with an invalid CA file', async () => {
    expect(await poll(good(), { caPem: 'not a certificate' })).to.equal('TLS_FAILED');
  });
});
