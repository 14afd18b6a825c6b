import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { keyFault } from '../../../../supervisor/config/read/ssh-keys.js';
import { remoteSettings } from '../../../../supervisor/workers/remote.js';
import { configurationFrom, withServer } from '../loading.js';
import { temporaryFolder } from '../../../fixtures/temporary-folder.js';

/** The header of a key in OpenSSH's format with the named cipher. */
function opensshKey(cipher: string, filling = 'x'): string {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(cipher.length);
  const body = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    length,
    Buffer.from(cipher + filling.repeat(90)),
  ]);
  const lines = body.toString('base64').match(/.{1,70}/g) ?? [];
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

describe('the private key of a remote server', () => {
  let home: string;
  const load = (lines = '') => configurationFrom(withServer + lines, { HOME: home });
  const access = (lines = '') => remoteSettings(load(lines)).servers[0];
  const put = (name: string, text: string, mode = 0o600): string => {
    const path = join(home, '.ssh', name);
    writeFileSync(path, text, { mode });
    chmodSync(path, mode);
    return path;
  };

  beforeEach(() => {
    home = temporaryFolder();
    mkdirSync(join(home, '.ssh'));
  });

  it('is id_ed25519 of the user that starts the daemon, else id_rsa', () => {
    const rsa = generateKeyPairSync('rsa', {
      modulusLength: 1024,
      publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    }).privateKey;
    put('id_rsa', rsa);
    expect(access()?.privateKey).to.equal(rsa);
    const ed25519 = opensshKey('none');
    put('id_ed25519', ed25519);
    expect(access()?.privateKey).to.equal(ed25519);
    expect(access()?.keyTrouble).to.equal(null);
  });

  it('is the one that the configuration names, before any default', () => {
    put('id_ed25519', opensshKey('none'));
    const own = put('daemon', opensshKey('none', 'y'));
    expect(access(`ssh_key_path = "${own}"`)?.privateKey).to.equal(opensshKey('none', 'y'));
  });

  it('that is missing causes a warning with the name of the server, and the configuration is used', () => {
    const { warnings } = load();
    expect(warnings.join('\n')).to.match(
      /ups\[office@127.0.0.1:3493\].remote_servers\[nas\].ssh_key_path: there is neither .*id_ed25519 nor .*id_rsa; make a key/,
    );
    expect(access()).to.include({ server: 'nas', privateKey: null });
    expect(access()?.keyTrouble).to.contain('there is neither');
  });

  it('is refused with a passphrase', () => {
    for (const cipher of ['aes256-ctr', 'chacha20-poly1305@openssh.com'])
      expect(keyFault(opensshKey(cipher))).to.contain('passphrase');
    const protectedPem = '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n';
    for (const text of [
      protectedPem,
      '-----BEGIN ENCRYPTED PRIVATE KEY-----',
      'PuTTY-User-Key-File-3: x\nEncryption: aes',
    ])
      expect(keyFault(text)).to.contain('passphrase');
  });

  it('is distinguished from a public key, another format and other content', () => {
    expect(keyFault('ssh-ed25519 AAAA root@x')).to.contain('public key');
    expect(keyFault('-----BEGIN PRIVATE KEY-----')).to.contain('PKCS#8');
    expect(keyFault('hello')).to.contain('no private key');
    expect(keyFault('-----BEGIN EC PRIVATE KEY-----')).to.equal(undefined);
  });

  it('that is a FIFO causes a warning and is not waited for', () => {
    const fifo = join(home, '.ssh', 'fifo');
    execFileSync('mkfifo', [fifo]);
    expect(access(`ssh_key_path = "${fifo}"`)?.keyTrouble).to.equal(`the key ${fifo} is not a regular file`);
  });

  it('is redacted line by line, and its digest shows a change', () => {
    put('id_ed25519', opensshKey('none'));
    const before = load();
    for (const line of opensshKey('none').split('\n').slice(1, -3)) expect(before.secrets).to.include(line);
    put('id_ed25519', opensshKey('none', 'z'));
    const path = 'ups[office@127.0.0.1:3493].remote_servers[nas].ssh_key_path';
    expect(load().settings[path]).to.not.equal(before.settings[path]);
    expect(JSON.stringify(load().settings)).to.not.contain(opensshKey('none', 'z').split('\n')[1]);
  });

  it('that every user may read causes a warning', () => {
    const own = put('open', opensshKey('none'), 0o644);
    expect(load(`ssh_key_path = "${own}"`).warnings.join()).to.contain(
      'every user may read this private key',
    );
    expect(access(`ssh_key_path = "${own}"`)?.privateKey).to.not.equal(null);
  });

  it('is not read while the server is disabled', () => {
    expect(load('enabled = false').warnings.filter((text) => text.includes('ssh_key'))).to.deep.equal([]);
    expect(remoteSettings(load('enabled = false')).servers).to.deep.equal([]);
  });
});
