import { expect } from 'chai';
import fc from 'fast-check';
import type { PollOutcome } from '../../../supervisor/policy/base/inputs.js';
import { anyFailure, reading } from '../policy/stream.js';
import type { Polls } from './twins.js';
import { expectAlike, full, Twins } from './twins.js';

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

  it('keeps an overload with OL and OB over one reading without it, since it does not know of a fall', () => {
    const twins = new Twins('ups a\nups b\ngroup rack members=a,b min=1');
    twins.polls(reading('OL OB OVER', full), false, 3);
    const overload = () => twins.struck.state.ups[0]?.conditions.overload;
    expect(twins.polls(reading('OL OB', full), true) && overload()).to.equal('ACTIVE');
    expect(twins.polls(reading('OL OB', full), true) && overload()).to.equal('INACTIVE');
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

  it('keeps what policy has decided by OL with OB while it stands', () => {
    const twins = new Twins('ups a\nups b\ngroup rack members=a,b min=1 low=60 delay=0s');
    const met = () => twins.struck.state.groups[0]?.members[0]?.met?.trigger;
    // Both below their thresholds at once, for which the reserve has no rule.
    const none = reading('OL OB', { chargePercent: 55, runtimeSeconds: 60 });
    twins.polls(reading('OL OB', full), false, 3).polls(none, false, 2);
    expect(met()).to.equal('LOW_BATTERY');
    expect(twins.polls(none, true) && met()).to.equal('LOW_BATTERY');
  });

  it('takes no wrong sample for the lowest value', () => {
    const twins = new Twins('ups a');
    twins.polls(reading('OL OB', full), false, 3).polls(reading('OB', full), false);
    const lows = () => {
      const line = twins.struck.state.ups[0]?.line;
      return line?.kind === 'outage' ? line.lows?.charge : null;
    };
    expect(lows()).to.equal(100);
    expect(twins.polls(reading('OL OB', { ...full, chargePercent: 0 }), true) && lows()).to.equal(100);
  });

  it('knows how long the driver holds its status, by the variables that only a lost reading has had', () => {
    const twins = new Twins('ups a\nups b\ngroup rack members=a,b min=1');
    const held = { ...reading('OB OVER', full), variables: { 'driver.name': 'snmp-ups' } } as PollOutcome;
    twins.polls(held, true, 3);
    expect(twins.struck.state.ups[0]?.readings.variables).to.deep.equal({ 'driver.name': 'snmp-ups' });
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
