// Looks on a fake clock. The test says what the worker answers, which groups are on battery, and whose sequence is open.
import type { Outcome } from '../../../shared/protocol/contract.js';
import { failureOf } from '../../../shared/protocol/contract.js';
import type { LookRound } from '../../../shared/protocol/remote.js';
import { Guard } from '../../../supervisor/guard/guard.js';
import type { Answer } from '../../../supervisor/recovery/before.js';
import type { LookedTarget } from '../../../supervisor/recovery/looks.js';
import { Looks } from '../../../supervisor/recovery/looks.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import { idleLog } from '../../fixtures/idle-parts.js';

interface Asked {
  readonly atMs: number;
  readonly servers: readonly string[];
  readonly withinMs: number;
}

export const target = (server: string, other: Partial<LookedTarget> = {}): LookedTarget => ({
  server,
  host: `${server}.lan`,
  group: 'office',
  bootTimeoutMs: 300_000,
  ...other,
});

export class Site {
  readonly time = new FakeTime(0);
  readonly asked: Asked[] = [];
  readonly bugs: string[] = [];
  readonly onBattery = new Set<string>();
  /** Groups whose sequence is open. */
  readonly open = new Set<string>();
  readonly kept = new Map<string, Answer>();
  changes = 0;
  answer: (servers: readonly string[]) => Promise<Outcome<LookRound>> = (servers) =>
    Promise.resolve(roundOf(servers, 'answer'));
  isInOutage = (group: string): boolean => this.onBattery.has(group);
  readonly looks = new Looks({
    clock: this.time,
    guard: new Guard({ ...idleLog, error: (message: string) => void this.bugs.push(message) }),
    request: (servers, withinMs) => {
      this.asked.push({ atMs: this.time.monotonicMs(), servers, withinMs });
      return this.answer(servers);
    },
    isInOutage: (group) => this.isInOutage(group),
    isOpen: (group) => this.open.has(group),
    recordedAnswer: (server) => this.kept.get(server) ?? null,
    changed: () => (this.changes += 1),
  });

  constructor(...targets: readonly LookedTarget[]) {
    this.looks.configure(targets.length > 0 ? targets : [target('nas')]);
  }

  /** A tick now, and one with each further second. */
  async run(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      this.looks.tick();
      await this.time.pass(1_000);
    }
  }

  /** The seconds at which rounds began. */
  get rounds(): readonly number[] {
    return this.asked.map(({ atMs }) => atMs / 1_000);
  }

  before(server = 'nas'): string | undefined {
    return this.looks.states.get(server)?.answer.before;
  }

  frozen(server = 'nas'): string | undefined {
    return this.looks.states.get(server)?.outage?.answer.before;
  }
}

/** Each is reached over eth0, whose gateway answers. */
export function roundOf(servers: readonly string[], end: 'answer' | 'silence' | 'fault'): Outcome<LookRound> {
  const looks = servers.map((server) => ({ server, end, link: 'eth0' }));
  return { ok: true, value: { looks, gateways: [{ link: 'eth0', answered: true }] } };
}

export const noWorker = (): Promise<Outcome<LookRound>> =>
  Promise.resolve(failureOf('WORKER_GONE', 'the worker remote does not run'));
