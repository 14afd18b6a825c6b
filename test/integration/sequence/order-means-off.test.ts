// Whole plans of a real daemon with real sshd on a network of namespaces: the next order begins when the one before is off,
// or past its time. By the clocks of the servers, which are the kernel's.
import { expect } from 'chai';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import type { ServersBody } from '../../../shared/http/device-bodies.js';
import { skipFor } from '../../fixtures/skip.js';
import type { Machine } from '../../fixtures/namespaces.js';
import { Network, networkProblem, relayTo } from '../../fixtures/namespaces.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { remoteServerToml } from '../../fixtures/remote-server-toml.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { isAbove, until } from '../../fixtures/until.js';

interface Target {
  readonly name: string;
  readonly order: number;
  /** From its command until its network is down; null: never. */
  readonly offSeconds: number | null;
}

/** When a server got its command and went off, Unix seconds; undefined: it did not. */
interface Course extends Target {
  readonly commanded: number | undefined;
  readonly off: number | undefined;
}

const haltTimeout = 8;
/** The worker answers shortly before the end of the wait. */
const marginSeconds = 1;

const at = (sshd: PrivateSshd, word: string): number | undefined => {
  const line = sshd.noted().find((one) => one.split(' ')[1] === word);
  return line === undefined ? undefined : Number(line.split(' ')[0]);
};

/** How long the servers took, once the history has every wait that ended with a server that is off. */
async function measuredBy(daemon: RunningDaemon): Promise<ServersBody['servers']> {
  const isStored = ({ servers }: ServersBody): boolean =>
    servers.every(
      ({ server, times }) =>
        !new RegExp(`${server} ok \\(off after`).test(daemon.log()) || times.sequence.off !== null,
    );
  // A busy machine may restart the API worker: it is asked again.
  const asked = () => daemon.control('servers').catch(() => null) as Promise<ServersBody | null>;
  const body = await until(asked, (found) => found !== null && isStored(found));
  return body?.servers ?? [];
}

/** Runs one plan to the power-off of the host; `meanwhile` is called when the first server has its command. */
async function run(
  targets: readonly Target[],
  trigger: 'battery' | 'FSD' = 'battery',
  meanwhile: (network: Network) => void = () => undefined,
  haltSeconds = haltTimeout,
): Promise<{
  readonly courses: readonly Course[];
  readonly log: string;
  readonly servers: ServersBody['servers'];
}> {
  const network = new Network();
  const own = network.machine('daemon');
  const upsd = await startSimulatedUpsd({ ups: [{ name: 'office', noise: 0 as const }] });
  const relay = await relayTo(own, upsd.port);
  const sshds: PrivateSshd[] = [];
  let daemon: RunningDaemon | undefined;
  try {
    const tables: string[] = [];
    for (const { name, order, offSeconds } of targets) {
      const machine: Machine = network.machine(name);
      const sshd = await PrivateSshd.start({ machine });
      sshds.push(sshd);
      const note = (word: string) => `echo "$(date +%s.%N) ${word}" >> ${sshd.notes}`;
      // Noted first: the daemon may find it off before the next program of this machine has begun.
      const goes = `(sleep ${String(offSeconds)}; ${note('off')}; /sbin/ip link set eth0 down) >/dev/null 2>&1 &`;
      sshd.tool('shutdown', `${note('commanded')}\n${offSeconds === null ? '' : goes}`);
      const server = remoteServerToml({ name, host: machine.address, ...sshd.login });
      tables.push(`${server}shutdown_order = ${String(order)}\nshutdown_command = "shutdown -h now"\n`);
    }
    const more = `[ups.filesystems]\nsync_enabled = false\n${tables.join('')}
[shutdown]
halt_timeout = ${String(haltSeconds)}
halt_settle = 1
[triggers.extended_time]
threshold = 1
`;
    const toml = configurationFor({ port: upsd.port, checkInterval: 0.5, more });
    daemon = await startDaemon({ toml, prefix: own.prefix });
    await daemon.seesAll();
    upsd.ups('office').set(trigger === 'FSD' ? { fsd: true } : { mainsVolts: 0 });
    await until(() => sshds.some((sshd) => at(sshd, 'commanded') !== undefined));
    meanwhile(network);
    await until(() => daemon?.powerOffs().length ?? 0, isAbove(0));
    // What was told is written after what was commanded.
    await daemon.logged('REMOTE_SHUTDOWN_SUMMARY');
    const courses = targets.map((target, index): Course => {
      const sshd = sshds[index];
      if (sshd === undefined) throw new Error(`${target.name} has no server`);
      return { ...target, commanded: at(sshd, 'commanded'), off: at(sshd, 'off') };
    });
    return { courses, log: daemon.log(), servers: await measuredBy(daemon) };
  } finally {
    await daemon?.stop();
    relay.stop();
    await upsd.stop();
    await Promise.all(sshds.map((sshd) => sshd.stop()));
    network.stop();
  }
}

/** Pairs of servers of which the second got its command too early. */
function tooEarly(courses: readonly Course[]): readonly string[] {
  return courses.flatMap((later) =>
    courses
      .filter(({ order }) => order < later.order)
      .filter(({ commanded = Infinity, off = Infinity }) => {
        const pastItsTime = commanded + haltTimeout - marginSeconds;
        return (later.commanded ?? Infinity) < Math.min(off, pastItsTime);
      })
      .map(({ name }) => `${later.name} before ${name}`),
  );
}

/** The simulation plays thousands of plans. */
const plans: readonly (readonly [string, readonly Target[]])[] = [
  [
    'two that go off, then one that does not, then one',
    [
      { name: 's0', order: 1, offSeconds: 0 },
      { name: 's1', order: 1, offSeconds: 3 },
      { name: 's2', order: 2, offSeconds: null },
      { name: 's3', order: 3, offSeconds: 0 },
    ],
  ],
  [
    'one of two that goes off, then one that does, then two',
    [
      { name: 's0', order: 1, offSeconds: 1 },
      { name: 's1', order: 1, offSeconds: null },
      { name: 's2', order: 2, offSeconds: 2 },
      { name: 's3', order: 3, offSeconds: null },
      { name: 's4', order: 3, offSeconds: 1 },
    ],
  ],
];

describe('an order of servers', () => {
  before(function () {
    skipFor(this, networkProblem());
  });

  it('is commanded when the one before is off, and the summary says after which time', async () => {
    // A check that was late proves nothing and is repeated: on a busy machine that takes time.
    const patienceSeconds = 60;
    const { courses, log, servers } = await run(
      [
        { name: 'db', order: 1, offSeconds: 2 },
        { name: 'nas', order: 2, offSeconds: null },
      ],
      'battery',
      undefined,
      patienceSeconds,
    );
    expect(courses.every(({ commanded }) => commanded !== undefined)).to.equal(true);
    expect(tooEarly(courses)).to.deep.equal([]);
    expect(/REMOTE_SHUTDOWN_SUMMARY.*/.exec(log)?.[0]).to.match(/db ok \(off after \d+ s\), nas ok/);
    const { login, command, off } = servers.find(({ server }) => server === 'db')?.times.sequence ?? {};
    expect([login?.count, command?.count, off?.count]).to.deep.equal([1, 1, 1]);
    expect(off?.p50Seconds).to.be.within(2, patienceSeconds);
  });

  it('is commanded at once after FSD', async () => {
    const { courses, log } = await run(
      [
        { name: 'db', order: 1, offSeconds: null },
        { name: 'nas', order: 2, offSeconds: null },
      ],
      'FSD',
    );
    expect(courses.every(({ commanded }) => commanded !== undefined)).to.equal(true);
    expect(log).not.to.include('not off');
  });

  it('is commanded after the time of the one before when the switch is dead for that long: silence proves nothing', async () => {
    let network: Network | undefined;
    const { courses, log } = await run(
      [
        { name: 'db', order: 1, offSeconds: null },
        { name: 'nas', order: 2, offSeconds: null },
      ],
      'battery',
      (one) => {
        network = one;
        one.switchOff();
        // The next order must be reached at last, to see when it was its turn.
        setTimeout(() => network?.switchOn(), (haltTimeout - 2) * 1000);
      },
    );
    expect(tooEarly(courses)).to.deep.equal([]);
    expect(log).not.to.match(/db ok \(off after/);
  });

  for (const [words, targets] of plans)
    it(`is never commanded before all of the one before are off or past their time: ${words}`, async () => {
      const { courses } = await run(targets);
      expect(courses.filter(({ commanded }) => commanded === undefined)).to.deep.equal([]);
      expect(tooEarly(courses)).to.deep.equal([]);
    });
});
