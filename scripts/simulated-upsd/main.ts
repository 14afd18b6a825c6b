// The simulated upsd as a program: one UPS on loopback. Prints its address and the events of the UPS on standard output,
// and plays the scenario whose name it reads on standard input.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { BehaviourName } from './behaviours.js';
import { behaviourNames, behaviours, isBehaviourName } from './behaviours.js';
import type { ScenarioName } from './scenarios.js';
import { isScenarioName, scenarioNames, scenarios } from './scenarios.js';
import { startSimulatedUpsd } from './server.js';
import type { User } from './users.js';
import { errorMessage } from '../../shared/domain/base/error-message.js';

const usage = `Usage: node dist/scripts/simulated-upsd/main.js [OPTIONS]

  --host ADDRESS       loopback address to listen on (127.0.0.1)
  --port PORT          0 selects a free port (0)
  --ups NAME           the name of the UPS (simulated)
  --scenario NAME      ${scenarioNames.join(', ')}
  --behaviour NAMES    what device and driver do otherwise, several with commas between (below)
  --speed N            seconds of the UPS per second, 1 to 1000 (1)
  --certificate FILE   certificate and key for STARTTLS, both in this PEM file
  --client-ca FILE     with --certificate: clients must show a certificate of this CA
  --reads-need-login   reads need a user too
  --max-connections N  closes every further connection

A scenario name on standard input starts that scenario.
Behaviours, in seconds of the UPS:
${behaviourNames.map((name) => `  ${name.padEnd(20)} ${behaviours[name].says}`).join('\n')}

Users: admin (SET and INSTCMD) and monitor (primary). Their password is "simulated".
`;

const users: readonly User[] = [
  { name: 'admin', password: 'simulated', actions: ['SET', 'FSD'], instcmds: ['ALL'] },
  { name: 'monitor', password: 'simulated', upsmon: 'primary' },
];

/** Keeps the rest of the output on the screen. */
const maxAnnounced = 5;
/** Maximum delay of a printed scenario event while no client sends a query. */
const updateMs = 100;

function readArguments() {
  const { values } = parseArgs({
    options: {
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: '0' },
      ups: { type: 'string', default: 'simulated' },
      scenario: { type: 'string' },
      behaviour: { type: 'string', default: '' },
      speed: { type: 'string', default: '1' },
      certificate: { type: 'string' },
      'client-ca': { type: 'string' },
      'reads-need-login': { type: 'boolean', default: false },
      'max-connections': { type: 'string', default: '4096' },
      help: { type: 'boolean', default: false },
    },
  });
  const { host, ups, scenario, help } = values;
  const maxConnections = Number(values['max-connections']);
  if (!Number.isInteger(maxConnections) || maxConnections < 1)
    throw new Error(`--max-connections expects a number from 1, not ${values['max-connections']}`);
  const [port, speed] = [Number(values.port), Number(values.speed)];
  if (!(speed >= 1 && speed <= 1000))
    throw new Error(`--speed expects a number from 1 to 1000, not ${values.speed}`);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error(`--port expects a number from 0 to 65535, not ${values.port}`);
  if (scenario !== undefined && !isScenarioName(scenario))
    throw new Error(`there is no scenario "${scenario}"; there are ${scenarioNames.join(', ')}`);
  const pem = values.certificate === undefined ? undefined : readFileSync(values.certificate, 'utf8');
  const ca = values['client-ca'];
  return {
    ...{ host, port, ups, scenario, speed, help, chosen: readBehaviours(values.behaviour) },
    server: {
      maxConnections,
      readsNeedLogin: values['reads-need-login'],
      ...(pem === undefined ? {} : { tls: { certPem: pem, keyPem: pem } }),
      ...(ca === undefined ? {} : { clientCaPem: readFileSync(ca, 'utf8') }),
    },
  };
}

function readBehaviours(text: string): readonly BehaviourName[] {
  return text.split(',').flatMap((name) => {
    if (name === '' || isBehaviourName(name)) return name === '' ? [] : [name];
    throw new Error(`there is no behaviour "${name}"; there are ${behaviourNames.join(', ')}`);
  });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function announce(name: ScenarioName, speed: number): void {
  const { title, sentence, lengthSeconds, events } = scenarios[name];
  const seconds = (upsSeconds: number): string => `${String(Math.round(upsSeconds / speed))} s`;
  print(`${title}: ${sentence} One round lasts ${seconds(lengthSeconds)}.`);
  const later = events.slice(1);
  for (const { atSeconds, says } of later.slice(0, maxAnnounced))
    print(`  after ${seconds(atSeconds).padStart(5)}: ${says}`);
  if (later.length > maxAnnounced) print(`  and ${String(later.length - maxAnnounced)} more`);
}

async function serve(): Promise<void> {
  const { host, port, ups, scenario, speed, help, chosen, server } = readArguments();
  if (help) return print(usage);
  let onEvent = (_says: string): void => undefined;
  const upsd = await startSimulatedUpsd({
    ups: [{ name: ups, description: 'A simulated UPS', behaviours: chosen }],
    users,
    host,
    port,
    speed,
    ...server,
    onEvent: (_ups, says) => onEvent(says),
  });
  upsd.misbehave(chosen.map((name) => behaviours[name].fault).find((fault) => fault !== undefined));
  print(`listening on ${upsd.host}:${String(upsd.port)}`);
  const play = (name: ScenarioName): void => {
    onEvent = () => undefined;
    announce(name, speed);
    upsd.ups(ups).play(scenarios[name]);
    onEvent = (says) => print(`now: ${says}`);
  };
  if (scenario !== undefined) play(scenario);
  const update = setInterval(() => upsd.ups(ups).next(), updateMs);
  const input = createInterface({ input: process.stdin });
  input.on('line', (line) => {
    const word = line.trim();
    if (isScenarioName(word)) play(word);
    else if (word !== '')
      print(`there is no scenario "${word.slice(0, 40)}"; there are ${scenarioNames.join(', ')}`);
  });
  const stop = (): void => {
    clearInterval(update);
    input.close();
    process.stdin.destroy();
    void upsd.stop();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // Standard output is closed: the caller has ended.
  process.stdout.on('error', stop);
}

try {
  await serve();
} catch (error) {
  process.stderr.write(`simulated upsd: ${errorMessage(error)}. See --help.\n`);
  process.exitCode = 2;
}
