// The guests of a server with a fake remote worker, on a fake clock.
import type { RecordedGuest } from '../../../shared/domain/recovery/guest.js';
import type { RecordedTarget, RecoveryRecord } from '../../../shared/domain/recovery/record.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import { failureOf } from '../../../shared/protocol/contract.js';
import type { GuestAnswer, GuestOrder } from '../../../shared/protocol/remote.js';
import type { ServerGuestsDependencies } from '../../../supervisor/daemon/server-guests.js';
import { ServerGuests } from '../../../supervisor/daemon/server-guests.js';
import { Guard } from '../../../supervisor/guard/guard.js';
import { newTarget } from '../../../supervisor/recovery/target-record.js';
import { noPowerOff } from '../../../supervisor/sequence/journal/power-off-record.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import { idleLog } from '../../fixtures/idle-parts.js';
import { configurationFrom, office } from '../config/loading.js';

export const server =
  '[[ups.remote_servers]]\nname = "nas"\nhost = "nas.example"\nuser = "root"\nboot_timeout = 120\n';
const group = 'office-127.0.0.1-3493';
export const guest = (id: string, change: Partial<RecordedGuest> = {}): RecordedGuest => ({
  ...{ engine: 'proxmox_ct', id, name: `ct-${id}`, user: null },
  ...{ foundMs: 1, foundUnixSeconds: 1, state: 'stopped', reason: '', ...change },
});

/** What `powerHold` reads of policy's state. */
const powerState = (nowMs: number, onBattery: boolean) => ({
  groups: [],
  upsIndex: new Map([[group, 0]]),
  ups: [
    {
      policy: { groupId: group },
      readings: { last: { monotonicMs: nowMs } },
      line: { kind: onBattery ? 'outage' : 'online' },
      doubt: { acts: false },
      fsd: { kind: 'none' },
    },
  ],
});

type Answers = Outcome<readonly GuestAnswer[]>;

export class Site {
  readonly time = new FakeTime();
  readonly events: string[] = [];
  readonly asked: string[] = [];
  /** By id: `running`, `stopped`, `ha`, or what a start refuses. */
  readonly states = new Map<string, string>();
  readonly refusals = new Map<string, string>();
  readonly guests: ServerGuests;
  target: Partial<RecordedTarget> = {};
  answers: boolean | null = true;
  onBattery = false;
  unreached: string | null = null;
  /** The journal of the group. */
  sequence: unknown = undefined;
  /** A start of which the answer is held back. */
  holdsStarts = false;

  constructor(toml = '[recovery]\nenabled = true\n', ofServer = server) {
    const configuration = configurationFrom(`${office}${ofServer}${toml}`);
    const remote: ServerGuestsDependencies['remote'] = {
      lookAtGuests: (_, order) => this.#look(order),
      startGuests: (_, order) => this.#start(order),
      endGuests: (name) => void this.asked.push(`end ${name}`),
    };
    this.guests = new ServerGuests({
      ...{ clock: this.time, log: idleLog, guard: new Guard(idleLog), configuration: () => configuration },
      engine: () =>
        ({
          state: powerState(this.time.monotonicMs(), this.onBattery),
          journal: { powerOff: noPowerOff, restart: null, of: () => this.sequence },
        }) as never,
      remote,
      record: ({ detail }) => void this.events.push(detail ?? ''),
      records: () => new Map([[group, this.#record()]]),
      answers: () => this.answers,
      soon: () => undefined,
    });
  }

  #record(): RecoveryRecord {
    return { targets: [{ ...newTarget('nas'), ...this.target }] } as unknown as RecoveryRecord;
  }

  #look({ guests }: GuestOrder): Promise<Answers> {
    this.asked.push(`look ${guests.map(({ id }) => id).join(' ')}`);
    if (this.unreached !== null) return Promise.resolve(failureOf('UNREACHED', this.unreached));
    const value = guests.flatMap(({ id }, place): readonly GuestAnswer[] => {
      const state = this.states.get(id) ?? 'stopped';
      const ha = { kind: 'ha', place, text: '' } as const;
      const own = { kind: 'state', place, text: state === 'ha' ? 'stopped' : state } as const;
      return state === 'ha' ? [ha, own] : [own];
    });
    return Promise.resolve({ ok: true, value });
  }

  #start({ guests }: GuestOrder): Promise<Answers> {
    const ids = guests.map(({ id }) => id);
    this.asked.push(`start ${ids.join(' ')}`);
    if (this.holdsStarts) return new Promise(() => undefined);
    const value = ids.map((id, place): GuestAnswer => {
      const refusal = this.refusals.get(id);
      if (refusal !== undefined) return { kind: 'refusal', place, text: refusal };
      this.states.set(id, 'running');
      return { kind: 'started', place, text: '' };
    });
    return Promise.resolve({ ok: true, value });
  }

  async passes(seconds: number): Promise<this> {
    for (let second = 0; second < seconds; second += 1) {
      this.guests.tick();
      await this.time.pass(1_000);
    }
    return this;
  }

  get notice(): string {
    return this.guests.notices.get('nas') ?? '';
  }
}
