import { expect } from 'chai';
import type { PollOutcome } from '../../../supervisor/policy/inputs.js';
import { reading, settingsOf } from '../policy/stream.js';
import { Site } from './site.js';

const failed: PollOutcome = { kind: 'failed', detail: 'SERVER_DOWN', message: 'down' };

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
      for (let second = 0; second < 20; second += 1) site.wait(1).poll(failed);
      return site.decided;
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
