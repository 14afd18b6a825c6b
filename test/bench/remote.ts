// The time until the working servers of one shutdown order receive their final command while others hang: a real sshd, the
// real worker process, and servers that hang in different ways.
import type { RemoteWork } from '../../shared/domain/actions/remote-work.js';
import type { RemoteTarget, TargetOutcome } from '../../shared/protocol/remote.js';
import { notWatched } from '../fixtures/off-check.js';
import type { MisbehavingSshd } from '../fixtures/misbehaving-sshd.js';
import { startLogin, startRaw } from '../fixtures/misbehaving-sshd.js';
import { PrivateSshd } from '../fixtures/private-sshd.js';
import { RemoteProcess } from '../integration/ssh/remote-process.js';
import type { Figure } from './table.js';
import { percentile } from './table.js';

/** The default of the configuration; the command timeout is shortened to save time. */
const connectTimeoutSeconds = 10;
const commandTimeoutSeconds = 5;
const marginSeconds = 5;

/** The kinds of hangs, in turn. */
export const hanging: readonly (() => Promise<MisbehavingSshd>)[] = [
  () => startRaw('silent'),
  () => startLogin('hangs after login'),
  () => startLogin('sleeps'),
  () => startLogin('floods'),
  () => startRaw('endless greeting'),
];

export async function remoteTargets(): Promise<readonly Figure[]> {
  return [...(await order(20, 5, '2 s')), ...(await order(100, 25, '8 s'))];
}

/** All targets of one order in parallel; the first `bad` of them hang. */
async function order(count: number, bad: number, goal: string): Promise<readonly Figure[]> {
  const sshd = await PrivateSshd.start();
  const bads = await Promise.all(
    Array.from({ length: bad }, (_, index) =>
      (hanging[index % hanging.length] ?? (() => startRaw('silent')))(),
    ),
  );
  const servers = Array.from({ length: count }, (_, index): RemoteTarget => ({
    server: `target-${String(index)}`,
    host: '127.0.0.1',
    port: bads[index]?.port ?? sshd.port,
    user: sshd.user,
    privateKey: sshd.privateKey,
    keyTrouble: null,
    knownHostsFile: sshd.knownHosts,
    hostKeyPolicy: 'accept-new',
    connectTimeoutMs: connectTimeoutSeconds * 1000,
    offCheck: notWatched,
  }));
  const worker = await RemoteProcess.start({ servers });
  try {
    await worker.request('prepare', {});
    const beganSeconds = Date.now() / 1000;
    const budgetMs = (connectTimeoutSeconds + commandTimeoutSeconds + marginSeconds) * 1000;
    const outcomes = await Promise.all(
      servers.map((access) =>
        worker.request<TargetOutcome>(
          'target.shutdown',
          { run: 1, work: workOf(access), budgetMs },
          budgetMs,
        ),
      ),
    );
    const endedSeconds = Date.now() / 1000 - beganSeconds;
    const delays = sshd.noted().map((line) => Number(line.split(' ')[0]) - beganSeconds);
    const good = outcomes.slice(bad);
    const name = `${String(count)} targets, ${String(bad)} hung`;
    return [
      {
        what: `${name}: command at the ${String(count - bad)} others`,
        value: `${String(delays.length)} commanded, median ${percentile(delays, 0.5).toFixed(2)} s, last ${Math.max(...delays).toFixed(2)} s`,
        against: `goal: all within ${goal}`,
      },
      {
        what: `${name}: reported`,
        value: `${String(good.filter(({ result }) => result === 'ok').length)} ok; hung: ${tally(outcomes.slice(0, bad))}; all ended after ${endedSeconds.toFixed(1)} s`,
        against: `budget ${String(budgetMs / 1000)} s`,
      },
    ];
  } finally {
    worker.stop();
    bads.forEach((server) => server.stop());
    await sshd.stop();
  }
}

const workOf = ({ server, host, port, user }: RemoteTarget): RemoteWork => ({
  server,
  host,
  port,
  user,
  useSudo: false,
  connectTimeoutSeconds,
  actions: [],
  final: `shutdown -h now ${server}`,
  commandTimeoutSeconds,
});

function tally(outcomes: readonly TargetOutcome[]): string {
  const words = [...new Set(outcomes.map(({ result }) => result))];
  return words
    .map((word) => `${String(outcomes.filter(({ result }) => result === word).length)} ${word}`)
    .join(', ');
}
