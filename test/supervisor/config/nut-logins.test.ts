import { expect } from 'chai';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientCertificate, clientKey } from './certificate.js';
import { configurationFrom, office, problemsOf, refuses, warningsFrom } from './loading.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

describe('a login for reads', () => {
  const here = '[[ups]]\nname = "office@127.0.0.1"\n';
  const away = '[[ups]]\nname = "office@192.0.2.7"\n';
  const login = '[nut]\nusername = "reader"\npassword = "a secret"\n';

  refuses([
    {
      it: 'needs a password',
      file: `${here}[nut]\nusername = "reader"`,
      path: 'nut.username',
      message: 'a login for reads needs both username and password',
    },
    {
      it: 'needs a user name',
      file: `${here}[ups.nut]\npassword = "a secret"`,
      path: 'ups[office@127.0.0.1].nut.password',
      message: 'a login for reads needs both username and password',
    },
    {
      it: 'is refused with the tools',
      file: `${here}transport = "tools"\n${login}`,
      path: 'nut.username',
      message: 'upsc cannot log in; read office@127.0.0.1 with transport = "network"',
    },
  ]);

  it('is that of the UPS, else that of [nut], key by key', () => {
    const own = `${here}[ups.nut]\nusername = "other"\n[[ups]]\nname = "b@127.0.0.1"\n`;
    const { ups, secrets } = configurationFrom(own + login);
    expect(ups.map(({ readLogin }) => readLogin)).to.deep.equal([
      { username: 'other', password: 'a secret' },
      { username: 'reader', password: 'a secret' },
    ]);
    expect(secrets).to.include('a secret');
    expect(configurationFrom(here).ups[0]?.readLogin).to.equal(null);
  });

  it('is a warning where it goes to another machine without required TLS', () => {
    expect(warningsFrom(here + login)).to.deep.equal([]);
    expect(warningsFrom(`${away}${login}tls = "required"`)).to.deep.equal([]);
    expect(warningsFrom(away + login)).to.deep.equal([
      'nut.password: is sent to 192.0.2.7 also without TLS, or to a server whose identity is not verified; set nut.tls = "required"',
    ]);
  });
});

describe('a client certificate', () => {
  it('is read with its key, which must fit and have no passphrase', () => {
    const folder = temporaryFolder();
    const [cert, key] = [join(folder, 'client.pem'), join(folder, 'client.key')];
    const text = `${office}[nut]\ntls = "required"\ncert_file = "${cert}"\nkey_file = "${key}"`;
    const put = (text: string): void => writeFileSync(key, text, { mode: 0o600 });
    const only = (): string | undefined => problemsOf(text)[0]?.message;
    writeFileSync(cert, clientCertificate);
    expect(only()).to.equal(`${key} does not exist`);
    put('nothing of the kind');
    expect(only()).to.equal(`${key} holds no private key in PEM format (-----BEGIN PRIVATE KEY-----)`);
    put('-----BEGIN ENCRYPTED PRIVATE KEY-----\n');
    expect(only()).to.match(/is protected by a passphrase/);
    put(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
    expect(only()).to.equal(`${key} is not the key of the certificate in ${cert}`);
    put(clientKey);
    const { nut, secrets, settings } = configurationFrom(text);
    expect(nut.client).to.deep.equal({ certPem: clientCertificate, keyPem: clientKey });
    expect(secrets).to.include(clientKey.split('\n')[1]);
    expect(JSON.stringify(settings)).not.to.contain(clientKey.split('\n')[1]);
    chmodSync(key, 0o644);
    expect(warningsFrom(text)).to.deep.equal([
      `nut.key_file: every user may read this private key; run: chmod o-r ${key}`,
    ]);
  });

  refuses([
    {
      it: 'needs its key',
      file: `${office}[nut]\ntls = "required"\ncert_file = "/etc/client.pem"`,
      path: 'nut.cert_file',
      message: 'needs both nut.cert_file and nut.key_file',
    },
  ]);

  it('has no effect without TLS, which is an error', () => {
    const files = 'cert_file = "/nonexistent/a"\nkey_file = "/nonexistent/b"';
    expect(problemsOf(`${office}[nut]\ntls = "off"\n${files}`)[0]).to.deep.equal({
      path: 'nut.cert_file',
      message: 'has no effect while nut.tls = "off"',
    });
  });
});
