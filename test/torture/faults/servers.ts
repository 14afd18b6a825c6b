// Faults of the servers around the daemon: each hangs, is slow, or flaps.
import { descendants, signal } from '../../fixtures/processes.js';
import type { Allowance } from '../allowance.js';
import type { Fault, Heal } from '../fault.js';
import type { Testbed, Proxies } from '../testbed.js';

/** Longer than a poll interval, shorter than any deadline. */
const slowMs = 1_200;
const lastsMs = 6_000;
/** A hung NUT server of this host: the failsafe fires only after three polls of 5 s have failed. */
const blindMs = 20_000;

interface Server {
  readonly who: string;
  readonly part: Fault['part'];
  readonly proxy: keyof Proxies;
  /** Signals the server and its children. */
  readonly signal: (testbed: Testbed, name: NodeJS.Signals) => void;
  readonly allowance: Allowance;
  /** The allowance of the slow server. */
  readonly slowed: Allowance;
}

const servers: readonly Server[] = [
  {
    who: 'the NUT server of another UPS',
    part: 'upsd',
    proxy: 'rack',
    signal: ({ servers: { upsd } }, name) => upsd.rack.signalServer(name),
    allowance: { polls: ['rack'] },
    slowed: { polls: ['rack'] },
  },
  {
    who: 'the NUT server of this host',
    part: 'upsd',
    proxy: 'house',
    signal: ({ servers: { upsd } }, name) => upsd.house.signalServer(name),
    allowance: { polls: ['office', 'hall'], blind: true },
    // Both readings that confirm the trigger are late.
    slowed: { polls: ['office', 'hall'], lateMs: 4 * slowMs },
  },
  {
    who: 'the SSH server of one target',
    part: 'sshd',
    proxy: 'sshd',
    signal: ({ servers: { sshd } }, name) => signalAll(sshd.hit.pid, name),
    allowance: { targets: ['gamma'] },
    slowed: { targets: ['gamma'] },
  },
  {
    who: 'the MQTT broker',
    part: 'broker',
    proxy: 'broker',
    signal: ({ servers: { broker } }, name) => broker.signal(name),
    allowance: {},
    slowed: {},
  },
  {
    who: 'the notification server',
    part: 'notification server',
    proxy: 'notify',
    signal: ({ servers: { notify } }, name) => void notify.kill(name),
    allowance: {},
    slowed: {},
  },
];

export const serverFaults: readonly Fault[] = servers.flatMap((server) => [
  fault(server, 'hangs', server.allowance, (testbed) => {
    server.signal(testbed, 'SIGSTOP');
    return () => server.signal(testbed, 'SIGCONT');
  }),
  fault(server, 'is slow', server.slowed, (testbed) => {
    testbed.proxies[server.proxy].slow(slowMs);
    return () => testbed.proxies[server.proxy].restore();
  }),
  fault(server, 'flaps', server.allowance, (testbed) => {
    testbed.proxies[server.proxy].flap();
    return () => testbed.proxies[server.proxy].restore();
  }),
]);

function fault(
  { who, part }: Server,
  effect: string,
  allowance: Allowance,
  inject: (testbed: Testbed) => Heal,
): Fault {
  return {
    name: `${who} ${effect}`,
    part,
    allowance,
    lastsMs: allowance.blind === true && effect === 'hangs' ? blindMs : lastsMs,
    persists: true,
    inject: (testbed) => Promise.resolve(inject(testbed)),
  };
}

function signalAll(pid: number, name: NodeJS.Signals): void {
  signal([pid, ...descendants(pid).map((row) => row.pid)], name);
}
