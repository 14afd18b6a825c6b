import { expect } from 'chai';
import { TrustedProxies } from '../../../../workers/api/http/trusted-proxies.js';

const proxies = (...listed: string[]): TrustedProxies => new TrustedProxies(() => listed);
const headers = (...values: string[]): string[] => values.flatMap((value) => ['X-Forwarded-For', value]);

describe('the address that a proxy forwards', () => {
  const trusted = proxies('127.0.0.1', '10.0.0.0/8', 'fd00::/8');

  it('counts only from a trusted peer', () => {
    expect(trusted.forwardedFor('192.0.2.7', headers('203.0.113.9'))).to.equal(null);
    expect(trusted.forwardedFor('10.255.0.1', headers('203.0.113.9'))).to.equal('203.0.113.9');
    expect(trusted.forwardedFor('fd12::1', headers('2001:db8::9'))).to.equal('2001:db8::9');
    expect(proxies('fe80::/10').forwardedFor('fe80::1%eth0', headers('203.0.113.9'))).to.equal('203.0.113.9');
    expect(trusted.forwardedFor('local', headers('203.0.113.9'))).to.equal(null);
    expect(proxies().forwardedFor('127.0.0.1', headers('203.0.113.9'))).to.equal(null);
    expect(trusted.forwardedFor('127.0.0.1', [])).to.equal(null);
  });

  const chains: readonly (readonly [string, string[], string | null])[] = [
    ['what the client wrote before it does not', ['198.51.100.1, 203.0.113.9'], '203.0.113.9'],
    ['the proxies in between do not', ['198.51.100.1, 203.0.113.9, 10.0.0.3, 10.0.0.2'], '203.0.113.9'],
    ['two headers are one list', ['198.51.100.1', '203.0.113.9'], '203.0.113.9'],
    ['a client among the proxies is the first of them', ['10.0.0.9, 10.0.0.3'], '10.0.0.9'],
    ['an IPv4 address of an IPv6 socket is one', ['::ffff:203.0.113.9'], '203.0.113.9'],
    ['text is none', ['unknown'], null],
    ['text ends the list', ['198.51.100.1, <script>, 10.0.0.3'], '10.0.0.3'],
    ['a zone may hold any text and is none', ['fe80::1%a: ok'], null],
    ['a port is left out', ['203.0.113.9:1234'], '203.0.113.9'],
    ['and that of a proxy', ['203.0.113.9:51234, 10.0.0.3:80'], '203.0.113.9'],
    ['brackets are left out', ['[2001:db8::9]'], '2001:db8::9'],
    ['and the port behind them', ['[2001:db8::9]:51234'], '2001:db8::9'],
    ['and an IPv4 address in them', ['[::ffff:203.0.113.9]:51234'], '203.0.113.9'],
    ['an IPv6 address without them has no port', ['2001:db8::9:1234'], '2001:db8::9:1234'],
    ['a port that is none makes it text', ['203.0.113.9:http'], null],
    ['half a bracket makes it text', ['[2001:db8::9'], null],
    ['the zone of a link is left out', ['fe80::1%eth0'], 'fe80::1'],
    ['and in brackets', ['[fe80::1%br-lan.2]:51234'], 'fe80::1'],
    ['a zone in brackets is none', ['[fe80::1%a: ok]:1'], null],
    ['an empty list is none', [' , '], null],
    ['a list of 16 kB is read', [`${'1.1.1.1,'.repeat(2000)}203.0.113.9`], '203.0.113.9'],
  ];
  for (const [what, values, found] of chains)
    it(`is the last that is no proxy's: ${what}`, () => {
      expect(trusted.forwardedFor('127.0.0.1', headers(...values))).to.equal(found);
    });

  it('follows a changed list', () => {
    let listed: readonly string[] = ['127.0.0.1'];
    const changing = new TrustedProxies(() => listed);
    expect(changing.forwardedFor('127.0.0.1', headers('203.0.113.9'))).to.equal('203.0.113.9');
    listed = ['10.0.0.0/8'];
    expect(changing.forwardedFor('127.0.0.1', headers('203.0.113.9'))).to.equal(null);
  });
});
