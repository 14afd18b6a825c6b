import { expect } from 'chai';
import { judgeHost } from '../../../workers/api/host-header.js';

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
  ])
    it(`lets in ${host}`, () => expect(judgeHost(['Host', host], allowed)).to.deep.equal({ ok: true }));

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
    it(`refuses ${host} and names it`, () =>
      expect(judgeHost(['Host', host], allowed)).to.include({ ok: false, name: host }));

  for (const host of [
    '',
    ' ',
    '::1',
    '[::1',
    '[::1]x',
    '[::1].',
    '[127.0.0.1]',
    '[fe80::1%eth0]',
    'localhost:',
    'localhost:http',
    'localhost:80:80',
    'localhost..',
    'user@localhost',
    'localhost/x',
    'localhost, evil.net',
    'localhost evil.net',
    '\u{131}localhost',
  ])
    it(`refuses ${JSON.stringify(host)} as malformed`, () =>
      expect(judgeHost(['Host', host], allowed)).to.include({ ok: false, name: null }));

  it('refuses a request without one', () =>
    expect(judgeHost(['Accept', 'host'], allowed)).to.deep.equal({
      ok: false,
      name: null,
      reason: 'The request has no Host header',
    }));

  it('refuses two of them, the same ones too', () => {
    expect(judgeHost(['Host', 'localhost', 'HOST', 'localhost'], allowed)).to.include({ ok: false });
    expect(judgeHost(['Host', 'localhost', 'Accept', '*/*', 'host', 'evil.net'], allowed)).to.include({
      ok: false,
    });
  });

  it('takes no header value for a header name', () =>
    expect(judgeHost(['Accept', 'host', 'Host', 'localhost'], allowed)).to.deep.equal({ ok: true }));
});
