import { expect } from 'chai';
import { checkHostHeader } from '../../../../workers/api/http/host-header.js';

const allowed = ['ups.example.org', 'Rack-7.Lan.'];

describe('the Host header', () => {
  for (const host of [
    '127.0.0.1',
    '192.0.2.7:9191',
    '[::1]',
    '[2001:db8::1]:80',
    'localhost',
    'LocalHost:9191',
    'localhost.',
    'localhost.:9191',
    'ups.example.org',
    'UPS.Example.ORG.:443',
    'rack-7.lan',
    'localhost:',
    '127.0.0.1:',
    'ups.example.org.:',
    '[::1]:',
    '[fe80::1%25eth0]',
    '[fe80::1%25eth0]:9191',
    '[fe80::1%25eth0]:',
    '[fe80::1%25vlan%2D7.100_a~]',
    '[fe80::1%25250]',
    '[::ffff:127.0.0.1%251]',
    '[FE80::1%25EN0]',
    // As a client writes it that supports RFC 4007 and not RFC 6874.
    '[fe80::1%eth0]',
    '[fe80::1%12]:9191',
    `[fe80::1%25${'x'.repeat(64)}]`,
  ])
    it(`accepts ${host}`, () => expect(checkHostHeader(['Host', host], allowed)).to.deep.equal({ ok: true }));

  for (const host of [
    'evil.example.org',
    'ups.example.org.evil.net',
    'localhost.evil.net',
    '127.0.0.1.evil.net',
    '127.0.0.1.nip.io',
    '256.1.1.1',
    '2130706433',
    'xn--localhost',
  ])
    it(`rejects ${host} and names it`, () =>
      expect(checkHostHeader(['Host', host], allowed)).to.include({
        ok: false,
        fault: 'unlisted',
        sent: host,
      }));

  for (const host of [
    ' ',
    ':',
    ':9191',
    '.:',
    '::1',
    '[::1',
    '[::1]x',
    '[::1].',
    '[127.0.0.1]',
    '[]',
    '[]:',
    '[::1]::',
    '[::1]:-1',
    '[fe80::1%]',
    '[fe80::1%25]',
    '[fe80::1%25]:80',
    '[fe80::1%25eth0',
    '[fe80::1%25eth0%]',
    '[fe80::1%25eth0%2]',
    '[fe80::1%25eth0%zz]',
    '[fe80::1%25eth/0]',
    '[fe80::1%25eth 0]',
    '[fe80::1%25eth0@evil.example]',
    '[fe80::1%25a]b]',
    '[fe80::1%25[::1]]',
    '[%25eth0]',
    '[evil.example%25eth0]',
    '[127.0.0.1%25eth0]',
    '[fe80::1::2%25eth0]',
    `[fe80::1%25${'x'.repeat(65)}]`,
    'fe80::1%25eth0',
    'localhost%25eth0',
    '127.0.0.1%25eth0',
    'evil.example%25eth0',
    'localhost:http',
    'localhost:80:80',
    'localhost..',
    'user@localhost',
    'localhost/x',
    'localhost, evil.net',
    'localhost evil.net',
    '\u{131}localhost',
  ])
    it(`rejects ${JSON.stringify(host)} as malformed`, () =>
      expect(checkHostHeader(['Host', host], allowed)).to.include({ ok: false, fault: 'malformed' }));

  it('is required and may not be empty', () => {
    for (const headers of [
      ['Accept', 'host'],
      ['Host', ''],
    ])
      expect(checkHostHeader(headers, allowed)).to.deep.equal({
        ok: false,
        fault: 'missing',
        sent: '',
        reason: 'The request has no Host',
      });
  });

  it('may appear only once, even with the same value', () => {
    const fault = 'doubled';
    expect(checkHostHeader(['Host', 'localhost', 'HOST', 'localhost'], allowed)).to.include({ fault });
    expect(checkHostHeader(['Host', 'localhost', 'Accept', '*/*', 'host', 'evil.net'], allowed)).to.include({
      fault,
    });
  });

  it('is quoted in errors with a limit and without control characters', () => {
    const sent = (host: string) => {
      const verdict = checkHostHeader(['Host', host], allowed);
      return verdict.ok ? '' : verdict.sent;
    };
    expect(sent('a\u001b[2J\u009b2J\n"b')).to.equal('a?[2J?2J?"b');
    expect(sent('x '.repeat(8000))).to.have.length(100);
    expect(sent(`${'x'.repeat(250)}.net`)).to.have.length(100);
  });

  it('is not confused with a header value', () =>
    expect(checkHostHeader(['Accept', 'host', 'Host', 'localhost'], allowed)).to.deep.equal({ ok: true }));
});
