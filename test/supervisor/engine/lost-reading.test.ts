import { expect } from 'chai';
import fc from 'fast-check';
import { afterLostPoll } from '../../../supervisor/engine/lost-reading.js';
import { ReserveWatch } from '../../../supervisor/engine/reserve-watch.js';
import type { Member } from '../../../supervisor/policy/group-state.js';
import type { PollOutcome } from '../../../supervisor/policy/inputs.js';
import type { UpsState } from '../../../supervisor/policy/ups-state.js';
import { batteryTimeMs } from '../../../supervisor/policy/battery-time.js';
import { doubtOf } from '../../../supervisor/policy/value-doubt.js';
import { onBatteryMs } from '../../../supervisor/policy/power-source.js';
import { anyFailure, reading, settingsOf, Stepper } from '../policy/stream.js';

const full = { chargePercent: 100, runtimeSeconds: 3_000 };

/** A policy that is given every poll, and one whose step throws at the last of them, which the reserve makes up for. */
class Twins {
  readonly healthy: Stepper;
  readonly struck: Stepper;
  /** For the reserve, the outage of every group is over. */
  isOver = false;
  readonly #watch = new ReserveWatch();

  constructor(settings = 'ups a grace-duration=10s low=50') {
    const all = settingsOf(settings);
    this.#watch.configure(all);
    [this.healthy, this.struck] = [new Stepper(all), new Stepper(all)];
  }

  /** `isLost`: for the struck policy, or for its groups alone. */
  polls(outcome: PollOutcome, isLost: boolean | 'by its groups', count = 1): this {
    for (let one = 0; one < count; one += 1) {
      for (const policy of [this.healthy, this.struck]) policy.wait(1_000);
      const { at } = this.healthy;
      const input = { kind: 'polled', groupId: 'a', outcome, at } as const;
      this.#watch.see({ kind: 'ticked', at });
      this.#watch.see(input);
      this.healthy.input(input);
      const { groups } = this.struck.state;
      if (isLost !== true) this.struck.input(input);
      const [ups] = this.struck.state.ups;
      if (isLost === false && ups) this.#watch.follow('a', ups.line, ups.met !== null);
      if (isLost === false) continue;
      const state = isLost === true ? this.struck.state : { ...this.struck.state, groups };
      const partly = isLost === true ? null : new Set(groups.map(({ policy }) => policy.groupId));
      const [seen, { clock }] = [this.#watch.of('a'), this.#watch];
      this.struck.state = afterLostPoll(state, input, seen, clock, () => this.isOver, partly);
    }
    return this;
  }

  /** Of the first group. */
  get members(): readonly [Member | undefined, Member | undefined] {
    const of = ({ state }: Stepper) => state.groups[0]?.members[0];
    return [of(this.healthy), of(this.struck)];
  }

  get both(): readonly [UpsState, UpsState] {
    const [healthy, struck] = [this.healthy.state.ups[0], this.struck.state.ups[0]];
    if (healthy === undefined || struck === undefined) throw new Error('no UPS');
    return [healthy, struck];
  }
}

/** What ticks, groups and sequences ask. */
function known(ups: UpsState, nowMs: number): Readonly<Record<string, unknown>> {
  const { line, connection, fsd, readings, lastReport, batteryTime } = ups;
  return {
    line: line.kind,
    onBatteryMs: onBatteryMs(line, nowMs),
    onBattery: line.kind === 'outage' && line.onBattery,
    given: Math.round(batteryTimeMs(batteryTime, nowMs)),
    sight: connection.sight,
    onlyStale: connection.onlyStale,
    failedPolls: connection.failedPolls,
    fsd: fsd.kind,
    last: readings.last && [readings.last.source, readings.last.watchedMs, readings.last.reading],
    lastReport,
    counted: counted(ups),
    inhibits: ups.inhibits,
  };
}

/** Of the values: readings in a row, and what is in doubt. */
function counted({ confirmed, shown: { charge, runtime } }: UpsState): object {
  return [
    confirmed.LOW_BATTERY,
    confirmed.CRITICAL_RUNTIME,
    doubtOf(charge)?.sinceMs,
    doubtOf(runtime)?.sinceMs,
  ];
}

/** What counts over several readings: at most what a policy that had them would count. */
const standing: Readonly<Record<string, (ups: UpsState) => boolean>> = {
  OFF: ({ conditions }) => conditions.offSinceMs !== null,
  OVER: ({ conditions }) => conditions.overload === 'ACTIVE',
};

const words = [
  'OL',
  'OL',
  'OB',
  'OB',
  'OB LB',
  'OL CHRG',
  'OFF',
  'DISCHRG',
  'ALARM',
  'TRIM',
  'OL OB',
  'OB BYPASS',
  'FSD OB',
  'FSD OL',
  'OB OVER',
  'CAL OB',
  'CAL OB LB',
  'TEST OB',
  'BYPASS',
  'WAIT',
];
const anyAnswer = fc
  .tuple(
    fc.constantFrom(...words),
    fc.constantFrom(100, 97, 55, 49, 41, null),
    fc.constantFrom(3_000, 2_900, 170, null),
  )
  // For both below their thresholds together the reserve has no rule.
  .filter(([, charge, runtime]) => charge === null || charge > 50 || runtime !== 170)
  .map(([status, chargePercent, runtimeSeconds]) => reading(status, { chargePercent, runtimeSeconds }));
const anySettings = fc
  .tuple(
    fc.constantFrom('', ' confirmations=3'),
    fc.constantFrom('', ' delay=0s'),
    fc.constantFrom('', ' hold=0s', ' hold=20s'),
    fc.constantFrom('', ' flag-delay=0s'),
  )
  .map(
    (keys) => `ups a grace-duration=10s low=50${keys.join('')}\nups b\ngroup rack members=a,b min=1 low=60`,
  );

describe('a poll that policy has lost', () => {
  it('ends what a member of a group has met, with its outage', () => {
    const twins = new Twins('ups a\nups b\ngroup rack members=a,b min=1 low=60 delay=0s');
    const used = { ...full, chargePercent: 55 };
    twins.polls(reading('OL', used), false, 3).polls(reading('OB', used), false, 40);
    const met = () => twins.struck.state.groups[0]?.members[0]?.met?.trigger;
    expect(met()).to.equal('LOW_BATTERY');
    expect(
      twins.polls(reading('OB', used), true).polls(reading('OL', used), true).both[1].line.kind,
    ).to.equal('outage');
    expect(met()).to.equal('LOW_BATTERY');
    twins.polls(reading('OL', used), true);
    expect(met()).to.equal(undefined);
  });

  it('ends what a member has met, with its outage, where the group alone has lost it', () => {
    const twins = new Twins('ups a low=50 delay=0s\nups b\ngroup rack members=a,b min=1 low=60 delay=0s');
    const used = { ...full, chargePercent: 55 };
    const met = () => twins.struck.state.groups[0]?.members[0]?.met?.trigger;
    twins.polls(reading('OL', used), false, 3).polls(reading('OB', used), false, 40);
    expect(met()).to.equal('LOW_BATTERY');
    twins.polls(reading('OL', used), 'by its groups', 2);
    expect(met()).to.equal(undefined);
    const [healthy, struck] = twins.both;
    expect(struck).to.deep.equal(healthy);
  });

  it('goes on with what a member has met by OL with OB', () => {
    const twins = new Twins('ups a flag=off\nups b\ngroup rack members=a,b min=1 confirmations=3');
    const met = () => twins.struck.state.groups[0]?.members[0]?.met?.trigger;
    const empty = reading('OL OB LB', full);
    expect(twins.polls(reading('OL OB', full), false, 3).polls(empty, false, 40) && met()).to.equal(
      'LOW_BATTERY_FLAG',
    );
    expect(twins.polls(empty, true).polls(empty, false) && met()).to.equal('LOW_BATTERY_FLAG');
  });

  it('has met by OL with OB what its last reading meets, as policy has', () => {
    const twins = new Twins('ups a runtime=10m delay=0s\nups b\ngroup rack members=a,b min=1 runtime=10m');
    const met = () =>
      [twins.both[1].met, twins.struck.state.groups[0]?.members[0]?.met].map((one) => one?.trigger);
    twins.polls(reading('OL OB', { ...full, runtimeSeconds: 180 }), true, 90);
    expect(met()).to.deep.equal(['CRITICAL_RUNTIME', 'CRITICAL_RUNTIME']);
    twins.polls(reading('OL OB', full), true, 2);
    expect(met()).to.deep.equal([undefined, undefined]);
  });

  it('is of an unknown source where each has OL and OB, also where policy has had none of them', () => {
    const twins = new Twins().polls(reading('OL OB', full), true, 5);
    expect(twins.both[1].line.kind).to.equal('unknown');
    twins.polls(reading('OFF', full), false).polls(reading('OL OB', full), false, 5);
    expect(twins.both.map(({ line }) => line.kind)).to.deep.equal(['unknown', 'unknown']);
  });

  it('leaves a member in bypass that shows it', () => {
    const twins = new Twins('ups a\nups b\ngroup rack members=a,b min=2 degraded=critical');
    twins.polls(reading('OL', full), false, 3).polls(reading('OB', full), false, 5);
    const [healthy, struck] = twins.polls(reading('BYPASS', full), true, 3).both;
    expect([healthy.conditions.bypass, struck.conditions.bypass]).to.deep.equal(['ACTIVE', 'ACTIVE']);
    const trim = twins.polls(reading('OL TRIM', full), true).both.map(({ conditions }) => conditions);
    expect(trim.map(({ bypass, avr }) => [bypass, avr])).to.deep.equal([
      ['INACTIVE', 'TRIM'],
      ['INACTIVE', 'TRIM'],
    ]);
  });

  it('ends no output of a UPS that always shows OFF beside OL', () => {
    const twins = new Twins().polls(reading('OL OFF', full), false, 20).polls(reading('OFF', full), false, 5);
    const { offSinceMs } = twins.both[1].conditions;
    expect(offSinceMs).to.be.a('number');
    expect(twins.polls(reading('OFF', full), true).both[1].conditions.offSinceMs).to.equal(offSinceMs);
    expect(twins.polls(reading('OL OFF', full), true).both[1].conditions.offSinceMs).to.equal(null);
  });

  it('has met what the reserve has decided by it, for the UPS and for a group', () => {
    const twins = new Twins('ups a low=50 delay=0s\nups b\ngroup rack members=a,b min=1 low=60 delay=0s');
    const met = () =>
      [twins.both[1].met, twins.struck.state.groups[0]?.members[0]?.met].map((one) => one?.trigger);
    twins.polls(reading('OL', full), false, 3).polls(reading('OB', { ...full, chargePercent: 62 }), true, 70);
    expect(met()).to.deep.equal([undefined, undefined]);
    twins.polls(reading('OB', { ...full, chargePercent: 58 }), true, 3);
    expect(met()).to.deep.equal([undefined, 'LOW_BATTERY']);
    twins.polls(reading('OB', { ...full, chargePercent: 49 }), true, 3);
    expect(met()).to.deep.equal(['LOW_BATTERY', 'LOW_BATTERY']);
  });

  it('is armed again where the reserve knows that the outage of a sequence is over', () => {
    const twins = new Twins('ups a low=50 delay=0s');
    const used = { ...full, chargePercent: 49 };
    twins.polls(reading('OL', { ...full, chargePercent: 52 }), false, 3).polls(reading('OB', used), false, 5);
    twins.polls(reading('OL', used), true, 3);
    expect(twins.both[1].shutdown.kind).to.equal('fired');
    twins.isOver = true;
    expect(twins.polls(reading('OL', used), true).both[1].shutdown.kind).to.equal('armed');
  });

  it('ends an outage by BYPASS with mains for a minute', () => {
    const twins = new Twins().polls(reading('OL', full), false, 3).polls(reading('OB', full), false, 5);
    expect(twins.polls(reading('BYPASS', full), true, 60).both[1].line.kind).to.equal('outage');
    expect(twins.polls(reading('BYPASS', full), true, 2).both[1].line.kind).to.equal('mains');
  });

  it('leaves a group no count of readings on battery after one on line power', () => {
    const twins = new Twins('ups a\nups b\ngroup rack members=a,b min=1');
    const count = () => twins.struck.state.groups[0]?.members[0]?.shown.onBattery;
    expect(
      twins.polls(reading('OL', full), false, 3).polls(reading('OB', full), false, 2) && count(),
    ).to.equal(2);
    expect(twins.polls(reading('OL', full), true) && count()).to.equal(0);
  });

  it('leaves policy with what it would know, in these courses', () => {
    const failed: PollOutcome = { kind: 'failed', detail: 'SERVER_DOWN', message: '' };
    for (const course of [
      'OB, DISCHRG, ALARM, ALARM',
      'OB LB, DISCHRG, OL',
      'FSD OB, FSD OL, FSD OL',
      'OB, OL, failed, failed',
      'OB, OL, OB LB, ALARM, failed',
      'OB, OB, OL, OL, OB, OB',
      'OB, OB, OFF, OFF, OL, OL, OL, OB',
      'OB, no ALARM',
      'OL, CAL OB, CAL OB LB, OB, OL',
      'OL, TEST OB, OB, OB, OL',
    ]) {
      const all = course
        .split(', ')
        .map(
          (one) =>
            [
              one === 'failed'
                ? failed
                : one.startsWith('no ')
                  ? reading(one.slice(3), {})
                  : reading(one, full),
              1,
            ] as const,
        );
      all.forEach((_, from) => expectAlike(all.map(([one], place) => [one, 1, place >= from])));
    }
  });

  it('takes back what readings before it have met in a row, and their doubt', () => {
    const used = reading('OB', { ...full, chargePercent: 41 });
    const all: Polls = [
      [used, 1, false],
      [reading('OB', full), 1, true],
      [used, 1, false],
    ];
    expectAlike(all, 'ups a low=50 delay=0s');
  });

  it('says nothing of a voltage', () => {
    const volts = (inputVolts: number) => reading('OL', { ...full, inputVolts, nominalVolts: 230 });
    const twins = new Twins().polls(volts(180), false, 3);
    expect(twins.both[1].voltage.state).to.equal('LOW');
    expect(twins.polls(volts(230), true).both[1].voltage.state).to.equal('UNKNOWN');
    const [healthy, struck] = twins.polls(volts(231), false).both;
    expect(struck.voltage.state).to.equal(healthy.voltage.state);
  });

  it('ends on line power what an estimated runtime has met', () => {
    const twins = new Twins('ups a runtime-source=estimated runtime=10m estimate=30m');
    twins.polls(reading('OB', { chargePercent: 5 }), false, 3).polls(reading('OL', full), true);
    expect(twins.both[1].confirmed.CRITICAL_RUNTIME).to.equal(0);
  });

  it('leaves the sum of time a charge that is back', () => {
    const on = (words: string, isLost: boolean) => [reading(words, full), 1, isLost] as const;
    expectAlike([on('OB', true), on('OL', false), on('OB', false)], 'ups a hold=0s');
  });

  it('leaves policy with what it would know, in any course', () => {
    const poll = fc.oneof({ weight: 4, arbitrary: anyAnswer }, anyFailure);
    const some = fc.tuple(poll, fc.integer({ min: 1, max: 4 }), fc.boolean());
    const polls = fc.array(some, { minLength: 1, maxLength: 12 });
    fc.assert(fc.property(polls, anySettings, expectAlike), {
      numRuns: 200,
      includeErrorInReport: true,
    });
  });
});

type Polls = readonly (readonly [outcome: PollOutcome, count: number, isLost: boolean])[];

function expectAlike(polls: Polls, settings?: string): void {
  const twins = new Twins(settings).polls(reading('OL', full), false, 3);
  for (const [outcome, count, isLost] of polls) twins.polls(outcome, isLost, count);
  const hasFsd = polls.some(([one]) => one.kind === 'reading' && one.reading.status.includes('FSD'));
  if (!hasFsd && twins.both[1].met) expect(twins.both[0].met, 'a trigger is met').not.to.equal(null);
  const [right, own] = twins.members;
  expect(own?.confirmed.LOW_BATTERY).to.equal(right?.confirmed.LOW_BATTERY);
  if (own?.met) expect(right?.met, 'a member has met a threshold').not.to.equal(null);
  // A poll ends a wait up to a tick earlier.
  for (const policy of [twins.healthy, twins.struck]) policy.wait(250);
  const [healthy, struck] = twins.both;
  const { nowMs } = twins.healthy;
  const expected = known(healthy, nowMs);
  // A charge in doubt is none for the sum of policy.
  const jumps = polls.some(([one]) => one.kind === 'reading' && (one.reading.chargePercent ?? 100) < 90);
  for (const [what, value] of Object.entries(known(struck, nowMs)))
    if (!(what === 'given' && jumps) && JSON.stringify(value) !== JSON.stringify(expected[what]))
      expect.fail(
        `${what}: ${JSON.stringify(value)}, and ${JSON.stringify(expected[what])} of a policy that works`,
      );
  for (const [what, stands] of Object.entries(standing))
    if (stands(struck)) expect(stands(healthy), `${what} stands`).to.equal(true);
  // What the reserve decides later, policy knows once it works again.
  const [last] = polls.at(-1) ?? [];
  if (last === undefined || hasFsd) return;
  twins.polls(last, false, 40);
  expect(twins.both[1].met?.trigger, 'met by now').to.equal(twins.both[0].met?.trigger);
}
