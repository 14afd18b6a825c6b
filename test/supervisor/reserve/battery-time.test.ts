import { expect } from 'chai';
import type { PollOutcome } from '../../../supervisor/policy/base/inputs.js';
import type { BatteryTime } from '../../../supervisor/reserve/battery-time.js';
import { batteryTimeAfter, noBatteryTime } from '../../../supervisor/reserve/battery-time.js';
import { reading, settingsOf } from '../policy/stream.js';
import { Site } from './site.js';

const one = (keys = '') => new Site(settingsOf(`ups a ${keys}\n`));
const full = { chargePercent: 100, runtimeSeconds: 3_000 };

describe('the reserve on time', () => {
  it('decides after the time on battery, where it is on', () => {
    expect(one('threshold=60s').reads('OL', full).until('OB', full, 120)).to.equal(63);
    expect(one('extended=off').reads('OL', full).until('OB', full, 2_000)).to.equal(null);
  });

  it('adds up what the battery gave, less a tenth of the time on line power', () => {
    const site = (onLine: number, charged = full, given = 50) =>
      one('delay=0s threshold=60s')
        .reads('OL', full)
        .reads('OB', charged, given)
        .reads('OL', charged, onLine);
    expect(site(30).until('OB', full, 120)).to.equal(16);
    const used = { ...full, chargePercent: 97 };
    expect(site(120, used).until('OB', used, 120)).to.equal(25);
  });

  it('stands in bypass, and counts its readings from the start of each outage', () => {
    const used = { ...full, chargePercent: 97 };
    const site = (seconds: number) =>
      one('delay=0s threshold=60s').reads('OL', full).reads('OB', used, seconds);
    expect(site(50).reads('BYPASS', used, 30).until('OB', used, 120)).to.equal(13);
    expect(site(70).reads('OL', used, 2).until('OB', used, 120)).to.equal(2);
  });

  it('takes a 0 on line power for no charge, also in the bypass after it', () => {
    const used = { ...full, chargePercent: 97 };
    const none = { ...full, chargePercent: 0 };
    const site = one('delay=0s threshold=120s').reads('OL', full).reads('OB', used, 100);
    site.reads('OL', full, 30).reads('OL', none).reads('BYPASS', none).reads('OL', full, 31);
    expect(site.until('OB', full, 200), 'what is left is a minute').to.equal(63);
  });

  it('begins again once the charge is back for longer than a driver may show one, unless it never fell', () => {
    const used = { ...full, chargePercent: 97 };
    const back = (seconds: number, given = 50, fell = used) =>
      one('delay=0s threshold=120s').reads('OL', full).reads('OB', fell, given).reads('OL', full, seconds);
    expect(back(62).until('OB', full, 200)).to.equal(123);
    expect(back(50).until('OB', full, 200)).to.equal(78);
    expect(back(62, 100, full).until('OB', full, 200), 'a gauge that never fell').to.equal(29);
  });

  it('takes a 0 on battery for a charge that has fallen, also where it was 0 on line power', () => {
    const none = { ...full, chargePercent: 0 };
    const site = one('delay=0s threshold=120s low=0').reads('OL', full).reads('OB', full, 100);
    site.reads('OL', none, 5).reads('OB', none, 2).reads('OL', full, 62);
    expect(site.until('OB', full, 200)).to.equal(123);
  });

  it('believes a gauge after a time without readings', () => {
    const site = one('delay=0s threshold=120s').reads('OL', full).reads('OB', full, 20).wait(600);
    expect(site.reads('OL', full, 62).until('OB', full, 200)).to.equal(123);
  });

  it('stays small in flickers of a full battery, however long they last', () => {
    const site = one('delay=0s threshold=120s').reads('OL', full);
    for (let flicker = 0; flicker < 60; flicker += 1) site.reads('OB', full, 10).reads('OL', full, 20);
    expect(site.reads('OB', full, 5).decided).to.deep.equal([]);
  });

  it('knows an outage as over after BYPASS with mains for bypass_end_delay', () => {
    const after = (seconds: number) => {
      const site = one().reads('OL', full).reads('OB', full, 5).reads('BYPASS', full, seconds);
      return site.fails(20).decided;
    };
    expect(after(30)).to.deep.equal(['a FAILSAFE']);
    expect(after(62)).to.deep.equal([]);
  });

  it('decides with the hold of a driver that publishes nothing where the function of the holds throws', () => {
    const thrower = {
      get 'driver.name'(): string {
        throw new Error('a bug');
      },
    };
    const seconds = (charge: number, isKnown: boolean) => {
      const first = reading('OL', full);
      const site = one('delay=0s').poll(isKnown ? first : ({ ...first, variables: thrower } as PollOutcome));
      for (let second = 1; second < 200; second += 1) {
        const outcome = reading('OB', { ...full, chargePercent: charge });
        site.wait(1).poll({ ...outcome, variables: thrower } as PollOutcome);
        if (site.decided.length > 0) return second;
      }
      return null;
    };
    expect(seconds(5, false)).to.equal(34);
    expect(seconds(5, true), 'a hold that it has told before').to.equal(10);
  });
});

describe('the sum of the reserve', () => {
  const holdMs = 60_000;
  const [onBattery, inBypass, onLine] = [1, 0, -0.1];
  const after = (...readings: readonly (readonly [rate: number, charge: number | null, second: number])[]) =>
    readings.reduce<BatteryTime>(
      (given, [rate, charge, second]) => batteryTimeAfter(given, rate, charge, holdMs, second * 1000),
      noBatteryTime,
    );

  it('begins at 0 with the first reading on battery', () => {
    expect(after([onBattery, 100, 5]).ms).to.equal(0);
    expect(after([onBattery, 100, 5], [onBattery, 100, 15]).ms).to.equal(10_000);
  });

  it('is 0 once the charge of before it was shown again for longer than a driver holds one', () => {
    for (const before of [onLine, inBypass]) {
      const fell = [
        [onLine, 100, 0],
        [before, 95, 10],
        [onBattery, 95, 20],
        [onBattery, 94, 70],
      ] as const;
      const back = [onLine, 95, 120] as const;
      expect(after(...fell, back, [onLine, 95, 180]).ms).to.equal(94_000);
      expect(after(...fell, back, [onLine, 95, 180.001]).ms).to.equal(0);
      expect(after(...fell, back, [onLine, 94, 150], [onLine, 95, 190]).ms, 'not throughout').to.equal(
        93_000,
      );
    }
  });

  it('keeps what was given within that time, at most that time', () => {
    const flicker = [
      [onLine, 100, 0],
      [onBattery, 100, 10],
      [onLine, 100, 20],
    ] as const;
    expect(after(...flicker, [onLine, 100, 80]).ms).to.equal(4_000);
    expect(after(...flicker, [onLine, 100, 80.001]).ms).to.equal(0);
    const fell = [
      [onLine, 100, 0],
      [onBattery, 99, 10],
      [onLine, 100, 110],
    ] as const;
    expect(after(...fell, [onLine, 100, 119]).ms).to.equal(99_100);
  });

  it('is kept in bypass, whatever the charge', () => {
    const site = [
      [onLine, 100, 0],
      [onBattery, 99, 10],
      [inBypass, 100, 40],
      [inBypass, 100, 140],
    ] as const;
    expect(after(...site).ms).to.equal(30_000);
  });

  it('takes a gauge for stuck that has not fallen in readings on battery after 90 s', () => {
    const gauge = (charge: number | null, rate: number, second: number) =>
      after([onLine, 100, 0], [onBattery, 100, 10], [rate, charge, second]).gauge;
    expect([gauge(100, onBattery, 100), gauge(100, onBattery, 100.001)]).to.deep.equal([
      'unproven',
      'silent',
    ]);
    expect([gauge(99, onBattery, 101), gauge(null, onBattery, 101)]).to.deep.equal(['falls', 'unproven']);
    expect(gauge(100, inBypass, 101), 'a reading in bypass').to.equal('unproven');
  });

  it('knows nothing younger than the request of an answer that is handled late', () => {
    const late = (given: BatteryTime, rate: number, askedMs: number) =>
      batteryTimeAfter(given, rate, 100, holdMs, 500_000, askedMs);
    const begun = after([onLine, 100, 0], [onBattery, 100, 1]);
    const gauges = [91_000, 91_001].map((askedMs) => late(begun, onBattery, askedMs).gauge);
    expect(gauges).to.deep.equal(['unproven', 'silent']);
    const left = (charge: number, askedMs: number, backSecond = 81) => {
      const fell = [
        [onLine, 100, 0],
        [onBattery, 100, 1],
        [onBattery, charge, 2],
        [onLine, charge, 81],
      ] as const;
      return late(after(...fell, [onLine, 100, backSecond]), onLine, askedMs).ms;
    };
    expect([left(99, 241_000, 181), left(99, 241_001, 181)], 'that fell').to.deep.equal([64_000, 0]);
    expect([left(100, 141_000), left(100, 141_001)], 'never below').to.deep.equal([54_000, 0]);
  });

  it('takes 1 % for a charge, and 0 for none', () => {
    const gauge = (charge: number) => after([onBattery, charge, 0], [onBattery, charge, 100]).gauge;
    expect([gauge(1), gauge(0)]).to.deep.equal(['silent', 'falls']);
  });
});
