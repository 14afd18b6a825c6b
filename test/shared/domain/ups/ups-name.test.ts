import { expect } from 'chai';
import fc from 'fast-check';
import { fullUpsName, groupIdOf, parseUpsName, UpsNames } from '../../../../shared/domain/ups/ups-name.js';

describe('the name of a UPS', () => {
  for (const [name, ups, host, port] of [
    ['office', 'office', 'localhost', 3493],
    ['office@nut1', 'office', 'nut1', 3493],
    ['office@nut1.example:1234', 'office', 'nut1.example', 1234],
    ['office@192.0.2.1', 'office', '192.0.2.1', 3493],
    ['office@[2001:db8::1]', 'office', '2001:db8::1', 3493],
    ['office@[fe80::1%eth0.7]:1234', 'office', 'fe80::1%eth0.7', 1234],
    ['office@[::1]:65535', 'office', '::1', 65535],
    ['a.b-c_d@nut', 'a.b-c_d', 'nut', 3493],
  ] as const) {
    it(`reads ${name}`, () => {
      expect(parseUpsName(name)).to.deep.equal({ ups, host, port });
    });
  }

  for (const name of [
    '',
    '@nut',
    'a@',
    'a@b@c',
    'a b@nut',
    'a"b@nut',
    'a\\b@nut',
    'a@nut:',
    'a@nut:0',
    'a@nut:65536',
    'a@nut:123456',
    'a@::1',
    'a@[nut]',
    'a@[fe80::1%]',
    'a@[fe80::1%eth/0]',
    'a@nut%eth0',
    'a@nu t',
    'a@nut/x',
    `${'x'.repeat(129)}@nut`,
  ]) {
    it(`refuses ${JSON.stringify(name.slice(0, 20))}`, () => {
      expect(parseUpsName(name)).to.equal(undefined);
    });
  }

  it('has one full form for all spellings', () => {
    const full = (name: string): string => {
      const address = parseUpsName(name);
      return address === undefined ? '' : fullUpsName(address);
    };
    expect(full('a')).to.equal('a@localhost:3493');
    expect(full('a@LOCALHOST')).to.equal(full('a'));
    expect(full('a@[::1]')).to.equal('a@[::1]:3493');
    expect(full('A')).to.not.equal(full('a'));
    for (const name of ['a', 'a@nut:7', 'a@[::1]']) expect(full(full(name))).to.equal(full(name));
  });

  it('gives an identifier of safe characters with the length of the name', () => {
    expect(groupIdOf('Rack-A@nut.1:3493')).to.equal('Rack-A-nut.1-3493');
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect(groupIdOf(name)).to.match(/^[A-Za-z0-9._-]*$/);
        expect(groupIdOf(name).length).to.equal(name.length);
        expect(groupIdOf(groupIdOf(name))).to.equal(groupIdOf(name));
      }),
    );
  });
});

describe('the names of several UPSes', () => {
  const finds = (
    configured: readonly string[],
    asked: readonly string[],
    meant: string | undefined,
  ): void => {
    const names = new UpsNames(configured);
    for (const name of asked) expect(names.find(name), name).to.equal(meant);
  };

  it('identify each UPS by its spellings and their identifiers', () => {
    const all = ['solo', 'rack@NUT1.lan:3493', 'far@nut2:3500', 'six@[::1]', 'a+b@nut3'];
    const spellings: Record<string, readonly string[]> = {
      solo: ['solo', 'solo@localhost', 'solo@LocalHost:3493', 'solo-localhost', 'solo-localhost-3493'],
      'rack@NUT1.lan:3493': ['rack@nut1.lan', 'rack-NUT1.lan', 'rack-nut1.lan', 'rack-nut1.lan-3493'],
      'far@nut2:3500': ['far@NUT2:3500', 'far-nut2-3500'],
      'six@[::1]': ['six@[::1]:3493', 'six----1-', 'six----1--3493'],
      'a+b@nut3': ['a+b@nut3:3493', 'a-b-nut3', 'a-b-nut3-3493'],
    };
    for (const [name, asked] of Object.entries(spellings)) finds(all, asked, name);
    finds(
      all,
      ['', 'Solo', 'far@nut2', 'far-nut2', 'rack', 'solo-', 'solo@localhost:1', '__proto__'],
      undefined,
    );
  });

  it('let a configured name or groupId take precedence over the alias of another', () => {
    const all = ['solo', 'solo-localhost'];
    finds(all, ['solo-localhost', 'solo-localhost@localhost'], 'solo-localhost');
    finds(all, ['solo', 'solo@localhost', 'solo-localhost-3493'], 'solo');
    finds(['a+b', 'a/b@localhost'], ['a-b', 'a+b@localhost'], 'a+b');
    finds(['a+b', 'a/b@localhost'], ['a-b-localhost', 'a/b'], 'a/b@localhost');
  });

  it('drop an alias that two UPSes share', () => {
    finds(['a+b', 'a/b@localhost'], ['a-b-localhost-3493'], undefined);
    finds(['rack-nut@localhost', 'rack@nut:3493'], ['rack-nut'], undefined);
    finds(['rack-nut@localhost', 'rack@nut:3493'], ['rack@nut', 'rack-nut-3493'], 'rack@nut:3493');
    finds(['rack-nut@localhost', 'rack@nut:3493'], ['rack-nut-localhost'], 'rack-nut@localhost');
  });
});
