// Faults of the servers around the daemon: each hung, slow and flapping.
import { descendants } from '../../fixtures/processes.js';
import type { Excuse, Fault, Heal } from '../fault.js';
import type { Ground, Wires } from '../ground.js';

/** Slower than a poll interval, quicker than any deadline. */
const slowMs = 1_200;
const lastsMs = 6_000;
/** A hung NUT server of this host: three polls of five seconds each must fail before the failsafe acts, or does not. */
const blindMs = 20_000;

interface Server {
  readonly who: string;
  readonly part: Fault['part'];
  readonly wire: keyof Wires;
  /** What stops and goes on when it hangs: the server and whoever it has started. */
  readonly signal: (ground: Ground, name: NodeJS.Signals) => void;
  readonly excuse: Excuse;
  /** While it is slow. */
  readonly slowed: Excuse;
}

const servers: readonly Server[] = [
  {
    who: 'the NUT server of another UPS',
    part: 'upsd',
    wire: 'rack',
    signal: ({ servers: { upsd } }, name) => upsd.rack.signalServer(name),
    excuse: { polls: ['rack'] },
    slowed: { polls: ['rack'] },
  },
  {
    who: 'the NUT server of this host',
    part: 'upsd',
    wire: 'house',
    signal: ({ servers: { upsd } }, name) => upsd.house.signalServer(name),
    excuse: { polls: ['office', 'hall'], blind: true },
    // Each of the two readings that confirm comes late.
    slowed: { polls: ['office', 'hall'], lateMs: 4 * slowMs },
  },
  {
    who: 'the SSH server of one target',
    part: 'sshd',
    wire: 'sshd',
    signal: ({ servers: { sshd } }, name) => signalAll(sshd.hit.pid, name),
    excuse: { targets: ['gamma'] },
    slowed: { targets: ['gamma'] },
  },
  {
    who: 'the MQTT broker',
    part: 'broker',
    wire: 'broker',
    signal: ({ servers: { broker } }, name) => broker.signal(name),
    excuse: {},
    slowed: {},
  },
  {
    who: 'the notification server',
    part: 'notification server',
    wire: 'notify',
    signal: ({ servers: { notify } }, name) => void notify.kill(name),
    excuse: {},
    slowed: {},
  },
];

export const serverFaults: readonly Fault[] = servers.flatMap((server) => [
  fault(server, 'hangs', server.excuse, (ground) => {
    server.signal(ground, 'SIGSTOP');
    return () => server.signal(ground, 'SIGCONT');
  }),
  fault(server, 'is slow', server.slowed, (ground) => {
    ground.wires[server.wire].slow(slowMs);
    return () => ground.wires[server.wire].mend();
  }),
  fault(server, 'flaps', server.excuse, (ground) => {
    ground.wires[server.wire].flap();
    return () => ground.wires[server.wire].mend();
  }),
]);

function fault(
  { who, part }: Server,
  does: string,
  excuse: Excuse,
  inflict: (ground: Ground) => Heal,
): Fault {
  return {
    name: `${who} ${does}`,
    part,
    excuse,
    lastsMs: excuse.blind === true && does === 'hangs' ? blindMs : lastsMs,
    stays: true,
    inflict: (ground) => Promise.resolve(inflict(ground)),
  };
}

function signalAll(pid: number, name: NodeJS.Signals): void {
  for (const one of [pid, ...descendants(pid).map((row) => row.pid)]) process.kill(one, name);
}
