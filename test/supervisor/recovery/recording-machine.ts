// A machine whose daemon keeps the record of who was up: what survives a restart, and what a boot.
import { plansOf } from '../../../supervisor/config/derive/plans.js';
import type { GroupState, Identity } from '../../../supervisor/recovery/group-record.js';
import { Recovery } from '../../../supervisor/recovery/recovery.js';
import type { Look } from '../../../supervisor/recovery/target-record.js';
import type { JournalEntry } from '../../../supervisor/sequence/journal/entries.js';
import { foldOf } from '../../../supervisor/sequence/journal/record.js';
import { noPowerOff } from '../../../supervisor/sequence/journal/power-off-record.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { configurationFrom, office } from '../config/loading.js';

export const [plan] = plansOf(
  configurationFrom(`${office}[[ups.remote_servers]]\nname = "nas"\nhost = "nas.example"\nuser = "root"\n`),
);
export const up: Look = { before: 'up', answers: true, unixSeconds: 10 };
export const noAnswer: Look = { before: 'unknown', answers: false, unixSeconds: 20 };
const gone: Outcome<never> = { ok: false, error: { code: 'WORKER_GONE', message: 'it is gone' } };

/** What survives: the copy of a boot, and the disk. */
export class Machine {
  copy: unknown = null;
  disk = new Map<string, string>();
  locked = true;
  isDown = false;
  /** Groups without a server or a host. */
  others: readonly string[] = [];
  /** Groups whose record the recorder does not take. */
  readonly refused = new Set<string>();
  isAsideRefused = false;
  readonly keeps: string[] = [];
  /** Why each was set aside, and its text. */
  readonly asides: (readonly [string, string])[] = [];
  readonly warnings: string[] = [];
  bootId = 'boot 1';
  identity: Partial<Identity> = {};
  onBattery = false;
  look = up;
  entries: JournalEntry[] = [];
  readonly time = new FakeTime(0);

  starts(): Recovery {
    return new Recovery({
      clock: this.time,
      log: {
        debug: () => undefined,
        info: () => undefined,
        error: () => undefined,
        warning: (text) => this.warnings.push(text),
      },
      identity: () => ({
        machineId: 'm',
        configFile: '/c.toml',
        configHash: 'h',
        bootId: this.bootId,
        ...this.identity,
      }),
      file: {
        read: () => this.copy,
        writeJson: (content) => {
          this.copy = JSON.parse(Buffer.concat(content).toString());
          return true;
        },
      },
      recorder: {
        keep: (group, text) => {
          this.keeps.push(text);
          if (this.isDown || this.refused.has(group)) return Promise.resolve(gone);
          this.disk.set(group, text);
          return Promise.resolve({ ok: true, value: {} });
        },
        setAside: (unused) => {
          if (this.isDown || this.isAsideRefused) return Promise.resolve(gone);
          for (const { group, reason } of unused) {
            this.asides.push([reason, this.disk.get(group) ?? 'nothing']);
            this.disk.delete(group);
          }
          return Promise.resolve({ ok: true, value: {} });
        },
        recall: () =>
          Promise.resolve(
            this.isDown
              ? gone
              : {
                  ok: true,
                  value: {
                    records: [...this.disk].map(([group, text]) => ({ group, text })),
                    locked: this.locked,
                    reason: this.locked ? null : 'another daemon has it',
                  },
                },
          ),
      },
      facts: () => [
        this.#facts,
        ...this.others.map((group) => ({ ...this.#facts, group, servers: [], sequence: undefined })),
      ],
    });
  }

  boots(): Recovery {
    this.copy = null;
    this.bootId = `${this.bootId}+`;
    this.entries = [];
    this.onBattery = false;
    return this.starts();
  }

  get #facts(): GroupState {
    const group = plan?.group ?? '';
    return {
      ...{ group, servers: [{ name: 'nas', haltTimeoutMs: 60_000, isLookedAt: true }], feedsHost: false },
      ...{
        onBattery: this.onBattery,
        sequence: foldOf(this.entries).groups.get(group),
        powerOff: noPowerOff,
      },
      ...{
        lookAt: () => this.look,
        isOutputOff: () => false,
        guestEnd: () => null,
        isSettled: false,
        nowMs: this.time.monotonicMs(),
        nowUnixSeconds: this.time.wallSeconds(),
      },
    };
  }
}

export async function passes(machine: Machine, recovery: Recovery, seconds = 3): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    machine.time.advance(1_000);
    recovery.tick();
    await settled();
  }
}

/** A sequence in which the server is being commanded. */
export function sequenceOf({ time }: Machine): JournalEntry[] {
  if (plan === undefined) throw new Error('no plan');
  const at = { group: plan.group, atMs: time.monotonicMs(), unixSeconds: 0 };
  const cause = { trigger: 'LOW_BATTERY', why: '', firedAtUnixSeconds: 1 } as const;
  return [
    { kind: 'decided', cause, plan, ...at },
    { kind: 'stepBegan', step: 'remote_servers/nas', ...at },
  ];
}
