import { expect } from 'chai';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadFile, loadText } from '../../../../supervisor/config/load/load.js';
import { certificate } from '../certificate.js';
import { configurationFrom, office, problemsOf, warningsFrom } from '../loading.js';

const control = (password: string): string =>
  `${office}[nut_control]\nenabled = true\npassword = ${password}\n`;

describe('a secret', () => {
  let directory: string;
  const secretFile = (content: string | Buffer, mode = 0o600): string => {
    const path = join(directory, 'secret');
    writeFileSync(path, content);
    chmodSync(path, mode);
    return path;
  };

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'secrets-'));
  });
  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  it('may be in the configuration file', () => {
    const { ups, secrets } = configurationFrom(control('"in the file"'));
    expect(ups[0]?.control?.password).to.equal('in the file');
    expect(secrets).to.deep.equal(['in the file']);
  });

  for (const [what, content] of [
    ['without a line break', 'top secret'],
    ['with its last line break cut off', 'top secret\n'],
    ['with a line break of another system cut off', 'top secret\r\n'],
  ] as const) {
    it(`may be read from a file, ${what}`, () => {
      const { ups, secrets } = configurationFrom(control(`{ file = "${secretFile(content)}" }`));
      expect(ups[0]?.control?.password).to.equal('top secret');
      expect(secrets).to.deep.equal(['top secret']);
    });
  }

  it('may be read from the environment', () => {
    const { ups } = configurationFrom(control('{ env = "NUT_PASSWORD" }'), { NUT_PASSWORD: 'from there' });
    expect(ups[0]?.control?.password).to.equal('from there');
  });

  it('of a UPS comes before the global one', () => {
    const text = `[[ups]]\nname = "b"\nnut_control = { password = "of b" }\n${control('"of all"')}`;
    const { ups } = configurationFrom(text);
    expect(ups.map(({ control }) => control?.password)).to.deep.equal(['of b', 'of all']);
  });

  for (const [what, source, message] of [
    ['a file that is missing', '{ file = "/nowhere/x" }', 'the secret file /nowhere/x does not exist'],
    ['a directory', '{ file = "/etc" }', 'the secret file /etc is a directory, not a file'],
    ['a device', '{ file = "/dev/zero" }', 'the secret file /dev/zero is not a regular file'],
    [
      'a variable that is not set',
      '{ env = "NOT_SET" }',
      "the environment variable NOT_SET is not set; set it in the daemon's environment (systemd: EnvironmentFile=)",
    ],
    ['a variable that is empty', '{ env = "EMPTY" }', 'the environment variable EMPTY is empty'],
    [
      'a variable of two lines',
      '{ env = "LINES" }',
      'the environment variable LINES holds a line break or a control character',
    ],
    ['a relative path', '{ file = "x" }', '"file" must be an absolute path'],
    [
      'two sources',
      '{ file = "/x", env = "Y" }',
      'expected exactly one of the keys "file" and "env"; a secret is text, { file = "/path" } or { env = "NAME" }',
    ],
    ['a number', '12345678', 'expected text, { file = "/path" } or { env = "NAME" }'],
    ['two lines', '"top\\nsecret"', 'the secret holds a line break or a control character'],
  ] as const) {
    it(`is not read from ${what}`, () => {
      expect(problemsOf(control(source), { EMPTY: '', LINES: 'a\nb' })).to.deep.equal([
        { path: 'nut_control.password', message },
      ]);
    });
  }

  it('is not read from a file that is too large or not text', () => {
    const path = secretFile('x'.repeat(5000));
    const messages = (): readonly string[] =>
      problemsOf(control(`{ file = "${path}" }`)).map(({ message }) => message);
    expect(messages()).to.deep.equal([`the secret file ${path} is larger than 4 KiB`]);
    secretFile(Buffer.from([0xff, 0xfe, 0x00]));
    expect(messages()).to.deep.equal([`the secret file ${path} is not UTF-8 text`]);
    secretFile('\n');
    expect(messages()).to.deep.equal([`the secret file ${path} is empty`]);
  });

  it('that every user may read is a warning', () => {
    const path = secretFile('top secret', 0o644);
    expect(warningsFrom(control(`{ file = "${path}" }`))).to.deep.equal([
      `nut_control.password: every user may read the secret file ${path}; run: chmod o-r ${path}`,
    ]);
  });

  it('in a configuration file that every user may read is a warning', async () => {
    const path = join(directory, 'config.toml');
    writeFileSync(path, control('"in the file"'), { mode: 0o644 });
    const warnings = async (): Promise<readonly string[]> => {
      const loaded = await loadFile(path, {});
      return loaded.ok
        ? loaded.configuration.warnings.filter((text) => !text.includes('is not on this machine'))
        : ['refused'];
    };
    expect(await warnings()).to.deep.equal([
      `every user may read ${path}, and it holds a secret; run: chmod o-r ${path}, or use { file = "..." }`,
    ]);
    chmodSync(path, 0o640);
    expect(await warnings()).to.deep.equal([]);
    writeFileSync(path, office);
    chmodSync(path, 0o644);
    expect(await warnings()).to.deep.equal([]);
  });

  it('that is too short to be redacted is a warning', () => {
    const { secrets } = configurationFrom(control('"abc"'));
    expect(secrets).to.deep.equal([]);
    expect(warningsFrom(control('"abc"'))[0]).to.match(/shorter than 4 characters/);
  });

  it('in an address is redacted with the address and alone', () => {
    const text =
      `${office}[mqtt]\nbroker = "mqtts://me:p%40ss%20word@broker.example"\n` +
      '[notifications]\nurls = ["ntfys://t0ken-of-mine@ntfy.example/topic"]';
    expect(configurationFrom(text).secrets).to.have.members([
      'mqtts://me:p%40ss%20word@broker.example',
      'p%40ss%20word',
      'p@ss word',
      'ntfys://t0ken-of-mine@ntfy.example/topic',
      't0ken-of-mine',
    ]);
  });

  it('in an address may contain a single percent sign', () => {
    const text = `${office}[mqtt]\nbroker = "mqtts://me:100%25%zz@broker.example"`;
    expect(configurationFrom(text).secrets).to.deep.equal([
      'mqtts://me:100%25%zz@broker.example',
      '100%25%zz',
    ]);
  });

  it('is not found in an address without one', () => {
    expect(configurationFrom(`${office}[mqtt]\nbroker = "mqtt://127.0.0.1"`).secrets).to.deep.equal([]);
  });
});

describe('the certificates of NUT servers', () => {
  it('are read with the configuration', () => {
    const directory = mkdtempSync(join(tmpdir(), 'certificates-'));
    const path = join(directory, 'ca.pem');
    mkdirSync(join(directory, 'sub'));
    const text = `${office}[nut]\nca_file = "${path}"`;
    const only = (): string | undefined => problemsOf(text)[0]?.message;
    try {
      expect(only()).to.equal(`${path} does not exist`);
      writeFileSync(path, 'nothing of the kind');
      expect(only()).to.equal(`${path} holds no certificate (-----BEGIN CERTIFICATE-----)`);
      writeFileSync(path, certificate + certificate.replace(/M/g, 'N'));
      expect(only()).to.equal(`certificate 2 in ${path} cannot be read`);
      writeFileSync(path, `a comment\n${certificate}`);
      expect(configurationFrom(text).nut.caPem).to.equal(certificate);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

describe('problems and warnings', () => {
  const planted = 'PLANTED-hunter2';
  const places: readonly string[] = [
    `${office}[nut_control]\npassword = ["${planted}"]`,
    `${office}[nut_control]\npassword = { file = "${planted}" }`,
    `${office}[nut_control]\npassword = { env = "${planted}!" }`,
    `${office}[nut_control]\npassword = { value = "${planted}" }`,
    `${office}[nut_control]\npasword = "${planted}"`,
    `${office}nut_control = "${planted}"`,
    `${office}[ups.nut_control]\npassword = "${planted}\\n"`,
    `${office}mqtt = "${planted}"`,
    `${office}mqtt = ["${planted}"]`,
    `${office}[mqtt]\nbroker = "http://user:${planted}@host"`,
    `${office}[mqtt]\nbroker = "${planted}"`,
    `${office}[mqtt]\nenabled = { password = "${planted}" }`,
    `${office}[mqtt]\nusername = { password = "${planted}" }`,
    `${office}[mqtt]\npassword = "${planted}"\nusername = "a"\nbroker = "mqtt://x:${planted}@y"`,
    `${office}[notifications]\nurls = "https://${planted}"`,
    `${office}[notifications]\nurls = ["https://${planted}", { url = "${planted}" }]`,
    `${office}[notifications]\nsuppress = "${planted}"`,
    `${office}[nut_control]\npassword = "${planted}`,
    `${office}[nut_control]\npassword = ${planted}`,
    `${office}[nut_control]\npassword = "\\q${planted}"`,
    `${office}[nut_control]\npassword = "a"\npassword = "${planted}"`,
  ];

  for (const [index, text] of places.entries()) {
    it(`never show a misplaced secret (${String(index + 1)})`, () => {
      const loaded = loadText(text, {}, '/etc/config.toml');
      expect(loaded.ok).to.equal(false);
      expect(JSON.stringify(loaded)).to.not.include('hunter2');
    });
  }
});
