import { expect } from 'chai';
import { noProxies, proxiesOf, proxyNamedFor } from '../../../shared/domain/services/outbound-proxies.js';
import { proxyFor } from '../../../shared/runtime/proxy-choice.js';

const both = { ...noProxies, http: 'http://plain.example:3128', https: 'http://secure.example' };

describe('the proxy of a request', () => {
  const exceptions: readonly (readonly [string, string, boolean])[] = [
    ['', 'https://ntfy.example/', true],
    ['*', 'https://ntfy.example/', false],
    ['ntfy.example', 'https://ntfy.example/', false],
    ['NTFY.Example.', 'https://ntfy.example/', false],
    ['example', 'https://ntfy.example/', false],
    ['.example', 'https://ntfy.example/', false],
    ['*.example', 'https://ntfy.example./', false],
    ['fy.example', 'https://ntfy.example/', true],
    ['ntfy.example:443', 'https://ntfy.example/', false],
    ['ntfy.example:8443', 'https://ntfy.example/', true],
    ['a.example, ntfy.example', 'http://ntfy.example/', false],
    ['a.example ntfy.example', 'http://ntfy.example/', false],
    ['198.51.100.0/24', 'http://198.51.100.7/', false],
    ['198.51.100.0/24', 'http://198.51.101.7/', true],
    ['198.51.100.7', 'http://198.51.100.7:8080/', false],
    ['198.51.100.7:80', 'http://198.51.100.7:8080/', true],
    ['2001:db8::/32', 'http://[2001:db8::7]/', false],
    ['[2001:db8::7]:8080', 'http://[2001:db8:0::7]:8080/', false],
    ['[2001:db8::7]', 'http://[2001:db8::8]/', true],
    ['2001:db8::5', 'http://[2001:db8::5]/', false],
    ['2001:DB8:0::5, a.example', 'https://[2001:db8::5]:8443/', false],
    ['2001:db8::443', 'https://[2001:db8::5]/', true],
    ['2001:db8::80', 'http://ntfy.example/', true],
    ['198.51.100.0/99', 'http://198.51.100.7/', true],
    ['198.51.100', 'http://198.51.100.7/', true],
    ['bücher.example', 'https://xn--bcher-kva.example/', false],
    ['https://ntfy.example', 'https://ntfy.example/', false],
    ['https://ntfy.example:8443/', 'https://ntfy.example/', true],
  ];
  for (const [except, url, used] of exceptions)
    it(`is ${used ? 'used' : 'not used'} for ${url} with NO_PROXY ${JSON.stringify(except)}`, () => {
      expect(proxyFor(url, { ...both, except }) !== null).to.equal(used);
    });

  for (const host of [
    'localhost',
    'ups.localhost',
    '127.0.0.9',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.1.1',
    '100.64.0.1',
    '[fd00::1]',
    '[fe80::1]',
    '[::ffff:10.1.2.3]',
  ])
    it(`is used for ${host} only with proxy_private`, () => {
      expect(proxyFor(`http://${host}/`, both)).to.equal(null);
      expect(proxyFor(`http://${host}/`, { ...both, includePrivate: true })).to.not.equal(null);
    });

  for (const host of ['172.32.0.1', '192.169.0.1', '11.0.0.1', '[2001:db8::1]'])
    it(`is used for ${host}, which is public`, () => {
      expect(proxyFor(`http://${host}/`, both)).to.not.equal(null);
    });

  it('is that of the protocol', () => {
    expect(proxyFor('http://a.example/', both)).to.deep.equal({
      variable: 'HTTP_PROXY',
      secure: false,
      host: 'plain.example',
      port: 3128,
      login: null,
    });
    expect(proxyFor('https://a.example/', both)).to.include({ variable: 'HTTPS_PROXY', port: 80 });
    expect(proxyFor('https://a.example/', { ...both, https: null })).to.equal(null);
  });

  it('is read from its variable in each form that programs take', () => {
    const read = (https: string): unknown => proxyNamedFor('https:', { ...noProxies, https });
    expect(read('proxy.example:3128')).to.include({ secure: false, host: 'proxy.example', port: 3128 });
    expect(read('https://proxy.example')).to.include({ secure: true, port: 443 });
    expect(read('http://[2001:db8::1]:3128')).to.include({ host: '2001:db8::1' });
    expect(read('http://me:p%40ss@proxy.example/')).to.deep.include({
      login: { user: 'me', password: 'p@ss' },
    });
    expect(read('http://CORP\\me:pass@proxy.example:3128')).to.deep.include({
      host: 'proxy.example',
      login: { user: 'CORP\\me', password: 'pass' },
    });
    for (const bad of [
      'http://proxy\\example',
      'socks5://proxy.example:1080',
      'http://',
      'http://x:0',
      'http://%zz@x',
      ':::',
      '"http://proxy.example:3128',
      'http://${PROXY_HOST}:3128',
    ])
      expect(read(bad), bad).to.equal('invalid');
  });

  it('is named by the variable in lower case where both are set, and by none that is empty', () => {
    const environment = {
      http_proxy: 'http://low',
      HTTP_PROXY: 'http://up',
      HTTPS_PROXY: ' ',
      no_proxy: 'a',
    };
    expect(proxiesOf(environment, true)).to.deep.equal({
      http: 'http://low',
      https: null,
      except: 'a',
      includePrivate: true,
    });
  });

  it('is named within the quotes that `docker --env-file` keeps', () => {
    const environment = { HTTPS_PROXY: '"http://proxy.example:3128"', HTTP_PROXY: '""', NO_PROXY: "'.lan'" };
    expect(proxiesOf(environment, false)).to.deep.equal({
      http: null,
      https: 'http://proxy.example:3128',
      except: '.lan',
      includePrivate: false,
    });
  });
});
