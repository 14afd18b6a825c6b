import { expect } from 'chai';
import fc from 'fast-check';
import type { Observation, TestEffect } from '../../../supervisor/self-tests/machine/follow.js';
import { begun, endedWithout, testsAfter } from '../../../supervisor/self-tests/machine/follow.js';
import type { UpsTests } from '../../../supervisor/self-tests/machine/state.js';
import { noTests, shownTest } from '../../../supervisor/self-tests/machine/state.js';

const started = 1_790_000_000;
const minute = 60;
const passed = 'Done and passed';

type Shown = Partial<Omit<Observation, 'at' | 'report'>> & {
  readonly raw?: string | null;
  readonly date?: string;
};

/** A UPS whose readings the test gives, at seconds after its start. */
class Followed {
  tests: UpsTests = noTests;
  readonly effects: TestEffect[] = [];

  read(seconds: number, { raw = 'No test initiated', date, ...shown }: Shown = {}): this {
    const words = shown.words ?? ['OL'];
    const step = testsAfter(this.tests, {
      at: { monotonicMs: 1_000_000 + seconds * 1000, unixSeconds: started + seconds },
      words,
      report: raw === null ? null : { raw, date: date ?? null },
      chargePercent: 100,
      lowBatteryThreshold: 20,
      isOnBattery: words.includes('OB'),
      isOutage: false,
      isLineDead: false,
      resultAfterMs: 60_000,
      ...shown,
    });
    this.tests = step.tests;
    this.effects.push(...step.effects);
    return this;
  }

  begin(raw = 'No test initiated'): this {
    const command = 'test.battery.start.quick';
    const record = { startedTs: started, endedTs: null, command, source: 'api', result: 'RUNNING' } as const;
    this.tests = begun(this.tests, { ...record, raw, date: null }, 1_000_000);
    return this;
  }

  get events(): readonly string[] {
    return this.effects.flatMap((effect) => (effect.kind === 'record' ? [effect.type] : []));
  }

  get holds(): readonly boolean[] {
    return this.effects.flatMap((effect) => (effect.kind === 'hold' ? [effect.running] : []));
  }

  get stops(): readonly string[] {
    return this.effects.flatMap((effect) => (effect.kind === 'stop' ? [effect.why] : []));
  }

  get result(): string | undefined {
    return shownTest(this.tests)?.result;
  }
}

describe('a battery test of the daemon', () => {
  it('passes with the text of the device that differs from the one before', () => {
    const ups = new Followed()
      .read(-1)
      .begin()
      .read(1, { words: ['OB', 'TEST'], raw: 'In progress' });
    expect(ups.result).to.equal('RUNNING');
    ups.read(12, { raw: passed });
    expect(ups.result).to.equal('PASSED');
    expect(ups.events).to.deep.equal(['SELF_TEST_PASSED']);
    expect(ups.holds).to.deep.equal([false]);
    expect(ups.tests.last).to.include({ endedTs: started + 12, source: 'api', raw: passed });
  });

  it('fails, and its message says what to do', () => {
    const ups = new Followed()
      .begin()
      .read(2, { words: ['OB'] })
      .read(20, { raw: 'Done and error' });
    expect(ups.result).to.equal('FAILED');
    const [event] = ups.effects.filter(({ kind }) => kind === 'record');
    expect(event).to.have.property('detail').that.includes('replace the battery');
  });

  it('takes an equal text as its result only when a reading showed the test, after result_poll_after', () => {
    const seen = new Followed().begin(passed).read(3, { words: ['OB', 'TEST'], raw: passed });
    seen.read(10, { raw: passed });
    expect(seen.result).to.equal('RUNNING');
    expect(seen.read(60, { raw: passed }).result).to.equal('PASSED');
    const unseen = new Followed().begin(passed).read(60, { raw: passed });
    expect(unseen.result).to.equal('RUNNING');
    expect(unseen.read(60 + 15 * minute, { raw: passed }).result).to.equal('UNKNOWN');
    expect(unseen.events).to.deep.equal([]);
  });

  it('stays failed when the device goes on to report the failure before it', () => {
    const ups = new Followed().begin('Done and error').read(60 + 15 * minute, { raw: 'Done and error' });
    expect(ups.result).to.equal('FAILED');
  });

  it('ends UNKNOWN after result_poll_after on a UPS without ups.test.result', () => {
    const ups = new Followed()
      .begin('')
      .read(30, { raw: null, words: ['OB'] })
      .read(59, { raw: null });
    expect(ups.result).to.equal('RUNNING');
    expect(ups.read(60, { raw: null }).result).to.equal('UNKNOWN');
  });

  it('gives a late result to the test that ended without one', () => {
    const ups = new Followed().begin(passed).read(60 + 15 * minute, { raw: passed });
    ups.read(30 * minute, { raw: passed, date: '09/22/2026' });
    expect(ups.tests.last).to.include({ source: 'api', startedTs: started, result: 'PASSED' });
  });

  it('that was refused gets no result: a test of the device in the next hour is its own', () => {
    const ups = new Followed().read(-1).begin();
    ups.tests = endedWithout(ups.tests, 'UNKNOWN', 'not started: ERR ACCESS-DENIED', started + 1).tests;
    ups.read(30 * minute, { raw: passed });
    expect(ups.tests.last).to.include({ source: 'device', startedTs: started + 30 * minute });
  });

  it('holds triggers no longer when TEST goes and OB stays: the line has failed meanwhile', () => {
    const ups = new Followed()
      .begin()
      .read(2, { words: ['OB', 'TEST'] })
      .read(5, { words: ['OB'] });
    expect(ups.holds).to.deep.equal([false]);
    expect(ups.result).to.equal('RUNNING');
  });

  it('holds triggers no longer when the input voltage is gone', () => {
    const ups = new Followed().begin().read(2, { words: ['OB'] });
    expect(ups.holds).to.deep.equal([]);
    expect(ups.read(4, { words: ['OB'], isLineDead: true }).holds).to.deep.equal([false]);
  });

  it('holds triggers no longer than result_poll_after on a UPS that never shows TEST', () => {
    const ups = new Followed()
      .begin()
      .read(2, { words: ['OB'] })
      .read(59, { words: ['OB'] });
    expect(ups.holds).to.deep.equal([]);
    expect(ups.read(60, { words: ['OB'] }).holds).to.deep.equal([false]);
  });

  it('is stopped once: before the hold ends, at a low battery, in an overload, and at a low charge', () => {
    const test = ['OB', 'TEST'];
    const long = new Followed().begin().read(839, { words: test }).read(840, { words: test });
    expect(long.read(841, { words: test }).stops).to.have.length(1);
    expect(new Followed().begin().read(5, { words: [...test, 'LB'] }).stops).to.have.length(1);
    expect(new Followed().begin().read(5, { words: [...test, 'OVER'] }).stops).to.have.length(1);
    expect(new Followed().begin().read(5, { words: test, chargePercent: 30 }).stops).to.deep.equal([]);
    expect(new Followed().begin().read(5, { words: test, chargePercent: 29 }).stops).to.have.length(1);
  });

  it('ends with its reason when the server refuses it', () => {
    const ups = new Followed().begin();
    const step = endedWithout(ups.tests, 'UNSUPPORTED', 'not started: CMD-NOT-SUPPORTED', started + 1);
    expect(step.effects.map(({ kind }) => kind)).to.deep.equal(['hold', 'keep']);
    expect(step.tests).to.deep.include({ running: null, verdict: null });
    expect(step.tests.last).to.include({ result: 'UNSUPPORTED', endedTs: started + 1 });
  });

  it('never ends before it began, also when the clock is set back', () => {
    const ups = new Followed().begin();
    expect(endedWithout(ups.tests, 'UNKNOWN', '', started - 9_999).tests.last?.endedTs).to.equal(started);
  });

  it('always ends, releases its hold once and is recorded at most once, whatever the readings show', () => {
    const word = fc.constantFrom('OL', 'OB', 'TEST', 'LB', 'CHRG', 'FSD', 'OFF');
    const text = fc.constantFrom(
      passed,
      'Done and error',
      'In progress',
      'Aborted',
      'No test initiated',
      null,
    );
    const reading = fc.record({
      words: fc.uniqueArray(word, { maxLength: 3 }),
      raw: text,
      chargePercent: fc.option(fc.integer({ min: 0, max: 100 })),
      isLineDead: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(reading, { maxLength: 30 }), text, (readings, before) => {
        const ups = new Followed().begin(before ?? '');
        readings.forEach((one, index) => ups.read(1 + index * 7, one));
        const held = ups.tests.running?.isHeld === true;
        ups.read(5 * 3600, { words: ['OL'], raw: passed });
        ups.read(5 * 3600 + 1, { words: ['OL'], raw: passed });
        expect(ups.tests.running).to.equal(null);
        expect(ups.holds).to.deep.equal([false]);
        expect(ups.stops.length).to.be.at.most(1);
        const own = ups.effects.filter((one) => one.kind === 'keep' && one.record.source === 'api');
        expect(own.length).to.be.within(1, 2);
        expect(held).to.be.a('boolean');
      }),
      { numRuns: 200 },
    );
  });
});

describe('a battery test of the device', () => {
  it('is recorded with its begin and its result', () => {
    const ups = new Followed().read(0).read(1, { words: ['OL', 'TEST'], raw: 'In progress' });
    expect(ups.tests.running?.record).to.include({ source: 'device', startedTs: started + 1 });
    ups.read(20, { raw: passed });
    expect(ups.events).to.deep.equal(['SELF_TEST_STARTED', 'SELF_TEST_PASSED']);
    expect(ups.holds).to.deep.equal([]);
    expect(ups.stops).to.deep.equal([]);
  });

  it('that nobody saw is known by its result or its date', () => {
    const ups = new Followed().read(0, { raw: passed, date: '01/02/2026' });
    expect(ups.events).to.deep.equal([]);
    expect(shownTest(ups.tests)).to.include({ result: 'PASSED', source: 'device' });
    ups.read(120, { raw: passed, date: '02/02/2026' });
    expect(ups.events).to.deep.equal(['SELF_TEST_PASSED']);
    ups.read(240, { raw: 'Failed', date: '02/02/2026' });
    expect(ups.events).to.deep.equal(['SELF_TEST_PASSED', 'SELF_TEST_FAILED']);
  });

  it('that ends with a warning is a verdict, and no failure', () => {
    const ups = new Followed().read(0).read(1, { words: ['OL', 'TEST'], raw: 'In progress' });
    ups.read(20, { raw: 'Done and warning' });
    expect(ups.events).to.deep.equal(['SELF_TEST_STARTED', 'SELF_TEST_WARNING']);
    expect(ups.tests.verdict).to.include({ result: 'WARNING', raw: 'Done and warning' });
    const unseen = new Followed().read(0).read(120, { raw: 'Done and warning' });
    expect(unseen.events).to.deep.equal(['SELF_TEST_WARNING']);
  });

  it('is shown and not recorded while there was none', () => {
    const ups = new Followed().read(0);
    expect(shownTest(ups.tests)).to.include({ result: 'UNKNOWN', raw: 'No test initiated' });
    expect(ups.effects).to.deep.equal([]);
    expect(shownTest(new Followed().read(0, { raw: null }).tests)).to.equal(null);
  });

  it('is recorded at most once a minute, however often the text changes', () => {
    const ups = new Followed().read(0);
    for (let second = 1; second <= 600; second += 1)
      ups.read(second, { raw: second % 2 === 0 ? passed : 'Failed' });
    expect(ups.events.length).to.be.within(9, 11);
  });

  it('is no new one while the word TEST never goes', () => {
    const ups = new Followed().read(0);
    for (let hour = 0; hour < 48; hour += 1) ups.read(1 + hour * 3600, { words: ['OL', 'TEST'] });
    expect(ups.events).to.deep.equal(['SELF_TEST_STARTED']);
  });
});
