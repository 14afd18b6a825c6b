// `npm run bench [NAME...]`: prints figures, asserts nothing. Without a name every benchmark runs but the soak.
import { api } from './api.js';
import { attacks } from './attacks.js';
import { batteryHealth } from './battery.js';
import { brokerAway } from './broker-away.js';
import { cost } from './cost.js';
import { faultTable } from './faults.js';
import { floor } from './floor.js';
import { load } from './load/load.js';
import { shutdownWithHungTargets } from './hung-targets.js';
import { login } from './login.js';
import type { BenchOptions } from './options.js';
import { readOptions } from './options.js';
import { page } from './page.js';
import { policyStepBench } from './policy-step.js';
import { decision, reaction } from './reaction.js';
import { remoteTargets } from './remote.js';
import { disturbedSequences } from './sequence.js';
import { scrape } from './scrape.js';
import { soak } from './soak/soak.js';
import { starved } from './starved.js';
import { storageWrites } from './storage-writes.js';
import type { Figure } from './table.js';
import { printFigures } from './table.js';

interface Benchmark {
  readonly title: string;
  /** Runs only if named. */
  readonly long?: boolean;
  readonly run: (options: BenchOptions) => Promise<readonly Figure[]>;
}

const benchmarks: Readonly<Record<string, Benchmark>> = {
  cost: { title: 'The cost of a poll, of a start, and of memory', run: cost },
  floor: { title: 'Five Node processes that only stay alive', run: floor },
  faults: { title: 'One broken worker beside a working daemon', run: faultTable },
  attacks: { title: 'An outage while the API worker is hostile', run: attacks },
  policy: { title: 'One input through the policy', run: policyStepBench },
  scrape: { title: 'GET /metrics of a fleet that is updated each second', run: scrape },
  api: { title: 'The API under load, logs and metrics on', run: api },
  page: { title: 'The dashboard in a cold browser', run: page },
  login: { title: 'Logins, and everybody else meanwhile', run: login },
  load: { title: 'A thousand UPSes polled every second, with readers of the API', run: load },
  starved: { title: 'A machine that is short of processor time', run: starved },
  storage: { title: 'What storage writes: a day rolled up, then hours of samples', run: storageWrites },
  battery: { title: 'The health of batteries whose truth is known', run: batteryHealth },
  soak: { title: 'A day on a compressed clock', run: soak, long: true },
  mqtt: { title: 'An MQTT broker that is away for a minute', run: brokerAway },
  decision: { title: 'From the answer of a server to the power-off command', run: () => decision() },
  remote: {
    title: 'Servers shut down over SSH while others hang',
    run: async () => [...(await remoteTargets()), ...(await shutdownWithHungTargets())],
  },
  sequence: { title: 'A shutdown sequence beside what does not answer', run: disturbedSequences },
  reaction: { title: 'From a change at the UPS to the power-off command', run: reaction },
};

const asked = readOptions(process.argv.slice(2), Object.keys(benchmarks));
if ('problem' in asked) {
  process.stderr.write(asked.problem);
  process.exitCode = 2;
} else {
  const { names, options } = asked;
  for (const [name, { title, run, long = false }] of Object.entries(benchmarks)) {
    if (names.length === 0 ? !long : names.includes(name)) printFigures(title, await run(options));
  }
}
