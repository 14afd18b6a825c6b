import { expect } from 'chai';
import type { OffOutcome } from '../../../workers/remote/off/watches.js';
import { OffWatches } from '../../../workers/remote/off/watches.js';
import { FakeTime } from '../../fixtures/fake-time.js';

const ends = { local: '192.0.2.1', remote: '192.0.2.20' };
const check = { method: 'tcp', port: 22, settleMs: 10_000, timeoutMs: 120_000, order: 'office/1' } as const;

/** Watches on a fake clock of one server, which lives while `isUp`. */
class Site {
  readonly time = new FakeTime();
  isUp = true;
  hasCarrier = true;
  readonly off = new OffWatches({
    attempt: (_asked, settle) => {
      if (this.isUp) settle('answer');
      return () => undefined;
    },
    links: () => new Map(this.hasCarrier ? [[ends.local, 'eth0']] : []),
    gateways: () => [],
    nowMs: () => this.time.monotonicMs(),
    setTimer: (ms, then) => this.time.setTimer(ms, then),
    wentOff: () => undefined,
  });

  /** A shutdown logs in to the server and commands it; the outcome within `seconds`. */
  command(): Promise<OffOutcome> {
    this.off.answered('nas', check, 22, ends);
    this.off.commanded('nas', check);
    return this.off.untilOff('nas', check.timeoutMs);
  }
}

describe('a server that a second shutdown commands again', () => {
  it('is not off because it was off in the first one, also when its interface is gone', async () => {
    const site = new Site();
    const first = site.command();
    site.isUp = false;
    await site.time.pass(20_000);
    expect(await first).to.include({ off: true });
    site.isUp = true;
    await site.time.pass(300_000);
    site.hasCarrier = false;
    const second = site.command();
    await site.time.pass(120_000);
    expect(await second).to.include({ off: false });
  });

  it('has all of its time from the second command', async () => {
    const site = new Site();
    void site.command();
    await site.time.pass(100_000);
    const beganMs = site.time.monotonicMs();
    const second = site.command().then((outcome) => ({ outcome, ms: site.time.monotonicMs() - beganMs }));
    await site.time.pass(60_000);
    site.isUp = false;
    await site.time.pass(60_000);
    const { outcome, ms } = await second;
    expect(outcome, JSON.stringify(outcome)).to.include({ off: true });
    expect(ms).to.be.within(60_000, 80_000);
  });
});
