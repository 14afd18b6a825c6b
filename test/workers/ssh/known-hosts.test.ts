import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { hostName, parseKnownHosts } from '../../../workers/ssh/known-hosts/entries.js';
import { verdictOf, knownTypes, lineFor } from '../../../workers/ssh/known-hosts/verdict.js';

/** A public key of a type, as in a file; its content does not matter. */
function key(type: string, body = 'k'): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(type.length);
  return Buffer.concat([length, Buffer.from(type + body)]);
}
const mine = key('ssh-ed25519', 'mine');
const other = key('ssh-ed25519', 'other');
const text = (names: string, public_ = mine, type = 'ssh-ed25519'): string =>
  `${names} ${type} ${public_.toString('base64')} comment\n`;
const verdict = (file: string, host = 'nas.lan', port = 22, shown = mine) =>
  verdictOf(parseKnownHosts(file), host, port, shown);

describe('the known_hosts file', () => {
  it('matches a host by name, in any case, among several names', () => {
    expect(verdict(text('nas.lan'))).to.equal('known');
    expect(verdict(text('pve,NAS.lan,192.0.2.1'), 'nas.LAN.')).to.equal('known');
    expect(verdict(text('nas'))).to.equal('unknown');
  });

  it('matches a host on another port by that port only', () => {
    expect(verdict(text('[nas.lan]:2222'), 'nas.lan', 2222)).to.equal('known');
    expect(verdict(text('nas.lan'), 'nas.lan', 2222)).to.equal('unknown');
    expect(verdict(text('[nas.lan]:2222'))).to.equal('unknown');
    expect(hostName('::1', 2222)).to.equal('[::1]:2222');
  });

  it('supports wildcards and negated names', () => {
    expect(verdict(text('*.lan'))).to.equal('known');
    expect(verdict(text('n?s.l*'))).to.equal('known');
    expect(verdict(text('*'), 'nas.lan', 2222)).to.equal('known');
    expect(verdict(text('*.lan,!nas.lan'))).to.equal('unknown');
    expect(verdict(text('*.example'))).to.equal('unknown');
    expect(verdict(text(`${'*a'.repeat(2000)}b`), 'a'.repeat(2000))).to.equal('unknown');
  });

  it('supports hashed names', () => {
    const salt = Buffer.from('0123456789abcdefghij');
    const hash = createHmac('sha1', salt).update('nas.lan').digest('base64');
    const hashed = `|1|${salt.toString('base64')}|${hash}`;
    expect(verdict(text(hashed))).to.equal('known');
    expect(verdict(text(hashed), 'pve.lan')).to.equal('unknown');
  });

  it('reports a changed key when it knows the host by any other key', () => {
    expect(verdict(text('nas.lan', other))).to.equal('changed');
    expect(verdict(text('nas.lan', key('ssh-rsa'), 'ssh-rsa'))).to.equal('changed');
    expect(verdict(text('nas.lan', other) + text('nas.lan'))).to.equal('known');
  });

  it('ignores unsupported key types', () => {
    expect(verdict(text('nas.lan', key('ssh-dss'), 'ssh-dss'))).to.equal('unknown');
  });

  it('rejects a revoked key, and accepts no CA for a key', () => {
    expect(verdict(`${text('nas.lan')}@revoked ${text('*')}`)).to.equal('revoked');
    expect(verdict(`@cert-authority ${text('*.lan')}`)).to.equal('unknown');
    expect(verdict(`@cert-authority ${text('*.lan', other)}`)).to.equal('unknown');
  });

  it('skips invalid lines', () => {
    const noise = `# nas.lan\n\nnas.lan\nnas.lan ssh-ed25519\nnas.lan ssh-ed25519 !!!\n@strange ${text('nas.lan')}`;
    expect(parseKnownHosts(noise)).to.deep.equal([]);
    expect(parseKnownHosts(text('nas.lan', mine, 'ssh-rsa'))).to.deep.equal([]);
    expect(parseKnownHosts(text('nas.lan').replace(' ', '\t').replace('\n', '\r\n'))).to.have.length(1);
  });

  it('lists the key types it knows for a host', () => {
    const file =
      text('nas.lan', key('ssh-rsa'), 'ssh-rsa') + text('nas.lan') + `@revoked ${text('nas.lan', other)}`;
    expect(knownTypes(parseKnownHosts(file), 'nas.lan', 22)).to.deep.equal(['ssh-ed25519', 'ssh-rsa']);
  });

  it('parses its own output', () => {
    for (const [host, port] of [
      ['NAS.lan', 22],
      ['192.0.2.1', 2222],
      ['fe80::1', 22],
    ] as const)
      expect(verdict(lineFor(host, port, mine), host, port)).to.equal('known');
  });
});
