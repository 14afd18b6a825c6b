// How long the failsafe waits for a driver that is stale on a good battery.
import { expect } from 'chai';
import type { PollFailure } from '../../../../shared/domain/status/states.js';
import { staleLimitMs } from '../../../../supervisor/policy/state/stale-driver.js';
import { upsRow } from '../../../../supervisor/policy/view/view.js';
import { reading, settingsOf, Stepper } from '../stream.js';

type Value = number | null;

/** In seconds, after two readings on battery; null: it does not wait. */
function wait(chargePercent: Value, runtimeSeconds: Value, words = 'OB', keys = ''): Value {
  const outcome = reading(words, { chargePercent, runtimeSeconds });
  const [ups] = new Stepper(settingsOf(`ups a ${keys}`)).polls('a', outcome, 2).state.ups;
  const limitMs = ups === undefined ? null : staleLimitMs(ups, ups.policy);
  return limitMs === null ? null : limitMs / 1000;
}

describe('the wait for a stale driver', () => {
  it('is failsafe_share of the last runtime, at most a minute', () => {
    expect([wait(100, 1_500), wait(100, 3_000), wait(100, 4_000)]).to.deep.equal([30, 60, 60]);
    expect(wait(100, 1_500, 'OB', 'failsafe-share=0.03')).to.equal(45);
  });

  it('needs a charge and a runtime above twice their thresholds', () => {
    expect([wait(41, 1_250), wait(40, 1_250), wait(100, 1_200)]).to.deep.equal([25, null, null]);
    expect(wait(100, 1_201)).to.be.closeTo(24.02, 0.001);
    expect([wait(null, 1_250), wait(100, null)]).to.deep.equal([null, null]);
  });

  it('is none with LB or RB, nor with a threshold or failsafe_share of 0', () => {
    expect([wait(100, 3_000, 'OB LB'), wait(100, 3_000, 'OB RB')]).to.deep.equal([null, null]);
    for (const key of ['low=0', 'runtime=0s', 'failsafe-share=0'])
      expect(wait(100, 3_000, 'OB', key), key).to.equal(null);
  });

  it('takes the shorter of the runtime of the UPS and the estimate', () => {
    const estimated = (fullSeconds: number, source: string) => {
      const stepper = new Stepper(settingsOf(`ups a runtime-source=${source}`));
      const estimate = { fullSeconds, errorSeconds: 0, loadPercent: 20, discharges: 3 };
      stepper.input({ kind: 'assessed', at: stepper.at, groupId: 'a', estimate });
      const values = { chargePercent: 100, runtimeSeconds: 2_500, loadPercent: 20 };
      const [ups] = stepper.polls('a', reading('OB', values), 2).state.ups;
      return ups === undefined ? null : staleLimitMs(ups, ups.policy);
    };
    expect([estimated(1_500, 'estimated'), estimated(3_000, 'estimated')]).to.deep.equal([30_000, 50_000]);
    expect(estimated(1_500, 'ups')).to.equal(50_000);
  });

  it('stands from the first poll with DATA-STALE on battery, and ends with another failure', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('OL'), 1);
    const good = { chargePercent: 100, runtimeSeconds: 1_500 };
    const fails = (detail: PollFailure) => {
      stepper.polls('a', { kind: 'failed', detail, message: '' }, 1);
      return upsRow(stepper.state, 'a').staleWait;
    };
    stepper.polls('a', reading('OL', good), 2);
    expect(fails('DATA_STALE'), 'on line power').to.equal(null);
    stepper.polls('a', reading('OB', good), 2);
    expect(upsRow(stepper.state, 'a').staleWait, 'after a good reading').to.equal(null);
    expect([fails('DATA_STALE'), fails('DATA_STALE')]).to.deep.equal([30, 30]);
    expect([fails('TIMEOUT'), fails('DATA_STALE')]).to.deep.equal([null, null]);
    stepper.polls('a', reading('OB', good), 1);
    expect(fails('DATA_STALE'), 'after the next good reading').to.equal(30);
  });
});
