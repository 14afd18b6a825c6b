import { expect } from 'chai';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { valueInside } from '../../fixtures/inspector.js';
import type { PrivateAccounts } from '../../fixtures/private-accounts.js';
import { privateAccounts, privateAccountsProblem } from '../../fixtures/private-accounts.js';
import type { ProcessRow } from '../../fixtures/processes.js';
import { descendants } from '../../fixtures/processes.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { heldPort } from '../../fixtures/held-port.js';
import { harmless, startDaemon } from '../../fixtures/running-daemon.js';
import { skipFor } from '../../fixtures/skip.js';
import { asInUnit, unitCapabilities } from '../../fixtures/unit-privileges.js';
import { until } from '../../fixtures/until.js';
import { privileges, sectionsOf } from '../../torture/workers.js';
import type { Intrusion, Outcomes } from './intrusion.js';
import { intrusionOf } from './intrusion.js';

const planted = 'PLANTED-SECRET';
const none = '0000000000000000';

const workers = Object.entries(privileges);

/** Each worker has a section; each address in one has a secret. */
function configuration(closedPort: number): string {
  const closed = { house: closedPort, rack: closedPort, broker: closedPort, notify: closedPort };
  const sections = sectionsOf({ ...closed, api: 0 });
  return `
[[ups]]
name = "office@127.0.0.1:${String(closedPort)}"
is_local = true
[[ups.remote_servers]]
name = "nas"
host = "127.0.0.1"
port = ${String(closedPort)}
user = "root"
ssh_key_path = "{directory}/id_ed25519"
known_hosts_file = "{directory}/lib/known_hosts"
[nut]
username = "reader"
password = { file = "{directory}/nut.secret" }
[nut_control]
enabled = true
password = { env = "PLANTED_NUT" }
[logging]
file = "{directory}/log/ridethrough.log"
${harmless}flush_interval = 0.5
${sections.replaceAll(`:${String(closedPort)}/`, `:${String(closedPort)}/${planted}`)}`;
}

describe('the privileges of each worker', () => {
  let own: PrivateAccounts;
  let daemon: RunningDaemon;
  const at = (path: string): string => join(own.directory, path);
  const uidOf = (user: string): number => own.accounts.get(user)?.uid ?? -1;
  const processOf = (worker: string): ProcessRow => {
    const found = descendants(daemon.pid).find(({ command }) =>
      command.includes(`/workers/${worker}/worker.js`),
    );
    if (found === undefined) throw new Error(`no process of ${worker}`);
    return found;
  };
  const status = (pid: number): ReadonlyMap<string, string> =>
    new Map(
      readFileSync(`/proc/${String(pid)}/status`, 'utf8')
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
    );

  before(async function () {
    skipFor(this, privateAccountsProblem());
    own = privateAccounts();
    const closedPort = await heldPort();
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at('id_ed25519')]);
    writeFileSync(at('nut.secret'), planted, { mode: 0o600 });
    writeFileSync(at('lib/known_hosts'), '', { mode: 0o600 });
    chownSync(at('lib/known_hosts'), uidOf('ridethrough-ssh'), 0);
    daemon = await startDaemon({
      toml: configuration(closedPort),
      directory: own.directory,
      prefix: [...own.launcher(), ...asInUnit],
      env: { PLANTED_NUT: planted },
      user: 'alice',
    });
    await until(() => existsSync(at('lib/ridethrough.db')) && existsSync(at('run/api/control.sock')));
  });
  after(() => daemon?.stop());

  /** The same attempts for all; the words before `|` name the permission of a worker in test/torture/workers.ts. */
  const tries = (others: readonly number[]): ReadonlyMap<string, string> => {
    const supervisor = `/proc/${String(daemon.pid)}`;
    const named: (readonly [string, string])[] = [
      ...['config.toml', 'id_ed25519', 'nut.secret', 'run/supervisor/outage.json'].map(
        (path) => [`read ${at(path)}`, `read ${path}`] as const,
      ),
      [`write ${at('config.toml')}`, 'write the configuration'],
      ['read /etc/shadow', 'read shadow'],
      [`read ${at('lib/ridethrough.db')}`, 'read history'],
      [`write ${at('lib/ridethrough.db')}`, 'write history'],
      [`write ${at('lib/ridethrough.db-wal')}`, 'write history'],
      [`read ${at('lib/auth.db')}`, 'read passwords'],
      [`write ${at('lib/auth.db')}`, 'write passwords'],
      [`read ${at('lib/known_hosts')}`, 'read known hosts'],
      [`write ${at('lib/known_hosts')}`, 'write known hosts'],
      [`read ${at('log/ridethrough.log')}`, 'read log'],
      [`write ${at('log/ridethrough.log')}`, 'write log'],
      [`make ${at('log/new')}`, 'make in log'],
      [`make ${at('lib/new')}`, 'make in lib'],
      [`make ${at('new')}`, 'make beside the configuration'],
      [`make ${at('run/new')}`, 'make in the runtime directory'],
      [`make ${at('run/api/new')}`, 'make in api'],
      [`make ${at('run/supervisor/sequence-x.journal')}`, 'make a journal'],
      [`list ${at('run/supervisor')}`, 'list journals'],
      [`remove ${at('log/ridethrough.log')}`, 'remove log'],
      [`remove ${at('lib/ridethrough.db')}`, 'remove history'],
      [`remove ${at('lib/auth.db')}`, 'remove passwords'],
      [`remove ${at('lib/known_hosts')}`, 'remove known hosts'],
      [`remove ${at('run/control.sock')}`, 'remove the control socket'],
      [`remove ${at('config.toml')}`, 'remove the configuration'],
      [`connect ${at('run/api/control.sock')}`, 'connect control'],
      ...['environ', 'mem', 'maps'].map(
        (file) => [`read ${supervisor}/${file}`, `read the supervisor's ${file}`] as const,
      ),
      [`write ${supervisor}/mem`, "write the supervisor's memory"],
      [`write ${supervisor}/oom_score_adj`, 'offer the supervisor to the OOM killer'],
      [`list ${supervisor}/fd`, "list the supervisor's descriptors"],
      [`signal ${String(daemon.pid)}`, 'signal the supervisor'],
      ...others.flatMap((pid) => [
        [`signal ${String(pid)}`, 'signal another worker'] as const,
        [`read /proc/${String(pid)}/environ`, "read another worker's environment"] as const,
        [`write /proc/${String(pid)}/mem`, "write another worker's memory"] as const,
      ]),
      ['become root', 'become root'],
      ['become another group', 'become another group'],
      ['join groups', 'join groups'],
    ];
    return new Map(named);
  };
  const targetsOf = (all: readonly string[]): Intrusion => {
    const of = (verb: string): string[] =>
      all.flatMap((what) => (what.startsWith(`${verb} `) ? [what.slice(verb.length + 1)] : []));
    return {
      read: of('read'),
      write: of('write'),
      make: of('make'),
      list: of('list'),
      remove: of('remove'),
      connect: of('connect'),
      signal: of('signal').map(Number),
    };
  };

  it('are tested of every worker', () => {
    const folders = readdirSync('workers', { withFileTypes: true }).filter((one) => one.isDirectory());
    const programs = folders
      .map(({ name }) => name)
      .filter((name) => existsSync(`dist/workers/${name}/worker.js`));
    expect(Object.keys(privileges)).to.have.members(programs);
  });

  for (const [worker, { user, may, capabilities = none }] of workers) {
    it(`run ${worker} as ${user}, with ${capabilities === none ? 'no capability' : 'one capability'} and no way to gain one`, () => {
      const about = status(processOf(worker).pid);
      const account = own.accounts.get(user);
      const four = (id: number | undefined): string => Array.from({ length: 4 }, () => String(id)).join('\t');
      expect(about.get('Uid')).to.equal(four(account?.uid));
      expect(about.get('Gid')).to.equal(four(account?.gid));
      const groups = (about.get('Groups') ?? '').split(' ').filter((word) => word !== '');
      expect(groups.map(Number)).to.have.members(user === 'root' ? [] : [...(account?.groups ?? [])]);
      for (const set of ['CapPrm', 'CapEff', 'CapBnd']) expect(about.get(set), set).to.equal(capabilities);
      for (const set of ['CapInh', 'CapAmb']) expect(about.get(set), set).to.equal(none);
      expect(about.get('NoNewPrivs')).to.equal('1');
    });

    it(`give ${worker} no secret of another worker in its environment and no file of another worker open`, () => {
      const { pid } = processOf(worker);
      expect(readFileSync(`/proc/${String(pid)}/environ`, 'utf8')).not.to.contain(planted);
      const open = readdirSync(`/proc/${String(pid)}/fd`).map((fd) => {
        try {
          return readlinkSync(`/proc/${String(pid)}/fd/${fd}`);
        } catch {
          // Closed meanwhile.
          return '';
        }
      });
      const foreign = open.filter((path) => /config\.toml|id_ed25519|nut\.secret|run\/supervisor/.test(path));
      expect(foreign).to.deep.equal([]);
    });

    it(`let a compromised ${worker} do only this: ${may.join(', ') || 'nothing'}`, async () => {
      const { pid } = processOf(worker);
      const others = workers
        .filter(([, other]) => other.user !== user)
        .map(([other]) => processOf(other).pid);
      const named = tries(others);
      const outcomes = (await valueInside(pid, intrusionOf(targetsOf([...named.keys()])))) as Outcomes;
      expect(Object.keys(outcomes)).to.have.members([...named.keys()]);
      const wrong = Object.entries(outcomes).filter(([what, outcome]) => {
        const permission = named.get(what) ?? '';
        // The unit hides processes of other users.
        const refusals = what.includes('/proc/') ? ['EACCES', 'EPERM', 'ENOENT'] : ['EACCES', 'EPERM'];
        return may.includes(permission) ? outcome !== 'done' : !refusals.includes(outcome);
      });
      expect(wrong).to.deep.equal([]);
    });
  }

  it('let the supervisor, and no worker, read the memory usage of a worker of another user', () => {
    const supervisor = String(daemon.pid);
    const statm = `/proc/${String(processOf('storage').pid)}/statm`;
    const seenBy = (...account: readonly string[]): string => {
      const as = ['setpriv', '--no-new-privs', `--bounding-set=-all,${unitCapabilities}`, ...account];
      const ran = spawnSync('nsenter', ['--target', supervisor, '--mount', ...as, 'cat', statm]);
      return ran.stdout.toString();
    };
    expect(seenBy()).to.match(/^\d+ \d+ /);
    const { uid = 0, gid = 0 } = own.accounts.get('ridethrough-api') ?? {};
    expect(seenBy(`--reuid=${String(uid)}`, `--regid=${String(gid)}`, '--clear-groups')).to.equal('');
  });

  it('let the log worker create its file after a rotation, for itself and the administrators', async () => {
    const file = at('log/ridethrough.log');
    renameSync(file, `${file}.1`);
    daemon.signal('SIGHUP');
    await until(() => existsSync(file) && readFileSync(file, 'utf8').includes('CONFIG_RELOAD'));
    const { uid, gid, mode } = statSync(file);
    expect(uid).to.equal(uidOf('ridethrough-log'));
    expect(gid).to.equal(statSync(at('log')).gid);
    expect(mode & 0o7777).to.equal(0o640);
  });

  it('make the log worker report a file it may not write, and continue on standard error', async () => {
    const toml = readFileSync(at('config.toml'), 'utf8');
    daemon.configure(toml.replace(at('log/ridethrough.log'), at('ridethrough.log')));
    daemon.signal('SIGHUP');
    await daemon.logged(
      /the log file \S+ cannot be written \(EACCES.*user \d+ writes the log and needs access/,
    );
  });
});
