// What a compromised API worker sends: requests with hostile parameters, messages of other workers, and floods.
import { setTimeout as pause } from 'node:timers/promises';
import type { HijackedInstance } from '../../fixtures/hijacked-worker.js';

const principal = 'user:\u001b[2J\nroot';
const evil = ['', '__proto__', 'constructor', '../../etc/shadow', '\u0000', 'x'.repeat(256), '💣'.repeat(64)];

const batch = { source: 'upslog', isDryRun: false, buckets: [], events: [], outages: [] };
const measured = { phase: 'off', isDrill: true, at: 0, seconds: 1 };

/** Every request of its contract, with an existing group and others. */
export function everyAsk(group: string): readonly (readonly [name: string, params: unknown])[] {
  const ofGroups = [group, ...evil].flatMap((which): readonly (readonly [string, unknown])[] => [
    ['readings.get', { group: which }],
    ['explain.get', { group: which }],
    ['plan.get', { group: which }],
    ['recovery.check', { group: which }],
    ['control.commands', { group: which }],
    ['control.variables', { group: which }],
    ['control.run', { group: which, principal, command: which, value: which.repeat(4) }],
    ['control.write', { group: which, principal, variable: which, value: which }],
    ['events.delete', { group: which, principal, items: [] }],
    ['selfTest.run', { group: which, principal }],
    ['history.import', { principal, id: 'batch', isLast: true, batch: { ...batch, groupId: which } }],
    ['servers.measured', { times: [{ ...measured, server: which }] }],
  ]);
  const ofAll = ['configuration.reload', 'notifications.test', 'sequence.cancel', 'log.tail'];
  return [...ofGroups, ...ofAll.map((name) => [name, { principal }] as const)];
}

/** Each is fatal for the worker; test/supervisor/supervision tries every kind. */
export const offences: readonly ((instance: HijackedInstance) => void)[] = [
  (instance) => void instance.ask('sequence.start', { group: 'office' }),
  (instance) => void instance.ask('recovery.start', { group: 'office' }),
  (instance) => {
    for (const id of [1, 1])
      instance.send({ kind: 'event', id, name: 'api.listening', body: { address: '', error: null } });
  },
  (instance) => void instance.raw(Buffer.from([0, 0, 0, 2, 0x7b, 0x7b])),
];

export interface Attack {
  readonly name: string;
  /** Continues while `going`. */
  readonly act: (instance: HijackedInstance, group: string, going: () => boolean) => Promise<void>;
  /** What costs the instance on a busy machine too, where `act` is too slow to read for a flood. */
  readonly fatal?: Attack['act'];
}

/** As fast as the supervisor reads. */
async function pour(
  instance: HijackedInstance,
  going: () => boolean,
  next: () => void,
  inOneGo = 64,
): Promise<void> {
  while (going()) {
    for (let times = 0; times < inOneGo && going(); times += 1) next();
    await instance.drained();
    await pause(1);
  }
}

function padded(pad: unknown): Buffer {
  const text = JSON.stringify({ kind: 'heartbeat', pad });
  const frame = Buffer.alloc(4 + text.length);
  frame.writeUInt32BE(text.length);
  frame.write(text, 4);
  return frame;
}
const bulk = padded(Array.from({ length: 1_300_000 }, () => []));
/** As long, and decoded in no time. */
const light = padded('x'.repeat(3_900_000));

/** Each is a new instance for the supervisor, which records the counts of the last one. */
let lives = 0;
const counts = Array.from({ length: 32 }, () => ({ type: 'LOGIN_FAILURE', count: Number.MAX_SAFE_INTEGER }));

/** Only permitted requests, one by one. */
export const mildAttacks: readonly Attack[] = [
  {
    name: 'simultaneous requests',
    act: (instance, group, going) =>
      pour(
        instance,
        going,
        () => {
          for (const [name, params] of everyAsk(group)) if (going()) void instance.ask(name, params);
        },
        1,
      ),
  },
  {
    name: 'continuous reloads',
    act: async (instance, _, going) => {
      while (going())
        await Promise.all(
          Array.from({ length: 60 }, (__, number) =>
            instance.ask('configuration.reload', { principal: `user:${String(number)}` }),
          ),
        );
    },
  },
  {
    name: 'rejected commands at the highest accepted rate',
    act: (instance, group, going) =>
      pour(
        instance,
        going,
        () => void instance.ask('control.run', { group, principal, command: 'load.off', value: null }),
        32,
      ),
  },
  {
    name: 'poller requests at the highest accepted rate',
    act: async (instance, group, going) => {
      while (going())
        await Promise.all(Array.from({ length: 60 }, () => instance.ask('control.variables', { group })));
    },
  },
  {
    name: 'continuous cancels',
    act: (instance, _, going) =>
      pour(instance, going, () => void instance.ask('sequence.cancel', { principal }), 20),
  },
  {
    name: 'log lines and audit rows',
    act: (instance, group, going) =>
      pour(
        instance,
        going,
        () => {
          instance.tell('audit.counted', { instance: String((lives += 1)), counts });
          instance.tell('audit.recorded', {
            type: 'LOGIN_FAILURE',
            source: group,
            detail: 'x'.repeat(1_000),
          });
          instance.send({
            kind: 'log',
            record: { timestamp: 0, level: 'error', logger: 'supervisor', message: 'x'.repeat(4_000) },
            dropped: 9_999_999,
          });
        },
        20,
      ),
  },
];

/** Each is fatal for one instance after the other. */
export const fatalAttacks: readonly Attack[] = [
  {
    name: 'endless frames',
    act: (instance, _, going) => pour(instance, going, () => instance.send({ kind: 'heartbeat' }), 1_000),
  },
  {
    name: 'the longest frames, full of small values',
    act: (instance, _, going) => pour(instance, going, () => instance.raw(bulk), 1),
    fatal: (instance, _, going) => pour(instance, going, () => instance.raw(light), 1),
  },
  {
    name: 'an immediate exit of each instance',
    act: async (instance) => {
      await Promise.resolve();
      instance.raw(Buffer.from([0xff, 0xff, 0xff, 0xff]));
    },
  },
];
