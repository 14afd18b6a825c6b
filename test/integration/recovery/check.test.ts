// Whether each machine comes back after an outage: the running daemon, and a drill over a real sshd.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { RecoveryCheckBody } from '../../../shared/http/device-bodies.js';
import type { ReadyModel } from '../../../shared/protocol/api.js';
import { Office } from '../../fixtures/office.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { remoteServerToml } from '../../fixtures/remote-server-toml.js';
import type { Ran } from '../../fixtures/ridethrough.js';
import { ridethrough } from '../../fixtures/ridethrough.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { skipFor } from '../../fixtures/skip.js';
import { until } from '../../fixtures/until.js';

const noCard = '00:00:5e:00:53:01';

/** Of a network card of this machine, which is the server here; null: it has none. */
function ownCard(): string | null {
  const cards = '/sys/class/net';
  const name = readdirSync(cards).find((card) => existsSync(join(cards, card, 'device')));
  return name === undefined ? null : readFileSync(join(cards, name, 'address'), 'utf8').trim();
}

describe('ridethrough recovery check', () => {
  const office = new Office();
  let sshd: PrivateSshd;
  beforeEach(async () => {
    sshd = await PrivateSshd.start();
  });
  afterEach(() => sshd.stop());

  const server = (name: string, mac: string, host = '127.0.0.1'): string =>
    `${remoteServerToml({ ...sshd.login, name, host, port: sshd.port, knownHosts: '{directory}/known_hosts' })}
[ups.remote_servers.wake]
mac = "${mac}"
`;
  const start = (more: string): Promise<RunningDaemon> =>
    office.start({ more: `${more}\n[recovery]\nenabled = true\n[remote_health]\nenabled = false\n` });
  const run = ({ directory }: RunningDaemon, ...args: string[]): Promise<Ran> =>
    ridethrough([...args, '--config', join(directory, 'config.toml')]);
  const kindsOf = async (daemon: RunningDaemon, name: string): Promise<readonly string[]> => {
    const { machines } = (await daemon.control('recovery/check')) as RecoveryCheckBody;
    const found = machines.find((machine) => machine.name === name)?.findings ?? [];
    return found.map(({ kind, level }) => `${kind} ${level}`);
  };

  it('has what a drill has found, in text, JSON, validate and the details of /ready, which stays 200', async () => {
    const daemon = await start(`${server('nas', noCard)}${server('web', noCard, 'localhost')}`);
    await daemon.seesAll();
    expect(await kindsOf(daemon, 'nas')).to.deep.equal([
      'output_stays_on warning',
      'not_asked note',
      'never_proven note',
    ]);
    const drill = await run(daemon, 'shutdown', 'group', '--group', office.name);
    expect(drill.out).to.contain(`no network card of it has the address ${noCard}`);
    await until(
      () => kindsOf(daemon, 'nas'),
      (kinds) => kinds.includes('mac warning'),
    );

    const text = await run(daemon, 'recovery', 'check');
    expect(text.code).to.equal(1);
    expect(text.out).to.match(/^3 of 3 machines with a warning\.\n/);
    expect(text.out).to.match(/^ {2}asked {4}by the drill of \d{4}-\d\d-\d\d/m);
    expect(text.out).to.match(/^ {2}WARNING {2}nothing cuts the output of /m);
    const json = await run(daemon, 'recovery', 'check', '--json');
    expect(json.code, 'the same with --json').to.equal(1);
    expect((JSON.parse(json.out) as RecoveryCheckBody).machines.map(({ name }) => name)).to.deep.equal([
      'this host',
      'nas',
      'web',
    ]);

    const validated = await run(daemon, 'validate');
    expect(validated.out).to.contain('nas: the way back: nothing cuts the output of');
    const ready = await until(
      async () => (await daemon.control('ready')) as ReadyModel,
      ({ capabilities }) =>
        capabilities.some(({ id, reason }) => id.endsWith('/way_back/nas') && reason.includes(noCard)),
    );
    expect(ready.ready).to.equal(true);
    expect(
      sshd.noted().some((line) => / shutdown /.test(line) && !line.includes('sudo')),
      'nothing was shut down',
    ).to.equal(false);
  });

  it('warns of a network card that a drill has found with Wake-on-LAN disabled', async function () {
    const mac = ownCard();
    if (mac === null) return skipFor(this, 'this machine has no network card');
    sshd.tool('ethtool', 'echo "Settings for $1:"; echo "	Supports Wake-on: pumbg"; echo "	Wake-on: d"');
    const daemon = await start(server('nas', mac));
    await daemon.seesAll();
    expect((await run(daemon, 'shutdown', 'group', '--group', office.name)).code).to.equal(0);
    await until(
      () => kindsOf(daemon, 'nas'),
      (kinds) => kinds.includes('wake warning'),
    );
  });

  it('ends with 0 where only notes are left', async () => {
    office.upsd.ups('office').set({ variables: { 'ups.delay.start': '180' } });
    const daemon = await start(
      `[ups_output]\noff_after_shutdown = true\n[nut_control]\npassword = "long enough"\n`,
    );
    await daemon.seesAll();
    const { code, out } = await run(daemon, 'recovery', 'check');
    expect(out).to.match(/^0 of 1 machine with a warning\.\n/);
    expect(out).to.contain('nobody is awake');
    expect(code).to.equal(0);
  });

  it('says that no daemon answers, and which subcommands there are', async () => {
    const none = await ridethrough(['recovery', 'check', '--socket', '/nonexistent/control.sock']);
    expect([none.code, none.out]).to.deep.equal([1, '']);
    expect((await ridethrough(['recovery', 'wake'])).code).to.equal(2);
  });
});
