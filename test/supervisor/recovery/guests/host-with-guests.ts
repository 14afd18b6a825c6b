// A host after an outage with fake engines, on a fake clock.
import type { RecordedGuest } from '../../../../shared/domain/recovery/guest.js';
import { Guard } from '../../../../supervisor/guard/guard.js';
import type { Hold } from '../../../../supervisor/recovery/guests/power-hold.js';
import { startingEngine } from '../../../../supervisor/recovery/guests/engines.js';
import { hostWaitsFor } from '../../../../supervisor/recovery/guests/ready-target.js';
import { GuestStarts } from '../../../../supervisor/recovery/guests/guest-starts.js';
import type { CommandOutcome } from '../../../../supervisor/host/run-command.js';
import { idleLog } from '../../../fixtures/idle-parts.js';
import { LocalRig, missing, ok } from '../../sequence/phases/local-rig.js';

const stopped = 1_790_000_000;
const idOf = (name: string) => Buffer.from(name).toString('hex').padEnd(64, '0');
export const guest = (name: string, change: Partial<RecordedGuest> = {}): RecordedGuest => ({
  ...{ engine: 'docker', id: idOf(name), name, user: null },
  ...{ foundMs: 1, foundUnixSeconds: stopped, state: 'stopped', reason: '', ...change },
});
export const uuid = '00000000-0000-0000-0000-000000000001';
const date = (seconds: number) => new Date(seconds * 1000).toISOString();

interface Known {
  status: string;
  compose?: readonly [string, string, string];
  unit?: string;
}

/** A host after an outage: what its engines have, and what the daemon wants to start. */
export class Host {
  readonly containers = new Map<string, Known>();
  readonly rig: LocalRig;
  readonly starts: GuestStarts;
  readonly events: string[] = [];
  readonly logged: string[] = [];
  guests: readonly RecordedGuest[] = [];
  held: Hold | null = null;
  left: string | null = null;
  bootTimeoutMs = 0;
  atOnce = 4;
  /** By name: what a start answers. */
  startOf: Readonly<Record<string, CommandOutcome | 'hangs'>> = {};
  docker: CommandOutcome | 'hangs' | null = null;
  systemctl = missing;
  running = '';

  constructor(...names: string[]) {
    for (const name of names) this.containers.set(name, { status: 'exited' });
    this.guests = names.map((name) => guest(name));
    this.rig = new LocalRig((command) => this.#run(command));
    this.starts = new GuestStarts({
      ...this.rig.tools,
      log: { ...idleLog, info: (text) => void this.logged.push(text) },
      guard: new Guard(idleLog),
      guests: () => this.guests.filter((one) => (this.starts.endOf(one) ?? one).state === 'stopped'),
      heldBy: () => this.held,
      settings: () => ({ left: this.left, atOnce: this.atOnce }),
      waitsFor: (signal) => hostWaitsFor(this.rig.tools, this, signal),
      engineOf: (one) => startingEngine(one, this.rig.tools, ['test:///default']),
      ...{ place: 'this host', retryMs: 15_000, restMs: 300_000 },
      staysOff: (detail) => this.events.push(detail),
      changed: () => undefined,
    });
  }

  async passes(seconds: number): Promise<this> {
    for (let second = 0; second < seconds; second += 1) {
      this.starts.tick();
      await this.rig.time.pass(1_000);
    }
    return this;
  }

  get started(): readonly string[] {
    return this.rig.ran
      .filter((line) => / start /.test(line))
      .map((line) => [...this.containers.keys()].find((name) => line.endsWith(idOf(name))) ?? line);
  }

  #run(command: readonly string[]): CommandOutcome | 'hangs' {
    const line = command.join(' ');
    if (line.startsWith('systemctl')) return this.systemctl;
    if (line.includes('virsh')) return this.#virsh(line);
    if (line.startsWith('stat')) return ok('ext2/ext3\n');
    if (command[0] !== 'docker') return missing;
    if (this.docker !== null) return this.docker;
    if (command.includes('ps'))
      return ok([...this.containers.keys()].map((name) => `${idOf(name)} ${name}\n`).join(''));
    const named = [...this.containers].filter(([name]) => command.includes(idOf(name)));
    if (command.includes('inspect'))
      return ok(named.map(([name, known]) => `${JSON.stringify(rowOf(name, known))}\n`).join(''));
    for (const [name, known] of named) {
      const answer = this.startOf[name] ?? ok();
      if (answer === 'hangs' || answer.kind !== 'exited' || answer.code !== 0) return answer;
      known.status = 'running';
    }
    return ok();
  }

  #virsh(line: string): CommandOutcome {
    if (line.includes('domblklist'))
      return ok(` file disk vda ${this.running === 'nfs' ? '' : '/'}x.qcow2\n`);
    if (line.includes('domstate')) return ok('shut off (unknown)\n\n');
    if (line.includes('--all')) return ok(`${uuid}\n`);
    return ok(this.running === 'yes' ? `${uuid}\n` : '\n');
  }
}

const rowOf = (name: string, { status, compose = ['', '', ''], unit = '' }: Known) => [
  [idOf(name), status, `/${name}`, [date(stopped - 100), date(stopped + 1)], compose],
  ['', '', unit],
];
