// The forecast, to the millisecond, and the edge cases of its explanation.
import { expect } from 'chai';
import type { PollOutcome } from '../../../../supervisor/policy/base/inputs.js';
import { explain } from '../../../../supervisor/policy/view/explain.js';
import type { Forecast } from '../../../../supervisor/policy/view/forecast.js';
import { forecast } from '../../../../supervisor/policy/view/forecast.js';
import { upsOf } from '../../../../supervisor/policy/state/state.js';
import { reading, settingsOf, Stepper } from '../stream.js';

const failed = { kind: 'failed', detail: 'SERVER_DOWN', message: '' } as const;
/** Only charge and runtime approach a trigger. */
const plain = 'extended=off flag=off delay=0s rate=1000 window=1m depletion-grace=0s';

function daemon(settings: string): Stepper {
  return new Stepper(settingsOf(`ups a interval=1s ${settings}`));
}

function next({ state }: Stepper): Forecast | null {
  const ups = upsOf(state, 'a');
  if (ups === undefined) throw new Error('no UPS');
  return forecast(ups, state.clock);
}

const onBattery = (chargePercent: number | null, runtimeSeconds: number | null = null): PollOutcome =>
  reading('OB', { chargePercent, runtimeSeconds });

/** A reading a second, the charge falling by `perMinute` % a minute. */
function draining(stepper: Stepper, seconds: number, perMinute: number): Stepper {
  for (let second = 0; second < seconds; second += 1)
    stepper.polls('a', onBattery(100 - (second * perMinute) / 60), 1);
  return stepper;
}

function explanationOf(stepper: Stepper, name: string, afterMs = 0): string {
  const at = { ...stepper.at, monotonicMs: stepper.nowMs + afterMs };
  return explain(stepper.state, 'a', at).triggers.find((one) => one.name === name)?.text ?? '';
}

describe('the forecast', () => {
  it('adds the confirmations to the time in which the charge reaches its threshold', () => {
    const stepper = draining(daemon(`${plain} low=20 confirmations=2`), 41, 60);
    expect(next(stepper)).to.deep.equal({ trigger: 'LOW_BATTERY', inMs: 42_000 });
  });

  it('is empty when the charge is constant, rises or is missing', () => {
    expect(next(draining(daemon(plain), 41, 0))).to.equal(null);
    expect(next(draining(daemon(plain), 41, -30))).to.equal(null);
    const stepper = draining(daemon(plain), 41, 60);
    stepper.polls('a', onBattery(null), 1);
    expect(next(stepper)).to.equal(null);
  });

  it('is empty at a rate of 0, and at a rate without a charge', () => {
    const { state } = draining(daemon(`${plain} low=20`), 41, 60);
    const ups = upsOf(state, 'a');
    const last = ups?.readings.last ?? null;
    if (ups === undefined || last === null) throw new Error('not read');
    const readings = {
      ...ups.readings,
      last: { ...last, reading: { ...last.reading, chargePercent: null } },
    };
    expect(forecast(ups, state.clock)).to.not.equal(null);
    expect(forecast({ ...ups, depletion: { ...ups.depletion, rate: 0 } }, state.clock)).to.equal(null);
    expect(forecast({ ...ups, readings }, state.clock)).to.equal(null);
  });

  it('includes a slow fall of the charge', () => {
    const slow = daemon(`${plain} low=20 window=10m confirmations=1`);
    expect(next(draining(slow, 121, 0.5))).to.deep.equal({
      trigger: 'LOW_BATTERY',
      inMs: 158 * 60_000 + 1_000,
    });
  });

  it('counts the runtime down by one second a second', () => {
    const stepper = daemon(`${plain} runtime=10m confirmations=2`).polls('a', onBattery(null, 700), 1);
    expect(next(stepper)).to.deep.equal({ trigger: 'CRITICAL_RUNTIME', inMs: 102_000 });
  });

  it('waits only for the confirmations of triggers that are met, and names the first of the table', () => {
    const stepper = daemon(`${plain} low=20 runtime=10m confirmations=3`);
    stepper.polls('a', onBattery(15, 300), 1);
    expect(next(stepper)).to.deep.equal({ trigger: 'LOW_BATTERY', inMs: 2_000 });
    stepper.polls('a', onBattery(15, 300), 4);
    expect(next(stepper)).to.deep.equal({ trigger: 'LOW_BATTERY', inMs: 0 });
  });

  it('waits for the grace period of a drain above the limit, and ignores a drain at the limit', () => {
    const settings = 'extended=off flag=off delay=0s low=0 window=1m depletion-grace=1m confirmations=1';
    expect(next(draining(daemon(`${settings} rate=59`), 41, 60))).to.deep.equal({
      trigger: 'DEPLETION',
      inMs: 21_000,
    });
    const limit = daemon(`${settings} rate=60`);
    expect(next(draining(limit, 41, 60))).to.equal(null);
  });

  it('waits for the remaining failed polls of an unseen UPS, or for the failsafe delay, whichever is longer', () => {
    const stepper = new Stepper(settingsOf('ups a interval=10s tolerance=5 failsafe=5s'));
    stepper.polls('a', onBattery(90), 2).polls('a', failed, 1);
    expect(next(stepper)).to.deep.equal({ trigger: 'FAILSAFE', inMs: 40_000 });
    const delay = new Stepper(settingsOf('ups a interval=1s tolerance=3 failsafe=15s'));
    delay.polls('a', onBattery(90), 2).polls('a', failed, 1);
    expect(next(delay)).to.deep.equal({ trigger: 'FAILSAFE', inMs: 14_000 });
    delay.polls('a', failed, 20);
    expect(next(delay)).to.deep.equal({ trigger: 'FAILSAFE', inMs: 0 });
  });

  it('has only the triggers that act while the source is unknown', () => {
    const stepper = daemon('').polls('a', reading('OL OB', { chargePercent: 90, runtimeSeconds: 3_000 }), 5);
    // EXTENDED_TIME would be met in 15 min.
    expect(next(stepper)).to.deep.equal({ trigger: 'CRITICAL_RUNTIME', inMs: 2_402_000 });
  });

  it('counts the doubt of a value only once that is below its threshold', () => {
    const jump = (runtimeSeconds: number) =>
      next(
        daemon(`${plain} runtime=10m confirmations=2`)
          .polls('a', onBattery(null, 3_000), 2)
          .polls('a', onBattery(null, runtimeSeconds), 1),
      );
    expect(jump(601)).to.deep.equal({ trigger: 'CRITICAL_RUNTIME', inMs: 3_000 });
    expect(jump(599)).to.deep.equal({ trigger: 'CRITICAL_RUNTIME', inMs: 8_001 });
  });

  it('is now where the time has passed since the last reading', () => {
    const stepper = daemon('flag=off delay=0s threshold=1m confirmations=2').polls('a', onBattery(null), 59);
    expect(next(stepper)).to.deep.equal({ trigger: 'EXTENDED_TIME', inMs: 4_000 });
    expect(next(stepper.wait(5_000))).to.deep.equal({ trigger: 'EXTENDED_TIME', inMs: 0 });
  });

  it('is empty when the charge falls by less than a hundredth of a point a minute', () => {
    const stepper = daemon(plain);
    for (const charge of [100, 99, 98, 97]) {
      stepper.nowMs += 4 * 60 * 60_000;
      stepper.poll('a', onBattery(charge));
    }
    expect(next(stepper)).to.equal(null);
  });
});

describe('an explanation', () => {
  it('counts the stabilization delay to its last millisecond', () => {
    const stepper = daemon('hold=0s delay=5s low=20 confirmations=1 extended=off').polls(
      'a',
      onBattery(15),
      5,
    );
    expect(explanationOf(stepper, 'LOW_BATTERY', 999)).to.contain('waits for 1 s of the stabilization delay');
    expect(explanationOf(stepper, 'LOW_BATTERY', 1_000)).to.contain(
      'it acts with the next reading on battery',
    );
  });

  it('counts a doubt to its last millisecond', () => {
    const doubted = (shownMs: number) => {
      const stepper = daemon('delay=0s low=20 confirmations=1 extended=off').polls('a', onBattery(90), 1);
      stepper.polls('a', onBattery(15), 1);
      stepper.nowMs += shownMs;
      stepper.poll('a', onBattery(15));
      return explanationOf(stepper, 'LOW_BATTERY');
    };
    expect(doubted(6_000)).to.contain('waits for 3 s in which the device can contradict it');
    expect(doubted(6_001)).to.contain('waits for 2 s in which the device can contradict it');
    expect(doubted(8_000)).to.contain('waits for 1 s in which the device can contradict it');
    expect(doubted(8_001)).to.match(/; met/);
  });

  it('states of a sequence in a dry run that it commands nothing', () => {
    const { state } = daemon('delay=0s low=20 hold=0s confirmations=1').polls('a', onBattery(15), 3);
    expect(explain(state, 'a', undefined, true).text).to.match(
      /The dry run of the shutdown sequence was started and has not ended \(.*\): it commands nothing, and nothing else is commanded in this outage\. It is armed again when power is back/,
    );
    expect(explain(state, 'a').text).to.match(
      /The shutdown sequence was started and has not ended \(.*\)\. It is/,
    );
  });

  it('announces no action of a group whose sequence was started', () => {
    const stepper = daemon('delay=0s low=20 runtime=10m confirmations=1').polls('a', onBattery(15, 300), 3);
    expect(explanationOf(stepper, 'CRITICAL_RUNTIME')).to.match(/; met$/);
  });

  it('names a stale driver only where the failsafe would wait for it longer than its delay', () => {
    const failsafe = (settings: string, words: string, runtimeSeconds = 3_000) => {
      const stepper = daemon(settings).polls('a', reading(words, { chargePercent: 90, runtimeSeconds }), 2);
      return explanationOf(stepper, 'FAILSAFE');
    };
    expect(failsafe('failsafe=59s', 'OB')).to.contain('1 min while the server answers DATA-STALE');
    const without = {
      'as long as the delay': failsafe('failsafe=60s', 'OB'),
      'LB says that the battery is not good': failsafe('failsafe=0s', 'OB LB'),
      'the source is unknown': failsafe('failsafe=0s', 'OL OB'),
    };
    for (const [why, text] of Object.entries(without)) expect(text, why).to.not.contain('DATA-STALE');
  });

  it('shows a failsafe without a delay, and no FSD before the first reading', () => {
    const { state, at } = daemon('failsafe=0s');
    const { triggers } = explain(state, 'a', at);
    expect(triggers.find(({ name }) => name === 'FAILSAFE')).to.include({ threshold: 0 });
    expect(triggers.find(({ name }) => name === 'FSD')).to.include({ reading: 0 });
  });

  it('tells an FSD of this daemon from one of before the boot', () => {
    const own = daemon('').polls('a', reading('OL'), 1).polls('a', onBattery(90), 1);
    for (const state of ['asked', 'set'] as const)
      own.input({ kind: 'forcedShutdown', at: own.at, groupId: 'a', state });
    own.polls('a', reading('FSD OB'), 1);
    expect(explanationOf(own, 'FSD')).to.equal('FSD was set by this daemon');
    const { triggers } = explain(own.state, 'a', own.at);
    expect(triggers.find(({ name }) => name === 'FSD')).to.deep.include({
      armed: false,
      refused: ['an FSD of this daemon shuts nothing down; another counts after a reading without it'],
    });
    const latched = daemon('').polls('a', reading('FSD OL'), 1);
    expect(explanationOf(latched, 'FSD')).to.contain('in the first reading of this boot');
  });

  it('shows a failsafe margin of 0, never less', () => {
    const stepper = daemon('failsafe=5s').polls('a', onBattery(90), 1).polls('a', failed, 9);
    const failsafe = explain(stepper.state, 'a', stepper.at).triggers.find(({ name }) => name === 'FAILSAFE');
    expect(failsafe).to.include({ reading: 9, margin: 0 });
  });

  it('names every whole second that was not watched', () => {
    const stepper = daemon('').polls('a', onBattery(90), 1);
    stepper.nowMs += 1_750;
    stepper.poll('a', failed);
    expect(explanationOf(stepper, 'FAILSAFE')).to.not.contain('not counted');
    stepper.nowMs += 1_250;
    stepper.poll('a', failed);
    expect(explanationOf(stepper, 'FAILSAFE'))
      .to.contain('unseen for 2 s')
      .and.contain('(1 s more are not counted');
  });

  it('names the grace period only when nothing else keeps a drain from counting', () => {
    const settings = 'low=0 delay=0s window=1m depletion-grace=45s confirmations=1';
    const limit = draining(daemon(`${settings} rate=60`), 41, 60);
    expect(explanationOf(limit, 'DEPLETION')).to.match(/; not met$/);
    const above = draining(daemon(`${settings} rate=59`), 41, 60);
    expect(explanationOf(above, 'DEPLETION', 4_999)).to.contain('not counted before 1 s more on battery');
    expect(explanationOf(above, 'DEPLETION', 5_000)).to.match(/; not met$/);
  });

  it('names the threshold of the runtime to the second', () => {
    const stepper = daemon('runtime=50m').polls('a', reading('OL', { runtimeSeconds: 6_000 }), 2);
    expect(explain(stepper.state, 'a').text).to.match(/runtime below 50 min(?! \d)/);
  });
});
