// A day of the daemon in 15 minutes: the real process tree on a compressed clock, with all features on. Samples the memory
// and files of each process and thread; a positive slope is growth.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Broker } from '../../fixtures/broker.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { remoteServerToml } from '../../fixtures/remote-server-toml.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { processesOf, restartsFigure, restartsIn } from '../load/daemon-processes.js';
import type { PollFigures } from '../load/polls.js';
import { checkPolls } from '../load/polls.js';
import type { BenchOptions } from '../options.js';
import type { Figure } from '../table.js';
import { spread } from '../table.js';
import { clockVariable, hourMs, sampleHours } from './clock-file.js';
import { CompressedClock } from './compressed-clock.js';
import type { WorkloadReport } from './workload.js';
import { startWorkload } from './workload.js';
import type { Verdict } from './growth.js';
import { ProcessSamples, checkGrowth, threadSamples } from './growth.js';
import { program } from '../../fixtures/ridethrough.js';

const usual = { hours: 24, speed: 120 };
const names = ['office', 'rack'] as const;
const preload = new URL('./preload.js', import.meta.url).href;
/** A sample comes this long after the forced garbage collection of the threads. */
const afterCollectionMs = 60_000;
const intervalMs = 1_000;
const sampleMs = sampleHours * hourMs;

export interface SoakReport {
  readonly verdict: Verdict;
  readonly day: WorkloadReport;
  readonly polls: PollFigures;
  readonly restarts: readonly string[];
  readonly powerOffs: number;
  readonly drill: string;
  readonly figures: readonly Figure[];
}

export async function soak({
  hours = usual.hours,
  speed = usual.speed,
}: BenchOptions): Promise<readonly Figure[]> {
  return (await soaked(hours, speed)).figures;
}

/** Runs `hours` of a daemon, at most `speed` times faster than real time. */
export async function soaked(hours: number, speed: number): Promise<SoakReport> {
  const clock = new CompressedClock();
  /** Stops in reverse order of the start, also when a later start fails. */
  const stops: (() => Promise<void> | void)[] = [() => clock.close()];
  const started = <A extends { stop(): Promise<void> }>(one: A): A => {
    stops.unshift(() => one.stop());
    return one;
  };
  const asked = new Map<string, number[]>(names.map((name) => [name, []]));
  try {
    const broker = started(await Broker.start());
    const sshd = started(await PrivateSshd.start());
    const upsd = started(
      await startSimulatedUpsd({
        clock,
        ups: names.map((name) => ({ name })),
        onQuery: ([verb, kind, ups = '']) => {
          if (verb === 'LIST' && kind === 'VAR') asked.get(ups)?.push(clock.monotonicMs());
        },
      }),
    );
    const daemon = await startDaemon({
      toml: configuration({ upsd, broker, sshd }),
      env: { NODE_OPTIONS: `--import=${preload}`, [clockVariable]: clock.directory },
    });
    stops.unshift(async () => void (await daemon.stop()));
    return await runWorkload({ clock, daemon, upsd, apiPort: daemon.apiPort, hours, speed, asked });
  } finally {
    clock.run(1);
    for (const end of stops) await end();
  }
}

interface SoakRun {
  readonly clock: CompressedClock;
  readonly daemon: RunningDaemon;
  readonly upsd: SimulatedUpsd;
  readonly apiPort: number;
  readonly hours: number;
  readonly speed: number;
  readonly asked: ReadonlyMap<string, readonly number[]>;
}

async function runWorkload({
  clock,
  daemon,
  upsd,
  apiPort,
  hours,
  speed,
  asked,
}: SoakRun): Promise<SoakReport> {
  const processes = processesOf(daemon);
  const samples = new ProcessSamples(processes);
  const paths = ['/api/v1/ups', '/health', `/api/v1/ups/office@127.0.0.1:${String(upsd.port)}/history`];
  const beganMs = clock.monotonicMs();
  const startedMs = performance.now();
  clock.run(speed);
  const endWorkload = startWorkload({ clock, upsd, apiPort, names, paths });
  let drill = Promise.resolve('none');
  const looks = Math.round(hours / sampleHours);
  for (let look = 1; look <= looks; look += 1) {
    await clock.pass(nextCollectionMs(beganMs + look * sampleMs) + afterCollectionMs - clock.monotonicMs());
    samples.take((clock.monotonicMs() - beganMs) / hourMs);
    if (look === Math.ceil(looks / 2)) drill = drilled(daemon);
  }
  const endedMs = clock.monotonicMs();
  const wallSeconds = (performance.now() - startedMs) / 1000;
  clock.run(1);
  const day = endWorkload();
  const polls = checkPolls(asked, { fromMs: beganMs, toMs: endedMs }, intervalMs);
  const verdict = checkGrowth(
    [...samples.held, ...threadSamples(clock.directory, processes, beganMs)],
    (endedMs - beganMs) / hourMs,
  );
  const restarts = restartsIn(daemon.log());
  const powerOffs = daemon.powerOffs().length;
  const said = await drill;
  const runWorkload = (endedMs - beganMs) / hourMs;
  const figures: Figure[] = [
    {
      what: 'hours that passed for the daemon',
      value: runWorkload.toFixed(1),
      against: `in ${(wallSeconds / 60).toFixed(1)} min: ${((runWorkload * 3600) / wallSeconds).toFixed(0)} times as fast`,
    },
    {
      what: 'polls of two UPSes',
      value: String(polls.done),
      against: `of ${String(polls.expected)} that the time had room for; ${String(polls.skipped)} intervals without one`,
    },
    { what: 'lateness of a poll on that clock', value: spread(polls.lateMs, 'ms', 0) },
    {
      what: 'scrapes, reads',
      value: `${String(day.scrapes)}, ${String(day.reads)}`,
      against: `${String(day.failures)} failed; ${String(day.streamMessages)} messages of the stream`,
    },
    {
      what: 'outages that ended in time',
      value: String(day.outages),
      against: `${String(powerOffs)} power-offs`,
    },
    { what: 'drill', value: said },
    restartsFigure(restarts),
    ...verdict.figures,
    {
      what: 'verdict',
      value: verdict.growing.length === 0 ? 'flat' : 'GROWS',
      against: verdict.growing.join('; '),
    },
  ];
  return { verdict, day, polls, restarts, powerOffs, drill: said, figures };
}

/** The threads collect garbage at multiples of the sample interval, independently of the start of the daemon. */
function nextCollectionMs(ms: number): number {
  return Math.ceil(ms / sampleMs) * sampleMs;
}

/** A drill in the middle of the day, in its own process and in real time. */
async function drilled({ directory }: RunningDaemon): Promise<string> {
  const file = join(directory, 'config.toml');
  const words = [program, 'shutdown', 'group', '--group', 'office', '--config', file];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: 120_000 });
    return /\d+ of \d+ servers[^\n]*/.exec(stdout)?.[0] ?? 'done';
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

interface Surroundings {
  readonly upsd: SimulatedUpsd;
  readonly broker: Broker;
  readonly sshd: PrivateSshd;
}

/** All features on; thresholds that an outage of a minute does not reach. */
function configuration({ upsd, broker, sshd }: Surroundings): string {
  const server = `${remoteServerToml({ name: 'nas', ...sshd.login })}connect_timeout = 60
`;
  const [local, other] = names.map(
    (name) => `
[[ups]]
name = "${name}@127.0.0.1:${String(upsd.port)}"
display_name = "${name}"
is_local = ${String(name === 'office')}
`,
  );
  const more = `
[triggers.extended_time]
enabled = false
[remote_health]
interval = 180
[mqtt]
enabled = true
broker = "mqtt://127.0.0.1:${String(broker.openPort)}"
`;
  return `${local ?? ''}${server}${other ?? ''}${configurationFor({
    port: upsd.port,
    ups: [],
    apiPort: 0,
    stabilizationDelay: 30,
    more,
  })}`;
}
