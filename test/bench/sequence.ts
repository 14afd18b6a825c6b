// The duration of a sequence while something else does not respond: a full or frozen disk, a notification server, an MQTT
// broker. Compared with the same sequence without a fault.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { journalRecords, recordName, SequenceSite, sequenceSeconds } from '../fixtures/sequence-daemon.js';
import { onLoopback } from '../fixtures/loopback-server.js';
import { NameServer, nameServerProblem } from '../fixtures/name-server.js';
import type { RunningDaemon } from '../fixtures/running-daemon.js';
import { includes, isAtLeast, until } from '../fixtures/until.js';
import { freezable, freezeRefusal } from '../integration/storage/sandbox.js';
import type { Figure } from './table.js';
import { percentile } from './table.js';

const rounds = 3;
/** Each of the two servers works this long before its final command. */
const workSeconds = 3;

interface Disturbance {
  readonly what: string;
  readonly disk?: 'full' | 'frozen';
  /** TOML that points the daemon to a server that accepts and never answers. */
  readonly silent?: (port: number) => string;
  /** The servers are configured by name, and the name server stops answering after the start of the daemon. */
  readonly noNames?: true;
}

const disturbances: readonly Disturbance[] = [
  { what: 'nothing' },
  { what: 'a full disk under the history', disk: 'full' },
  { what: 'a disk that stands still under the history', disk: 'frozen' },
  {
    what: 'a notification server that never answers',
    silent: (port) => `[notifications]\nurls = ["webhook+http://127.0.0.1:${String(port)}/"]\n`,
  },
  {
    what: 'an MQTT broker that never answers',
    silent: (port) => `[mqtt]\nenabled = true\nbroker = "mqtt://127.0.0.1:${String(port)}"\n`,
  },
  { what: 'a name server that never answers, targets by name', noNames: true },
];

export async function disturbedSequences(): Promise<readonly Figure[]> {
  const refusal = freezeRefusal();
  const possible = disturbances.filter(({ disk }) => disk === undefined || refusal === null);
  const times = new Map<string, number[]>(possible.map(({ what }) => [what, []]));
  // Alternating, so that other load on the machine affects all alike.
  for (let round = 0; round < rounds; round += 1) {
    for (const disturbance of possible) times.get(disturbance.what)?.push(await secondsOf(disturbance));
  }
  const usual = percentile(times.get('nothing') ?? [], 0.5);
  const figures = [...times].map(([what, all]) => {
    const median = percentile(all, 0.5);
    const more = ((median / usual - 1) * 100).toFixed(1);
    return {
      what,
      value: `${median.toFixed(2)} s`,
      against: `${what === 'nothing' ? 'all' : `${more} % longer (goal: less than 5); all`} ${all.map((one) => one.toFixed(2)).join(' ')}`,
    };
  });
  return refusal === null ? figures : [...figures, { what: 'disks', value: 'skipped', against: refusal }];
}

async function secondsOf({ disk, silent, noNames }: Disturbance): Promise<number> {
  const server = await onLoopback(createServer());
  const names = noNames === true && nameServerProblem() === null ? await NameServer.start() : null;
  const more = silent?.(server.port) ?? '';
  const site = await SequenceSite.start({
    before: `sleep ${String(workSeconds)}`,
    more,
    ...(names === null ? {} : { hostOf: (name: string) => `${name}.rack.test` }),
  });
  const directory = mkdtempSync(join(tmpdir(), 'ridethrough-bench-'));
  const history = join(directory, 'lib');
  mkdirSync(history);
  const prefix =
    disk === undefined ? [] : ['unshare', '-m', 'sh', '-c', `${freezable(history)} && exec "$@"`, 'sh'];
  const daemon = await site.daemon(directory, names?.prefix ?? prefix);
  try {
    if (names !== null) {
      await until(() => names.answered.size, isAtLeast(2));
      // The answer is in transit to the worker; later data is not.
      await new Promise((resolve) => setTimeout(resolve, 500));
      names.fallSilent();
    }
    if (disk === 'full') inside(daemon, `dd if=/dev/zero of=${history}/filler bs=1M 2>/dev/null || true`);
    if (disk === 'frozen') inside(daemon, `fsfreeze -f ${history}`);
    site.trigger();
    await until(() => journalRecords(directory).map(recordName), includes('over'), 60_000);
    return sequenceSeconds(directory);
  } finally {
    if (disk === 'frozen') inside(daemon, `fsfreeze -u ${history}`);
    await daemon.stop();
    await site.stop();
    await names?.stop();
    await server.close();
  }
}

function inside({ pid }: RunningDaemon, script: string): void {
  execFileSync('nsenter', ['-t', String(pid), '-m', 'sh', '-c', script]);
}
