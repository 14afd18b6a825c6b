// What readings show counts until the last of them was asked for: the daemon may stand still before it handles an answer.
import { expect } from 'chai';
import type { Reading } from '../../../../shared/domain/ups/reading.js';
import type { PollOutcome } from '../../../../supervisor/policy/base/inputs.js';
import { reading, settingsOf, Stepper } from '../stream.js';

const full = { chargePercent: 90, runtimeSeconds: 3000 };

/** After a minute on battery two readings with the words: the second one asked for after `askedMs` and handled after 40 s. */
function twice(
  words: string,
  askedMs: number,
  configuration = 'ups a extended=off delay=0s failsafe=90s',
): Stepper {
  const stepper = new Stepper(settingsOf(configuration)).polls('a', reading('OB', full), 60);
  const shown = { kind: 'polled', groupId: 'a', outcome: reading(words, full) } as const;
  stepper.wait(1_000);
  const firstMs = stepper.nowMs;
  stepper.input({ ...shown, at: stepper.at, askedMs: firstMs });
  stepper.wait(40_000);
  stepper.input({ ...shown, at: stepper.at, askedMs: firstMs + askedMs });
  return stepper;
}

describe('two answers, of which the daemon handles the second one late', () => {
  it('are one sample of LB where both were asked for within the hold of the status', () => {
    expect(twice('OB LB', 2_000).starts).to.deep.equal([]);
    expect(twice('OB LB', 2_001).starts).to.deep.equal(['a']);
  });

  it('are no half minute of OFF', () => {
    expect(twice('OFF', 29_999).starts).to.deep.equal([]);
    expect(twice('OFF', 30_000).starts).to.deep.equal(['a']);
  });
});

/** Line power, then a transfer to battery; nothing is handled for `stallMs`, and then two answers that were asked for `askedMs` after it. */
function afterTransfer(
  words: string,
  values: Partial<Reading>,
  { askedMs, stallMs, configuration = '' }: Late,
  result: 'starts' | 'met' = 'starts',
): readonly string[] {
  const stepper = new Stepper(settingsOf(`ups a ${configuration}`)).polls('a', reading('OL', full), 3);
  const transferMs = stepper.nowMs + 1_000;
  stepper.polls('a', reading(words, values), 1);
  stepper.nowMs += stallMs;
  for (const ms of [askedMs - 1, askedMs])
    stepper.input({
      kind: 'polled',
      groupId: 'a',
      outcome: reading(words, values),
      at: stepper.at,
      askedMs: transferMs + ms,
    });
  const met = stepper.state.groups.flatMap(({ members }) => members.flatMap((one) => one.met?.trigger ?? []));
  return result === 'met' ? met : stepper.starts;
}

interface Late {
  readonly askedMs: number;
  readonly stallMs: number;
  readonly configuration?: string;
}

describe('answers that a daemon handles after it stood still on battery', () => {
  const low = { chargePercent: 90, runtimeSeconds: 590 };
  const near = { chargePercent: 15, runtimeSeconds: 500 };

  it('are asked for before the end of the stabilization delay', () => {
    const until = (askedMs: number) => afterTransfer('OB', near, { askedMs, stallMs: 60_000 });
    expect(until(29_999)).to.deep.equal([]);
    expect(until(30_000)).to.deep.equal(['a']);
  });

  it('show no battery that gave its load until they are handled', () => {
    const until = (askedMs: number) => afterTransfer('OB', full, { askedMs, stallMs: 1_000_000 });
    expect(until(900_001)).to.deep.equal([]);
    expect(until(900_002)).to.deep.equal(['a']);
  });

  it('are those of a test for as long as it lasted', () => {
    const configuration = 'extended=off delay=0s value-hold=0s';
    const until = (askedMs: number) =>
      afterTransfer('OB TEST', low, { askedMs, stallMs: 1_000_000, configuration });
    expect(until(899_999)).to.deep.equal([]);
    expect(until(900_000)).to.deep.equal(['a']);
  });

  it('are those of a test by the thresholds of a group too', () => {
    const group = '\nups b\ngroup rack members=a,b min=2 extended=off delay=0s runtime=700s';
    const configuration = `extended=off delay=0s value-hold=0s runtime=0s${group}`;
    const until = (askedMs: number) =>
      afterTransfer('OB TEST', low, { askedMs, stallMs: 1_000_000, configuration }, 'met');
    expect(until(899_999)).to.deep.equal([]);
    expect(until(900_000)).to.deep.equal(['CRITICAL_RUNTIME']);
  });

  it('show nothing of the FSD that this daemon has set meanwhile', () => {
    const until = (askedMs: number) => {
      const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('OB', full), 5);
      const setMs = stepper.nowMs;
      stepper.input({ kind: 'forcedShutdown', groupId: 'a', state: 'set', at: stepper.at });
      stepper.nowMs += 60_000;
      for (const [words, ms] of [
        ['OB', askedMs],
        ['OB FSD', askedMs + 1],
      ] as const)
        stepper.input({
          kind: 'polled',
          groupId: 'a',
          outcome: reading(words, full),
          at: stepper.at,
          askedMs: setMs + ms,
        });
      return stepper.starts;
    };
    expect([until(30_000), until(30_001)]).to.deep.equal([[], ['a']]);
  });

  it('show LB at the end of a calibration for less than a minute', () => {
    const configuration = 'extended=off delay=0s flag-delay=0s';
    const until = (askedMs: number) =>
      afterTransfer('OB CAL LB', full, { askedMs, stallMs: 70_000, configuration });
    expect(until(59_999)).to.deep.equal([]);
    expect(until(60_000)).to.deep.equal(['a']);
  });
});

describe('the delay after a transfer', () => {
  it('is not longer where answers take their time', () => {
    const actsAfter = (tookMs: number) => {
      const stepper = new Stepper(settingsOf('ups a delay=30s status-hold=0s'));
      const [beganMs, outcome] = [stepper.nowMs, reading('OB', { chargePercent: 5, runtimeSeconds: 20 })];
      let seconds = 0;
      for (; stepper.starts.length === 0; seconds += 1) {
        stepper.nowMs = beganMs + seconds * 1_000 + tookMs;
        const askedMs = stepper.nowMs - tookMs;
        stepper.input({ kind: 'polled', groupId: 'a', outcome, at: stepper.at, tookMs, askedMs });
      }
      return seconds - 1;
    };
    expect([0, 5, 900].map(actsAfter)).to.deep.equal([30, 30, 30]);
  });
});

describe('LB of an answer that comes late', () => {
  const near = { chargePercent: 30, runtimeSeconds: 3000 };
  const flags = ({ effects }: Stepper) =>
    effects.flatMap((effect) =>
      effect.kind === 'notify' && effect.type === 'LOW_BATTERY_FLAG' ? [effect.text] : [],
    );
  const late = (stepper: Stepper, words: string, lateMs: number) => {
    stepper.wait(1_000);
    const polled = { kind: 'polled', groupId: 'a', outcome: reading(words, near) } as const;
    stepper.input({ ...polled, at: stepper.at, askedMs: stepper.nowMs - lateMs });
    return stepper;
  };

  it('is told anew in each outage', () => {
    const stepper = new Stepper(settingsOf('ups a flag=off'));
    for (let outage = 0; outage < 2; outage += 1)
      late(stepper.polls('a', reading('OL', full), 90), 'OB LB', 400);
    expect(flags(stepper)).to.have.length(2);
  });

  it('waits for another reading, and longer only for what the answer does not show', () => {
    const wait = (settings: string) => {
      const stepper = new Stepper(settingsOf(`ups a delay=0s flag-delay=0s ${settings}`));
      return flags(late(stepper.polls('a', reading('OB', near), 9), 'OB LB', 2_500))[0]?.split('another ')[1];
    };
    expect(wait('status-hold=0s')).to.equal('1 s.');
    expect(wait('status-hold=4s')).to.equal('7 s.');
  });
});

describe('the report of what one answer shows', () => {
  const volts = (second: number) => ({
    'input.L1-N.voltage': '230',
    'input.L2-N.voltage': String(second),
    'input.L3-N.voltage': '230',
  });

  it('waits for one that was asked for later, and not for the daemon', () => {
    const reported = (first: PollOutcome, shown: PollOutcome, askedMs: number) => {
      const stepper = new Stepper(settingsOf('ups a')).polls('a', first, 10);
      const shownMs = stepper.polls('a', shown, 1).nowMs;
      stepper.nowMs += 90_000;
      const before = stepper.events.length;
      stepper.input({
        kind: 'polled',
        groupId: 'a',
        outcome: shown,
        at: stepper.at,
        askedMs: shownMs + askedMs,
      });
      return stepper.events.slice(before);
    };
    const line = reading('OL', full);
    expect(reported(line, reading('OL RB', full), 2_000)).to.deep.equal([]);
    expect(reported(line, reading('OL RB', full), 2_001)).to.deep.equal(['a BATTERY_REPLACE']);
    expect(reported(line, reading('OL OFF', full), 29_999)).to.deep.equal([]);
    expect(reported(line, reading('OL OFF', full), 30_000)).to.deep.equal(['a UPS_OFF']);
    const [three, two] = [
      { ...line, variables: volts(230) },
      { ...line, variables: volts(0) },
    ];
    expect(reported(three, two, 9_999)).to.deep.equal([]);
    expect(reported(three, two, 10_000)).to.deep.equal(['a PHASE_LOST']);
  });

  it('is of a charge that fell as fast as it was read', () => {
    const events = (apartMs: number) => {
      const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('OL', full), 10);
      const shownMs = stepper.nowMs;
      stepper.nowMs += 600_000;
      for (let place = 1; place <= 9; place += 1) {
        const outcome = reading('OL', { ...full, chargePercent: 90 - 4 * place });
        const askedMs = shownMs + place * apartMs;
        stepper.input({ kind: 'polled', groupId: 'a', outcome, at: stepper.at, askedMs });
      }
      return stepper.events.filter((event) => event === 'a BATTERY_ANOMALY');
    };
    expect([events(60_000), events(20_000)]).to.deep.equal([[], ['a BATTERY_ANOMALY']]);
  });
});
