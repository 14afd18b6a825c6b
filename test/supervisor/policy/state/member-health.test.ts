// The health of redundancy members and what it counts as, row by row of specification/policy.md#member-health.
import { expect } from 'chai';
import type { Debounce } from '../../../../supervisor/policy/state/member-health.js';
import { debounced, effective, evaluateHealth } from '../../../../supervisor/policy/state/member-health.js';
import { upsOf } from '../../../../supervisor/policy/state/state.js';
import { redundancyRow } from '../../../../supervisor/policy/view/view.js';
import type { PollOutcome } from '../../../../supervisor/policy/base/inputs.js';
import { reading, settingsOf, Stepper } from '../stream.js';

const settings = settingsOf('ups a\nups b\ngroup rack members=a,b');
const failed: PollOutcome = { kind: 'failed', detail: 'TIMEOUT', message: '' };

/** The health of member a after these answers, a second apart, and a wait. */
function health(answers: readonly PollOutcome[], waitMs = 1_000): string | undefined {
  const stepper = new Stepper(settings);
  for (const answer of answers) stepper.polls('a', answer, 1);
  stepper.wait(waitMs);
  return redundancyRow(stepper.state, 'redundancy-rack').members[0]?.health;
}

const calm = { chargePercent: 100, runtimeSeconds: 3_000 };

describe('the health of a member', () => {
  const table: readonly [string, readonly PollOutcome[], string][] = [
    ['on line power', [reading('OL', calm)], 'HEALTHY'],
    ['never polled', [], 'UNKNOWN'],
    ['on battery', [reading('OB', calm)], 'DEGRADED'],
    ['off in an outage', [reading('OB', calm), reading('OFF', calm)], 'DEGRADED'],
    ['one OL after an outage', [reading('OB', calm), reading('OL', calm)], 'HEALTHY'],
    ['in bypass', [reading('OL BYPASS', calm)], 'DEGRADED'],
    ['overloaded on line power', [reading('OL OVER', calm)], 'DEGRADED'],
    ['overloaded on battery', [reading('OB OVER', calm)], 'CRITICAL'],
    ['boosting', [reading('OL BOOST', calm)], 'DEGRADED'],
    ['trimming', [reading('OL TRIM', calm)], 'DEGRADED'],
    ['low input voltage', [reading('OL', { ...calm, inputVolts: 190, nominalVolts: 230 })], 'DEGRADED'],
    ['high input voltage', [reading('OL', { ...calm, inputVolts: 260, nominalVolts: 230 })], 'DEGRADED'],
    ['good input voltage', [reading('OL', { ...calm, inputVolts: 230, nominalVolts: 230 })], 'HEALTHY'],
    ['a latched FSD', [reading('FSD OL', calm)], 'HEALTHY'],
    ['an acting FSD', [reading('OL', calm), reading('FSD OL', calm)], 'CRITICAL'],
    ['unseen on line power', [reading('OL', calm), failed], 'DEGRADED'],
    ['unseen from the start', [failed], 'DEGRADED'],
    ['unseen in bypass', [reading('OL BYPASS', calm), failed], 'DEGRADED'],
  ];
  for (const [name, answers, expected] of table) {
    it(`is ${expected}: ${name}`, () => {
      expect(health(answers)).to.equal(expected);
    });
  }

  it('is UNKNOWN after the grace period', () => {
    expect(health([reading('OL', calm), failed], 59_000)).to.equal('DEGRADED');
    expect(health([reading('OL', calm), failed], 61_000)).to.equal('UNKNOWN');
  });

  it('is CRITICAL after 30 s of OFF, by two readings that show it', () => {
    const off = reading('OFF', calm);
    expect(health([reading('OL', calm), ...Array.from({ length: 30 }, () => off)])).to.equal('HEALTHY');
    expect(health([reading('OL', calm), ...Array.from({ length: 31 }, () => off)])).to.equal('CRITICAL');
  });

  it('is UNKNOWN with a reading older than three poll deadlines and an interval', () => {
    // On battery the grace period does not apply, and this failsafe delay is longer than a reading stays valid.
    const patient = settingsOf('ups a failsafe=1m\nups b\ngroup rack members=a,b\ngroup other members=b,a');
    const stepper = new Stepper(patient).polls('a', reading('OB', calm), 1);
    const member = () => redundancyRow(stepper.state, 'redundancy-rack').members[0]?.health;
    stepper.wait(16_000);
    expect(member()).to.equal('DEGRADED');
    stepper.wait(1_000);
    expect(member()).to.equal('UNKNOWN');
    stepper.wait(45_000);
    expect(member(), 'by the failsafe').to.equal('CRITICAL');
  });

  it('is UNKNOWN with a reading older than five long intervals', () => {
    const slow = settingsOf('ups a interval=30s failsafe=10m\nups b\ngroup rack members=a,b');
    const stepper = new Stepper(slow).polls('a', reading('OB', calm), 1);
    const member = () => redundancyRow(stepper.state, 'redundancy-rack').members[0]?.health;
    stepper.wait(150_000);
    expect(member()).to.equal('DEGRADED');
    stepper.wait(1_000);
    expect(member()).to.equal('UNKNOWN');
  });

  it('counts a reading to the last millisecond of its validity', () => {
    const stepper = new Stepper(settingsOf('ups a failsafe=1m')).polls('a', reading('OB', calm), 1);
    const ups = upsOf(stepper.state, 'a');
    const last = ups?.readings.last;
    if (ups === undefined || last === undefined || last === null) throw new Error('no reading');
    const after = (ms: number) =>
      evaluateHealth(ups, ups.policy, { met: null, outputOffMs: 30_000 }, debounced, {
        ...stepper.state.clock,
        watchedMs: last.watchedMs + ms,
      });
    expect(after(16_000).health).to.equal('DEGRADED');
    expect(after(16_001)).to.deep.equal({ health: 'UNKNOWN', why: 'its last reading is too old' });
  });

  it('is CRITICAL only in the groups that the member belongs to', () => {
    const two = settingsOf('ups a\nups b\nups c\ngroup one members=a,b low=90\ngroup two members=b,c low=90');
    const stepper = new Stepper(two).polls('a', reading('OB', { chargePercent: 80 }), 40);
    stepper.poll('a', reading('OB', { chargePercent: 80 }));
    stepper.wait(1_000);
    expect(redundancyRow(stepper.state, 'redundancy-one').members[0]?.health).to.equal('CRITICAL');
    expect(redundancyRow(stepper.state, 'redundancy-two').members[0]?.health).to.not.equal('CRITICAL');
  });

  it('does not become worse by failed polls, because a reading counts once', () => {
    const watched = settingsOf(
      'ups a hold=0s\nups b\ngroup rack members=a,b low=90 delay=0s confirmations=2',
    );
    const short = reading('OB', { chargePercent: 80 });
    const stepper = new Stepper(watched).polls('a', short, 1).polls('a', failed, 3);
    expect(stepper.events.filter((event) => event.endsWith('TRIGGER_ADVISORY'))).to.deep.equal([]);
    stepper.polls('a', short, 1);
    expect(stepper.events.filter((event) => event.endsWith('TRIGGER_ADVISORY'))).to.deep.equal([
      'a TRIGGER_ADVISORY',
    ]);
  });

  it('does not change by polls of a member that is not configured', () => {
    const ghost = new Stepper(settingsOf('ups b\ngroup rack members=b,ghost'));
    const before = ghost.state.groups;
    expect(ghost.poll('ghost', reading('OB', calm))).to.deep.equal([]);
    expect(ghost.state.groups).to.deep.equal(before);
  });

  it('counts as configured', () => {
    const [policy] = settings.redundancyGroups;
    if (policy === undefined) throw new Error('no group');
    const strict = { ...policy, degradedCountsAs: 'critical' } as const;
    expect(effective('HEALTHY', strict)).to.equal('HEALTHY');
    expect(effective('CRITICAL', policy)).to.equal('CRITICAL');
    expect([effective('DEGRADED', policy), effective('DEGRADED', strict)]).to.deep.equal([
      'HEALTHY',
      'CRITICAL',
    ]);
    const unknown = (unknownCountsAs: typeof policy.unknownCountsAs) => [
      effective('UNKNOWN', { ...policy, unknownCountsAs }),
      effective('UNKNOWN', { ...strict, unknownCountsAs }),
    ];
    expect(unknown('critical')).to.deep.equal(['CRITICAL', 'CRITICAL']);
    expect(unknown('degraded')).to.deep.equal(['HEALTHY', 'CRITICAL']);
    expect(unknown('healthy')).to.deep.equal(['HEALTHY', 'HEALTHY']);
  });
});

describe('what counts of a member', () => {
  const memberA = (stepper: Stepper, shown?: Debounce, clock = stepper.state.clock) => {
    const ups = upsOf(stepper.state, 'a');
    const member = stepper.state.groups[0]?.members[0];
    if (ups === undefined || member === undefined) throw new Error('no member');
    const inGroup = { met: null, outputOffMs: 30_000 };
    return evaluateHealth(ups, ups.policy, inGroup, shown ?? member.shown, clock);
  };
  const site = (settings: string) =>
    new Stepper(settingsOf(`ups a ${settings}\nups b\ngroup rack members=a,b`));
  /** Member `a` after two readings, so many milliseconds apart. */
  const after = (outcome: PollOutcome, settings: string, apartMs: number) => {
    const stepper = site(settings);
    stepper.poll('a', outcome);
    stepper.nowMs += apartMs;
    stepper.poll('a', outcome);
    return memberA(stepper).health;
  };

  // The hold of the status is 2 s, and that of the values 8 s.
  const table: readonly [string, PollOutcome, string, readonly [number, string][]][] = [
    [
      'an overload',
      reading('OL OVER', calm),
      '',
      [
        [2_000, 'HEALTHY'],
        [2_001, 'DEGRADED'],
      ],
    ],
    ['an overload, without a hold', reading('OL OVER', calm), 'status-hold=0s', [[0, 'DEGRADED']]],
    [
      'an overload on battery',
      reading('OB OVER', calm),
      '',
      [
        [9_999, 'DEGRADED'],
        [10_000, 'CRITICAL'],
      ],
    ],
    [
      'an overload on battery, without a hold',
      reading('OB OVER', calm),
      'status-hold=0s',
      [
        [9_999, 'DEGRADED'],
        [10_000, 'CRITICAL'],
      ],
    ],
    [
      'an overload on battery, with a long hold',
      reading('OB OVER', calm),
      'status-hold=20s',
      [
        [20_000, 'HEALTHY'],
        [20_001, 'CRITICAL'],
      ],
    ],
    [
      'a voltage beyond its band',
      reading('OL', { ...calm, inputVolts: 190, nominalVolts: 230 }),
      '',
      [
        [60_000, 'HEALTHY'],
        [60_001, 'DEGRADED'],
      ],
    ],
    [
      'OFF',
      reading('OFF', calm),
      '',
      [
        [29_999, 'HEALTHY'],
        [30_000, 'CRITICAL'],
      ],
    ],
    [
      'OFF, with a long hold',
      reading('OFF', calm),
      'status-hold=40s',
      [
        [40_000, 'HEALTHY'],
        [40_001, 'CRITICAL'],
      ],
    ],
  ];
  for (const [what, outcome, settings, times] of table)
    it(`is ${what} that readings have shown for long enough`, () => {
      for (const [ms, expected] of times)
        expect(after(outcome, settings, ms), `${String(ms)} ms`).to.equal(expected);
    });

  it('is a voltage that each reading since the outage has shown for long enough, whatever was before it', () => {
    const low = reading('OL', { ...calm, inputVolts: 206, nominalVolts: 230 });
    const stepper = site('hold=8s').polls('a', low, 40).polls('a', reading('OB', calm), 3);
    const health = [9, 1].map((seconds) => memberA(stepper.polls('a', low, seconds)).health);
    expect(health).to.deep.equal(['HEALTHY', 'DEGRADED']);
  });

  it('is no word whose begin an earlier version has not kept', () => {
    const stepper = site('').polls('a', reading('OL OVER', calm), 10);
    const shown = stepper.state.groups[0]?.members[0]?.shown;
    if (shown === undefined) throw new Error('no member');
    expect(memberA(stepper, shown).health).to.equal('DEGRADED');
    expect(memberA(stepper, { ...shown, degradedSinceMs: null }).health).to.equal('HEALTHY');
  });

  it('is no reading of before a long absence', () => {
    const stepper = site('').polls('a', reading('OB', calm), 3);
    const watchedMs = stepper.state.clock.watchedMs + 20_000;
    const clock = { ...stepper.state.clock, watchedMs, lookingSinceMs: watchedMs };
    expect(memberA(stepper, debounced, clock).health).to.equal('UNKNOWN');
  });

  it('is its last reading for as long as the failsafe waits for a stale driver', () => {
    const good = reading('OB', { chargePercent: 100, runtimeSeconds: 3_000 });
    const stale: PollOutcome = { kind: 'failed', detail: 'DATA_STALE', message: '' };
    const stepper = site('').polls('a', good, 3);
    const last = upsOf(stepper.state, 'a')?.readings.last;
    if (last === undefined || last === null) throw new Error('no reading');
    stepper.poll('a', stale);
    const at = (ms: number) =>
      memberA(stepper, debounced, { ...stepper.state.clock, watchedMs: last.watchedMs + ms }).health;
    // 0.02 of a runtime of 3000 s.
    expect([at(59_999), at(60_000)]).to.deep.equal(['DEGRADED', 'UNKNOWN']);
  });
});

describe('the first reading of a member', () => {
  /** The sequences that start at the first report of `b`, after the readings of `a`. */
  const started = (group: string, ofA: readonly PollOutcome[], ofB: PollOutcome): readonly string[] => {
    // Where the status has no hold, the number of readings alone decides.
    const members =
      'ups a grace=off tolerance=1 status-hold=0s\nups b status-hold=0s\ngroup rack members=a,b';
    const stepper = new Stepper(settingsOf(`${members} ${group}`));
    for (const answer of ofA) stepper.poll('a', answer);
    stepper.poll('b', ofB);
    return stepper.wait(4_000).starts;
  };
  const over = reading('OB OVER', calm);

  it('starts no sequence with BYPASS', () => {
    expect(started('min=1 degraded=critical', [over, over], reading('OL BYPASS', calm))).to.deep.equal([]);
  });

  it('starts no sequence with an overload', () => {
    expect(started('min=1', [over, over], over)).to.deep.equal([]);
  });

  it('starts no sequence with OB while another member is lost', () => {
    const lost = [reading('OL', calm), failed];
    expect(started('min=2 unknown=critical', lost, reading('OB', calm))).to.deep.equal([]);
  });
});
