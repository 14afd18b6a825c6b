import { expect } from 'chai';
import type { Delivery, Notification } from '../../../shared/domain/services/notification.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import { Outbox } from '../../../supervisor/notifications/outbox.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { StorageStandIn } from '../notification-parts.js';

const message = (id: string, urgent = false): Notification => ({
  id,
  at: 1,
  source: 'office',
  type: 'ON_BATTERY',
  text: id,
  urgent,
});
const sent: Delivery = { service: 's', state: 'sent', reason: null, attempts: 1, at: 1 };

class Bench {
  readonly time = new FakeTime();
  readonly storage = new StorageStandIn();
  readonly taken: string[] = [];
  readonly born: number[] = [];
  /** Those whose age is not known. */
  readonly unknown: string[] = [];
  readonly errors: string[] = [];
  takes = true;
  readonly outbox: Outbox;

  constructor(maxEntries = 100) {
    this.outbox = new Outbox({
      storage: this.storage.handle,
      take: (tasks) => {
        this.born.push(...tasks.map(({ bornMs }) => bornMs));
        for (const { notification, isAgeUnknown } of tasks)
          if (isAgeUnknown === true) this.unknown.push(notification.id);
        if (this.takes) this.taken.push(...tasks.map(({ notification: { id } }) => id));
        return Promise.resolve(
          this.takes ? { ok: true, value: {} } : { ok: false, error: { code: 'WORKER_GONE', message: '' } },
        );
      },
      clock: this.time,
      bootId: 'boot',
      log: loggerTo('supervisor', this.time, ({ message: text }) => this.errors.push(text)),
      maxEntries,
    });
  }

  async second(): Promise<void> {
    await this.time.pass(1000);
    this.outbox.tick();
    await settled();
  }
}

describe('the outbox of notifications', () => {
  it('gives a message to the worker while storage hangs', async () => {
    const bench = new Bench();
    bench.storage.hangs = true;
    bench.outbox.connect();
    bench.outbox.post(message('1'), ['s']);
    await settled();
    bench.outbox.post(message('2'), ['s']);
    await settled();
    expect(bench.taken).to.deep.equal(['1', '2']);
  });

  it('stores a message while there is no worker, and gives it to the next one', async () => {
    const bench = new Bench();
    bench.outbox.post(message('1'), ['s']);
    await settled();
    expect(bench.storage.waiting).to.deep.equal(['1 s']);
    bench.outbox.connect();
    await settled();
    expect(bench.taken).to.deep.equal(['1']);
  });

  it('stores the latest state of a message that changes while a request is refused', async () => {
    const bench = new Bench();
    bench.storage.up = false;
    bench.outbox.post(message('1'), ['s', 't']);
    bench.outbox.changed('1', sent);
    await settled();
    bench.storage.up = true;
    await bench.second();
    expect(bench.storage.waiting).to.deep.equal(['1 t']);
  });

  it('reads stored messages once, and none that it has or had', async () => {
    const bench = new Bench();
    bench.storage.rows.set('old', {
      notification: message('old'),
      deliveries: new Map([['s', { ...sent, state: 'pending' }]]),
    });
    bench.outbox.post(message('1'), ['s']);
    await settled();
    bench.outbox.connect();
    await settled();
    bench.outbox.changed('old', sent);
    bench.outbox.changed('1', sent);
    await bench.second();
    bench.outbox.disconnect();
    bench.outbox.connect();
    await bench.second();
    expect([...bench.taken].sort()).to.deep.equal(['1', 'old']);
    expect(bench.storage.waiting).to.deep.equal([]);
  });

  it('knows the age of a message of this boot whatever the wall clock says', async () => {
    const bench = new Bench();
    const postedMs = bench.time.monotonicMs();
    bench.outbox.post(message('now'), ['s']);
    for (const id of ['boot-1', 'before-1'])
      bench.storage.rows.set(id, {
        notification: { ...message(id), at: 1 },
        deliveries: new Map([['s', { ...sent, state: 'pending' }]]),
      });
    await bench.second();
    bench.outbox.connect();
    await bench.second();
    expect(bench.taken).to.deep.equal(['now', 'boot-1', 'before-1']);
    const [posted, kept = 0, before = 0] = bench.born;
    expect(posted).to.equal(postedMs);
    expect(kept, 'its age is not known').to.be.at.least(postedMs);
    expect(bench.unknown, 'nor said').to.deep.equal(['boot-1']);
    expect(bench.time.monotonicMs() - before, 'by the wall clock').to.be.at.least(1e12);
  });

  it('makes no message of an earlier boot older than the boot where a clock was set', async () => {
    const bench = new Bench();
    bench.storage.datesInDoubt = true;
    const year = 365 * 86_400;
    const dates = { a: 100, b: 130, c: 100 + 30 * year };
    for (const [id, at] of Object.entries(dates))
      bench.storage.rows.set(id, {
        notification: { ...message(id), at },
        deliveries: new Map([['s', { ...sent, state: 'pending' }]]),
      });
    bench.outbox.connect();
    await bench.second();
    const [a, b, c] = bench.born;
    expect([a, b, c]).to.deep.equal([-86_400_000, -86_400_000, 0]);
    expect(bench.unknown).to.deep.equal(['a', 'b', 'c']);
  });

  it('keeps the time between messages of an earlier boot', async () => {
    const bench = new Bench();
    bench.storage.datesInDoubt = true;
    for (const [id, at] of [['a', 100] as const, ['b', 127] as const])
      bench.storage.rows.set(id, {
        notification: { ...message(id), at },
        deliveries: new Map([['s', { ...sent, state: 'pending' }]]),
      });
    bench.outbox.connect();
    await bench.second();
    expect(bench.born).to.deep.equal([-27_000, 0]);
  });

  it('takes a date that is still to come as one of another clock', async () => {
    const bench = new Bench();
    bench.storage.rows.set('before', {
      notification: { ...message('before'), at: bench.time.wallSeconds() + 1000 },
      deliveries: new Map([['s', { ...sent, state: 'pending' }]]),
    });
    bench.outbox.connect();
    await bench.second();
    expect(bench.unknown).to.deep.equal(['before']);
  });

  it('drops settled messages first, then those that are not urgent, then the oldest', async () => {
    const bench = new Bench(3);
    bench.storage.up = false;
    const kept = async (): Promise<readonly string[]> => {
      bench.taken.length = 0;
      bench.outbox.connect();
      await settled();
      bench.outbox.disconnect();
      return bench.taken;
    };
    bench.outbox.post(message('alarm', true), ['s']);
    bench.outbox.post(message('dull'), ['s']);
    bench.outbox.post(message('done', true), ['s']);
    bench.outbox.changed('done', sent);
    bench.outbox.post(message('more', true), ['s']);
    expect(await kept()).to.deep.equal(['alarm', 'dull', 'more']);
    bench.outbox.post(message('again', true), ['s']);
    expect(await kept()).to.deep.equal(['alarm', 'more', 'again']);
    bench.outbox.post(message('last', true), ['s']);
    expect(await kept()).to.deep.equal(['more', 'again', 'last']);
    expect(bench.errors.at(-1)).to.match(/^1 notifications are lost: too many wait/);
  });

  it('continues after a message that storage refuses for good', async () => {
    const bench = new Bench();
    bench.storage.refuses = true;
    bench.outbox.post(message('1'), ['s']);
    await settled();
    bench.storage.refuses = false;
    bench.outbox.post(message('2'), ['s']);
    await settled();
    expect(bench.errors).to.deep.equal(['a notification cannot be stored: as told']);
    expect(bench.storage.waiting).to.deep.equal(['2 s']);
  });
});
