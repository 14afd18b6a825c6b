// Starts with the real engines of its namespace what perform-program.ts has found and stopped. Prints the ends, the log and the events.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedGuest, StoppedGuest } from '../../../shared/domain/recovery/guest.js';
import { systemClock } from '../../../shared/runtime/clock.js';
import { Guard } from '../../../supervisor/guard/guard.js';
import { readAccounts } from '../../../supervisor/host/accounts.js';
import { detectHost } from '../../../supervisor/host/host-facts.js';
import { runCommand } from '../../../supervisor/host/run-command.js';
import { setTimer } from '../../../supervisor/host/timer.js';
import { startingEngine } from '../../../supervisor/recovery/guests/engines.js';
import { hostWaitsFor } from '../../../supervisor/recovery/guests/ready-target.js';
import { GuestStarts } from '../../../supervisor/recovery/guests/guest-starts.js';
import { idleLog } from '../../fixtures/idle-parts.js';

const [path = '', seconds = '', uri = ''] = process.argv.slice(2);
const found = JSON.parse(readFileSync(path, 'utf8')) as {
  readonly unixSeconds: number;
  readonly guests: readonly StoppedGuest[];
};
const all = found.guests.map((guest): RecordedGuest => {
  // The guests of a test driver end with their libvirtd, so for those there is no boot.
  const foundMs = guest.engine === 'libvirt' ? 0 : null;
  return { ...guest, foundMs, foundUnixSeconds: found.unixSeconds, state: 'stopped', reason: '' };
});
const log: string[] = [];
const events: string[] = [];
const isOff = (guest: RecordedGuest) => (starts.endOf(guest) ?? guest).state === 'stopped';
const tools = {
  ...{ run: runCommand, setTimer, clock: systemClock, host: detectHost(readAccounts()) },
  log: { ...idleLog, info: (text: string) => void log.push(text) },
};
const starts: GuestStarts = new GuestStarts({
  ...tools,
  ...{ place: 'this host', retryMs: 2_000, restMs: 300_000 },
  guard: new Guard(idleLog),
  guests: () => all.filter(isOff),
  heldBy: () => null,
  settings: () => ({ left: null, atOnce: 4 }),
  waitsFor: (signal) => hostWaitsFor(tools, { bootTimeoutMs: 0, left: null }, signal),
  engineOf: (guest) => startingEngine(guest, tools, [uri === '' ? null : uri]),
  staysOff: (detail) => events.push(detail),
  changed: () => undefined,
});
const endMs = systemClock.monotonicMs() + Number(seconds) * 1000;
while (systemClock.monotonicMs() < endMs && events.length === 0 && all.some(isOff)) {
  starts.tick();
  await sleep(200);
}
process.stdout.write(`${JSON.stringify({ log: log.sort(), events })}\n`);
process.exit();
