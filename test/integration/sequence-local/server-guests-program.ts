// Stops the containers of a "server", which is a real sshd in the namespace of this program, by the action of the remote worker, or
// starts again what an earlier run has found. Prints what was found, or the log and the events of the start.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedGuest, StoppedGuest } from '../../../shared/domain/recovery/guest.js';
import { guestKey } from '../../../shared/domain/recovery/guest.js';
import { systemClock } from '../../../shared/runtime/clock.js';
import { Guard } from '../../../supervisor/guard/guard.js';
import { GuestStarts } from '../../../supervisor/recovery/guests/guest-starts.js';
import { ServerEngine } from '../../../supervisor/recovery/guests/server-engine.js';
import { idleLog } from '../../fixtures/idle-parts.js';
import { preShutdown } from '../../fixtures/plans.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { accessTo, budgetOf, createTargets, workOn } from '../ssh/remote-parts.js';

const [mode = '', path = '', seconds = '', uri = null] = process.argv.slice(2);
const sshd = await PrivateSshd.start();
// With the environment of the sandbox, which sshd does not pass on.
const passed = ['PATH', 'DOCKER_HOST', 'LD_LIBRARY_PATH']
  .map((name) => `export ${name}='${process.env[name] ?? ''}'`)
  .join('\n');
for (const tool of ['docker', 'podman', 'virsh']) {
  // The server has the engine of the sandbox alone: another one would be that of this machine.
  const isThere = (tool === 'virsh' ? 'libvirt' : tool) === process.env['ENGINE'];
  const real = isThere
    ? execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim()
    : 'false';
  sshd.tool(tool, `${passed}\nexec ${real} "$@"`);
}
const { targets } = createTargets([accessTo(sshd)]);
const action = uri === null ? 'stop_containers' : 'stop_vms';
// Without an action it only stores the host key, as a shutdown has.
const actions = mode === 'stop' ? [preShutdown(action, { uri, timeoutSeconds: 40 })] : [];
const work = workOn({ actions, final: null });
const found = new Map<string, StoppedGuest>();
const outcome = await targets.shutDown(work, budgetOf(work), (guests) => {
  for (const guest of guests) found.set(guestKey(guest), guest);
});

async function start(): Promise<object> {
  const { unixSeconds, guests } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly unixSeconds: number;
    readonly guests: readonly StoppedGuest[];
  };
  const all = guests.map((guest): RecordedGuest => {
    return { ...guest, foundMs: null, foundUnixSeconds: unixSeconds, state: 'stopped', reason: '' };
  });
  const log: string[] = [];
  const events: string[] = [];
  const isOff = (guest: RecordedGuest) => (starts.endOf(guest) ?? guest).state === 'stopped';
  const starts: GuestStarts = new GuestStarts({
    ...{ clock: systemClock, guard: new Guard(idleLog), log: { info: (text) => void log.push(text) } },
    ...{ place: 'the server nas', retryMs: 2_000, restMs: 300_000 },
    guests: () => all.filter(isOff),
    heldBy: () => null,
    settings: () => ({ left: null, atOnce: 4 }),
    waitsFor: () => Promise.resolve(''),
    engineOf: ({ engine }) =>
      new ServerEngine(engine, {
        ...{ clock: systemClock, server: 'nas', useSudo: false, uri },
        look: (server, order) => targets.lookAtGuests(server, order),
        start: (server, order) => targets.startGuests(server, order),
        end: (server) => targets.endGuests([server]),
      }),
    staysOff: (detail) => events.push(detail),
    changed: () => undefined,
  });
  const endMs = systemClock.monotonicMs() + Number(seconds) * 1000;
  while (systemClock.monotonicMs() < endMs && events.length === 0 && all.some(isOff)) {
    starts.tick();
    await sleep(200);
  }
  return { log: log.sort(), events };
}

const stopped = { unixSeconds: systemClock.wallSeconds(), guests: [...found.values()] };
if (mode === 'stop') writeFileSync(path, JSON.stringify(stopped));
const report =
  mode === 'stop' ? { outcome, names: stopped.guests.map(({ name }) => name).sort() } : await start();
process.stdout.write(`${JSON.stringify(report)}\n`);
targets.end();
await sshd.stop();
process.exit();
