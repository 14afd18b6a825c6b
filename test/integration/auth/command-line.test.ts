// `ridethrough user` and `apikey` as programs: output, exit codes, the prompt on a terminal, and the owner of the file.
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AuthFile } from '../../../workers/api/auth/auth-store/store.js';
import { isPassword } from '../../../workers/api/auth/auth-store/password.js';
import { skipFor } from '../../fixtures/skip.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import type { Ran } from '../../fixtures/ridethrough.js';
import { program, ran, ridethrough } from '../../fixtures/ridethrough.js';
import { dispatched } from '../../fixtures/dispatched-command.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const asRoot = process.getuid?.() === 0;
/** An account of every Debian, in place of ridethrough-api. */
const nobody = 65534;

describe('the commands ridethrough user and apikey', () => {
  let folder: string;
  let configuration: string;
  beforeEach(() => {
    folder = temporaryFolder();
    configuration = join(folder, 'config.toml');
    configure('');
  });

  const configure = (auth: string, more = ''): void =>
    writeFileSync(
      configuration,
      `[[ups]]\nname = "office@127.0.0.1:1"\n[api.auth]\ndb_path = "${folder}/state/auth.db"\n${auth}${more}`,
      { mode: 0o600 },
    );
  const database = (): string => join(folder, 'state', 'auth.db');
  const run = (command: string, input: string | Buffer = '', how = ridethrough): Promise<Ran> =>
    how([...command.split(' '), '--config', configuration], input);

  async function opens(name: string, password: string): Promise<boolean> {
    const store = new AuthFile(database());
    const user = await store.user(name);
    await store.close();
    return user !== null && (await isPassword(password, user.hash));
  }

  it('create, list, change and delete a user', async () => {
    const made = await run('user create alice --password-stdin', 'correct horse\n');
    expect(made).to.deep.equal({ code: 0, out: 'The user alice can log in.\n', err: '' });
    expect(await opens('alice', 'correct horse')).to.equal(true);
    expect((await run('user create alice --password-stdin', 'another horse')).code).to.equal(1);
    expect((await run('user passwd alice --password-stdin', 'battery staple\r\n')).code).to.equal(0);
    expect(await opens('alice', 'battery staple')).to.equal(true);
    const shown = await run('user show alice --json');
    expect(JSON.parse(shown.out)).to.have.keys('name', 'createdAt', 'passwordAt', 'role');
    expect((await run('user list')).out).to.match(
      /^NAME {4}ROLE {6}CREATED {15}PASSWORD SET\nalice {3}control {3}\d{4}-/,
    );
    expect(JSON.parse((await run('user list --json')).out)).to.have.nested.property('users[0].name', 'alice');
    const gone = await run('user delete alice');
    expect([gone.code, gone.err]).to.deep.equal([
      0,
      'ridethrough user delete: this was the last user: authentication is off now, and the API is read-only.\n',
    ]);
    for (const again of ['delete', 'show', 'passwd --generate'])
      expect((await run(`user ${again.replace(/^\w+/, '$& alice')}`)).code, again).to.equal(1);
  });

  it('print a generated secret once, and nothing else on standard output', async () => {
    const made = await run('user create alice --generate');
    expect(made.out).to.match(/^[A-Za-z0-9_-]{24}\n$/);
    expect(await opens('alice', made.out.trim())).to.equal(true);
    const key = await run('apikey create grafana');
    expect([key.code, key.err]).to.deep.equal([0, 'The key grafana (control), which is not shown again:\n']);
    expect(key.out).to.match(/^rt_[A-Za-z0-9_-]{43}\n$/);
    for (const list of ['user list --json', 'user show alice --json', 'apikey list', 'apikey list --json']) {
      const { out } = await run(list);
      for (const secret of [made.out.trim(), key.out.trim()]) expect(out, list).not.to.contain(secret);
    }
    expect((await run('apikey create grafana')).code).to.equal(1);
    expect((await run('apikey revoke grafana')).code).to.equal(0);
    expect((await run('apikey revoke grafana')).code).to.equal(1);
    expect((await run('apikey list')).out).to.equal('There is no API key.\n');
  });

  it('print the created record as JSON, and nothing else on standard output', async () => {
    const made = await run('user create alice --generate --json');
    const { password } = JSON.parse(made.out) as { password: string };
    expect([made.code, made.err, await opens('alice', password)]).to.deep.equal([0, '', true]);
    const typed = await run('user passwd alice --password-stdin --json', 'battery staple\n');
    expect([typed.code, typed.out]).to.deep.equal([0, '{"name":"alice"}\n']);
    const key = await run('apikey create grafana --json');
    expect(key.err).to.equal('');
    expect(JSON.parse(key.out)).to.have.property('label', 'grafana');
    expect(JSON.parse(key.out))
      .to.have.property('key')
      .that.matches(/^rt_[A-Za-z0-9_-]{43}$/);
  });

  it('warn when the created record has no effect', async () => {
    expect((await run('apikey create grafana')).err).to.contain(
      'authentication is off, so the key is not accepted',
    );
    configure('enabled = false\n');
    expect((await run('user create alice --generate')).err).to.contain('api.auth.enabled = false');
    configure('enabled = true\n');
    expect((await run('apikey create other')).err).not.to.contain('authentication is');
  });

  it('create no file for a listing', async () => {
    expect((await run('user list')).out).to.equal('There is no user.\n');
    expect(JSON.parse((await run('apikey list --json')).out)).to.deep.equal({ keys: [] });
    expect((await run('user delete alice')).code).to.equal(1);
    expect((await run('user passwd alice --generate')).code).to.equal(1);
    expect(existsSync(join(folder, 'state'))).to.equal(false);
  });

  const refusals: readonly (readonly [string, string | Buffer, number])[] = [
    ['user create alice --password-stdin', 'short77', 1],
    ['user create alice --password-stdin', '', 1],
    ['user create alice --password-stdin', 'two\nlines of it', 1],
    ['user create alice --password-stdin', Buffer.from('p\u00e4ssw\u00f6rd', 'latin1'), 1],
    ['user create alice --password-stdin', 'x'.repeat(1025), 1],
    ['user create alice --password-stdin', 'x'.repeat(1_000_000), 1],
    ['user create alice', 'correct horse', 2],
    ['user create alice secret', '', 2],
    ['user create alice --password secret', '', 2],
    ['user create alice --generate --password-stdin', 'correct horse', 2],
    ['user create', '', 2],
    ['user create -x', '', 2],
    ['user create .hidden --generate', '', 2],
    ['user create ä --generate', '', 2],
    [`user create ${'x'.repeat(65)} --generate`, '', 2],
    ['user', '', 2],
    ['user make alice', '', 2],
    ['user __proto__', '', 2],
    ['user list alice', '', 2],
    ['apikey', '', 2],
    ['apikey create', '', 2],
    ['apikey create a b', '', 2],
    ['apikey list x', '', 2],
  ];
  for (const [command, input, code] of refusals)
    it(`exit with ${String(code)} for ${command.slice(0, 50)}${input === '' ? '' : ` with ${JSON.stringify(String(input).slice(0, 20))}`}`, async () => {
      const answer = await run(command, input, code === 2 && input === '' ? dispatched : ridethrough);
      expect(answer.code, answer.err).to.equal(code);
      expect(answer.out).to.equal('');
      expect(answer.err).to.match(/^ridethrough (user|apikey)/);
      expect(existsSync(database())).to.equal(false);
    });

  it('exit with 78 for an invalid configuration and with 1 for an unusable database', async () => {
    mkdirSync(join(folder, 'state'));
    writeFileSync(database(), 'x'.repeat(4096));
    const damaged = await run('user list');
    expect([damaged.code, damaged.out]).to.deep.equal([1, '']);
    expect(damaged.err).to.contain('not a database');
    configure('', '[nonsense]\n');
    expect((await run('user list')).code).to.equal(78);
    expect((await ridethrough(['user', 'list', '--config', join(folder, 'none.toml')])).code).to.equal(78);
  });

  it('create a file for its owner and group only, even under umask 0', async () => {
    const line = `umask 0; exec ${process.execPath} ${program} user create alice --generate --config ${configuration}`;
    expect((await ran('/bin/sh', ['-c', line])).code).to.equal(0);
    expect(statSync(database()).mode & 0o777).to.equal(0o640);
    expect(statSync(join(folder, 'state')).mode & 0o777).to.equal(0o750);
  });

  describe('on a terminal', () => {
    /** Types each answer when the last line asks for it; returns the output of the terminal. */
    function typed(
      command: string,
      answers: readonly string[],
    ): Promise<{ code: number | null; shown: string }> {
      const line = `${process.execPath} ${program} ${command} --config ${configuration}`;
      const terminal = spawn('script', ['-qec', line, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });
      const left = [...answers];
      let shown = '';
      let prompts = 0;
      terminal.stdout.on('data', (chunk: Buffer) => {
        shown += chunk.toString();
        const asked = shown.match(/: $|: (?=\r?\n)/g)?.length ?? 0;
        if (asked <= prompts) return;
        prompts = asked;
        terminal.stdin.write(left.shift() ?? '\u0003');
      });
      return new Promise((resolve) => terminal.once('close', (code) => resolve({ code, shown })));
    }

    it('ask twice and do not echo the password', async () => {
      const { code, shown } = await typed('user create alice', ['correct horse\r', 'correct horse\r']);
      expect(code, shown).to.equal(0);
      expect(shown).to.contain('New password for alice: ').and.to.contain('Again: ');
      expect(shown).not.to.match(/correct|horse|\*/);
      expect(await opens('alice', 'correct horse')).to.equal(true);
    });

    it('accept a backspace', async () => {
      const { code } = await typed('user create alice', [
        'correct hirse\u007f\u007f\u007f\u007forse\r',
        'correct horse\r',
      ]);
      expect(code).to.equal(0);
      expect(await opens('alice', 'correct horse')).to.equal(true);
    });

    it('reject two different passwords, and immediately one that is too short', async () => {
      const differing = await typed('user create alice', ['correct horse\r', 'correct house\r']);
      expect(differing.code).to.equal(1);
      expect(differing.shown).to.contain('the two passwords differ');
      const short = await typed('user create alice', ['short\r']);
      expect([short.code, short.shown.includes('Again')]).to.deep.equal([1, false]);
      expect(existsSync(database())).to.equal(false);
    });

    it('change nothing when the user interrupts them', async () => {
      for (const key of ['\u0003', '\u0004']) {
        const { code, shown } = await typed('user create alice', [key]);
        expect(code, shown).to.equal(1);
        expect(shown).to.contain('nothing was changed');
      }
      expect(existsSync(database())).to.equal(false);
    });
  });

  describe('as root', () => {
    before(function () {
      skipFor(this, !asRoot && 'only root can make files of another user');
    });

    it('create a file that only the API worker may use, even in a shared directory', async () => {
      configure('', '[supervisor.worker_users]\napi = "nobody"\n');
      mkdirSync(join(folder, 'state'));
      chmodSync(join(folder, 'state'), 0o1770);
      chownSync(join(folder, 'state'), 0, nobody);
      chownSync(folder, nobody, nobody);
      expect((await run('user create alice --password-stdin', 'correct horse')).code).to.equal(0);
      const { uid, gid, mode } = statSync(database());
      expect([uid, gid, mode & 0o777]).to.deep.equal([nobody, nobody, 0o640]);
      // Later commands must keep the owner.
      expect((await run('apikey create grafana')).code).to.equal(0);
      expect((await run('user list')).out).to.contain('alice');
      expect(statSync(database()).uid).to.equal(nobody);
      const other = await ran('setpriv', ['--reuid=1', '--regid=1', '--clear-groups', 'cat', database()]);
      expect(other.code).not.to.equal(0);
    });

    it('warn when the API worker may not use the file', async () => {
      await run('user create alice --generate');
      configure('', '[supervisor.worker_users]\napi = "nobody"\n');
      chownSync(folder, nobody, nobody);
      chownSync(join(folder, 'state'), nobody, nobody);
      const refused = await run('user create bob --generate');
      expect([refused.code, refused.out]).to.deep.equal([1, '']);
      expect(refused.err).to.contain(database());
    });
  });

  it('take effect immediately in a daemon whose API worker has its own account', async function () {
    skipFor(this, !asRoot && 'only root can start a worker as another user');
    const daemon = await startDaemon({
      toml: `${configurationFor({
        port: 1,
        apiPort: 0,
        more: '[api.auth]\ndb_path = "{directory}/auth/auth.db"\n',
      })}[supervisor.worker_users]\napi = "nobody"\n`,
    });
    try {
      mkdirSync(join(daemon.directory, 'auth'));
      chownSync(join(daemon.directory, 'auth'), nobody, nobody);
      const own = ['--config', join(daemon.directory, 'config.toml')];
      const login = async (password: string): Promise<number> => {
        const body = JSON.stringify({ username: 'alice', password });
        return (
          await fetch(`http://127.0.0.1:${String(daemon.apiPort)}/api/v1/auth/login`, {
            method: 'POST',
            body,
          })
        ).status;
      };
      expect(await login('correct horse')).to.equal(403);
      await ridethrough(['user', 'create', 'alice', '--password-stdin', ...own], 'correct horse');
      expect(await login('correct horse')).to.equal(200);
      await ridethrough(['user', 'passwd', 'alice', '--password-stdin', ...own], 'battery staple');
      expect([await login('correct horse'), await login('battery staple')]).to.deep.equal([401, 200]);
      await ridethrough(['user', 'delete', 'alice', ...own]);
      expect(await login('battery staple')).to.equal(403);
      for (const secret of ['correct horse', 'battery staple']) {
        expect(daemon.log()).not.to.contain(secret);
        expect(readFileSync(join(daemon.directory, 'auth/auth.db')).includes(secret)).to.equal(false);
      }
    } finally {
      await daemon.stop();
    }
  });
});
