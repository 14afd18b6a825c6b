import { expect } from 'chai';
import fc from 'fast-check';
import type { EventType } from '../../../shared/domain/status/events.js';
import type { Notification } from '../../../shared/domain/services/notification.js';
import type { SendOutcome } from '../../../workers/notify/services/outcome.js';
import { delivered } from '../../../workers/notify/services/outcome.js';
import { down, fault, news, QueueBench, settings } from './fixture.js';

/** The inputs of one run: after a gap, several messages arrive together. */
interface Step {
  readonly gapSeconds: number;
  readonly types: readonly EventType[];
}

const types: readonly EventType[] = [
  'CONNECTION_LOST',
  'BROWNOUT_DETECTED',
  'BATTERY_REPLACE',
  'VOLTAGE_NORMALIZED',
];
const outcomes: readonly SendOutcome[] = [
  delivered,
  delivered,
  down,
  fault('REFUSED'),
  fault('BUSY'),
  fault('BUSY', 60_000),
];

const life = fc.record({
  steps: fc.array(
    fc.record({
      gapSeconds: fc.integer({ min: 0, max: 90 }),
      types: fc.array(fc.constantFrom(...types), { maxLength: 4 }),
    }),
    { maxLength: 12 },
  ),
  answers: fc.array(fc.constantFrom(...outcomes), { minLength: 1, maxLength: 12 }),
  settings: fc.record({
    maxAttempts: fc.constantFrom(0, 0, 2),
    maxPending: fc.constantFrom(2, 4, 100),
    maxAgeSeconds: fc.constantFrom(50, 86_400),
  }),
});

interface Waiting {
  readonly n: Notification;
  attempts: number;
  due: number;
  readonly arrived: number;
  fresh: boolean;
}

/** The rules in their simplest form: every second, every message is checked. */
class NaiveQueue {
  readonly sent: string[] = [];
  readonly fates = new Map<string, string>();
  #waiting: Waiting[] = [];
  #failures = 0;
  #paused = 0;
  #closed = 0;
  #order = 0;
  readonly #answers: SendOutcome[];
  readonly #settings: typeof settings;

  constructor(answers: readonly SendOutcome[], change: Partial<typeof settings>) {
    this.#answers = [...answers];
    this.#settings = { ...settings, ...change };
  }

  take(second: number, notifications: readonly Notification[]): void {
    for (const n of notifications) {
      this.#waiting.push({ n, attempts: 0, due: 0, arrived: second + this.#order++ / 1e6, fresh: true });
      this.fates.set(n.id, 'pending');
    }
    this.#work(second);
  }

  second(second: number): void {
    this.#work(second);
  }

  #work(now: number): void {
    for (;;) {
      this.#giveUp(now);
      const may = this.#waiting.filter((one) => {
        if (now < this.#closed) return false;
        if (now < this.#paused) return one.n.urgent && one.fresh;
        return one.due <= now;
      });
      const [next] = may.sort((a, b) => Number(b.n.urgent) - Number(a.n.urgent) || a.arrived - b.arrived);
      if (next === undefined) return;
      this.#send(now, next);
    }
  }

  #send(now: number, one: Waiting): void {
    this.sent.push(`${String(now)} ${one.n.id}`);
    const outcome = (this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0]) ?? delivered;
    if (outcome.ok) {
      this.#settle(one, 'sent');
      this.#failures = this.#paused = this.#closed = 0;
      return;
    }
    const pause = (failures: number): number => Math.min(5 * 2 ** (failures - 1), 300);
    this.#failures += 1;
    this.#paused = now + pause(this.#failures);
    for (const other of this.#waiting) other.fresh = false;
    if (outcome.fault.code === 'BUSY')
      this.#closed =
        outcome.fault.retryAfterMs === null ? this.#paused : now + outcome.fault.retryAfterMs / 1000;
    else one.attempts += 1;
    const { maxAttempts } = this.#settings;
    if (maxAttempts > 0 && one.attempts >= maxAttempts) this.#settle(one, 'max_attempts');
    else if (outcome.fault.code === 'REFUSED') one.due = now + pause(one.attempts);
  }

  #giveUp(now: number): void {
    const { maxAgeSeconds, maxPending } = this.#settings;
    for (const one of [...this.#waiting])
      if (Math.floor(one.arrived) < now - maxAgeSeconds) this.#settle(one, 'too_old');
    while (this.#waiting.length > maxPending) {
      const oldest = this.#waiting.find(({ n }) => !n.urgent) ?? this.#waiting[0];
      if (oldest !== undefined) this.#settle(oldest, 'overflow');
    }
  }

  #settle(one: Waiting, fate: string): void {
    this.#waiting = this.#waiting.filter((other) => other !== one);
    this.fates.set(one.n.id, fate);
  }
}

describe('the notification queue compared with its model', () => {
  it('makes the same deliveries in any random run', async () => {
    await fc.assert(
      fc.asyncProperty(life, async ({ steps, answers, settings: change }) => {
        const bench = new QueueBench(change);
        const naive = new NaiveQueue(answers, change);
        bench.answers = [...answers];
        const all: Notification[] = [];
        let now = 0;
        const pass = async (seconds: number): Promise<void> => {
          await bench.time.pass(seconds * 1000);
          for (let second = 0; second < seconds; second += 1) naive.second((now += 1));
        };
        for (const { gapSeconds, types: given } of [...steps, { gapSeconds: 700, types: [] }] as Step[]) {
          await pass(gapSeconds);
          const notifications = given.map((type) => news(type, bench.time));
          all.push(...notifications);
          naive.take(now, notifications);
          await bench.take(...notifications);
        }
        const sent = bench.sent.map(({ message }, index) => `${String(bench.seconds[index])} ${message.id}`);
        expect(sent).to.deep.equal(naive.sent);
        // A message that is too old is found at the next check, within the hour.
        const fates = all.map((message) => bench.fate(message));
        const expected = all.map(({ id }) => naive.fates.get(id) ?? '');
        for (const [index, fate] of fates.entries())
          if (!(fate === 'pending' && expected[index] === 'too_old')) expect(fate).to.equal(expected[index]);
        expect(bench.mostUnderWay).to.be.at.most(1);
      }),
      { numRuns: 300 },
    );
  });
});
