// The health of redundancy members and what it counts as, row by row of specification/policy.md#member-health.
import { expect } from 'chai';
import { debounced, effective, evaluateHealth } from '../../../supervisor/policy/member-health.js';
import { evaluated } from '../../../supervisor/policy/quorum.js';
import { formatMembers } from '../../../supervisor/policy/group-messages.js';
import { newMember } from '../../../supervisor/policy/group-state.js';
import { upsOf } from '../../../supervisor/policy/state.js';
import { redundancyRow } from '../../../supervisor/policy/view.js';
import type { PollOutcome } from '../../../supervisor/policy/inputs.js';
import { reading, settingsOf, Stepper } from './stream.js';

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

describe('the first reading of a member', () => {
  /** The sequences that start at the first report of `b`, after the readings of `a`. */
  const started = (group: string, ofA: readonly PollOutcome[], ofB: PollOutcome): readonly string[] => {
    const members = 'ups a grace=off tolerance=1\nups b\ngroup rack members=a,b';
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

describe('the quorum', () => {
  const few = { enough: false, allReported: true };
  const enough = { enough: true, allReported: true };

  it('is lost after two evaluations in a row, and restored after one', () => {
    const doubted = evaluated({ kind: 'held' }, few, 0);
    expect(doubted.kind).to.equal('doubted');
    expect(evaluated(doubted, enough, 0).kind).to.equal('held');
    expect(evaluated(doubted, few, 0).kind).to.equal('lost');
    expect(evaluated({ kind: 'lost' }, few, 0).kind).to.equal('lost');
    expect(evaluated({ kind: 'lost' }, enough, 0).kind).to.equal('held');
    expect(evaluated({ kind: 'held' }, enough, 0).kind).to.equal('held');
  });

  it('is not evaluated before every member has reported, for at most 80 s', () => {
    const starting = { kind: 'starting', sinceWatchedMs: 1_000 } as const;
    expect(evaluated(starting, { ...few, allReported: false }, 80_999)).to.equal(starting);
    expect(evaluated(starting, { ...few, allReported: false }, 81_000).kind).to.equal('doubted');
    expect(evaluated(starting, few, 1_000).kind).to.equal('doubted');
    expect(evaluated(starting, enough, 1_000).kind).to.equal('held');
  });

  it('lists by their labels at most eight members that are not HEALTHY', () => {
    const members = Array.from({ length: 10 }, (_, index) => newMember(`u${String(index)}`));
    expect(formatMembers(members, (groupId) => `UPS ${groupId}`)).to.match(
      /^UPS u0 UNKNOWN .*UPS u7 UNKNOWN \(not evaluated yet\), 2 more that are not HEALTHY$/,
    );
  });
});
