// The explanation: thresholds, readings, rejected values, what is missing, what comes next.
import { expect } from 'chai';
import { TriggerExplanation } from '../../../../shared/domain/status/status-model.js';
import { explain } from '../../../../supervisor/policy/view/explain.js';
import type { TriggerName } from '../../../../shared/domain/status/states.js';
import { triggers } from '../../../../shared/domain/triggers/table.js';
import { reading, settingsOf, Stepper } from '../stream.js';

const full = reading('OL', { chargePercent: 100, runtimeSeconds: 3_000 });
const failed = { kind: 'failed', detail: 'SERVER_DOWN', message: '' } as const;

const names: readonly TriggerName[] = triggers.map(({ name }) => name);

function account(stepper: Stepper, name: TriggerName, groupId = 'a'): TriggerExplanation {
  const explained = explain(stepper.state, groupId, stepper.at).triggers;
  for (const trigger of explained) expect(TriggerExplanation.is(trigger)).to.equal(true);
  const found = explained.find((trigger) => trigger.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

function text(stepper: Stepper, groupId = 'a'): string {
  return explain(stepper.state, groupId).text;
}

describe('the explanation of a UPS', () => {
  it('lists every trigger in the order of the contract', () => {
    const account = explain(new Stepper(settingsOf('ups a')).state, 'a');
    expect(account.triggers.map(({ name }) => name)).to.deep.equal(names);
  });

  it('states before the first poll that there is no good reading', () => {
    const stepper = new Stepper(settingsOf('ups a'));
    expect(text(stepper)).to.contain('no good reading yet (NEVER_POLLED)');
    expect(account(stepper, 'LOW_BATTERY')).to.include({
      reading: null,
      margin: null,
      readingAge: null,
      armed: true,
    });
    expect(account(stepper, 'FAILSAFE')).to.include({ reading: null, margin: null, armed: false });
  });

  it('states on line power what a transfer to battery would start', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', full, 2);
    stepper.nowMs += 2_500.3;
    expect(text(stepper)).to.contain('Next: nothing while there is no outage.').and.contain('the LB flag');
    expect(account(stepper, 'LOW_BATTERY')).to.include({
      threshold: 20,
      reading: 100,
      margin: 80,
      readingAge: 2.5,
      active: false,
    });
    expect(account(stepper, 'CRITICAL_RUNTIME')).to.include({
      threshold: 600,
      reading: 3_000,
      margin: 2_400,
    });
    expect(account(stepper, 'FAILSAFE').text).to.contain('shut nothing down');
  });

  it('names a refused reading with the reason', () => {
    const zero = reading('OL', { chargePercent: 0, runtimeSeconds: 0 });
    const stepper = new Stepper(settingsOf('ups a')).polls('a', zero, 2);
    const low = account(stepper, 'LOW_BATTERY');
    expect(low.refused).to.deep.equal(['a charge of 0 % on line power is no reading']);
    expect(low.text).to.contain('refused: a charge of 0 %');
    expect(account(stepper, 'DEPLETION').refused).to.deep.equal(low.refused);
    expect(account(stepper, 'EXTENDED_TIME').refused).to.deep.equal([]);
    stepper.polls('a', reading('OB', { chargePercent: 50, runtimeSeconds: 0 }), 2);
    expect(account(stepper, 'CRITICAL_RUNTIME').refused[0]).to.contain('on line power too');
    expect(account(stepper, 'CRITICAL_RUNTIME').text).to.contain('reported no runtime so far');
  });

  it('states what a trigger on battery still waits for', () => {
    const low = reading('OB', { chargePercent: 15, runtimeSeconds: 3_000 });
    const stepper = new Stepper(settingsOf('ups a')).polls('a', low, 1);
    expect(account(stepper, 'LOW_BATTERY').text)
      .to.contain('1 more good reading(s)')
      .and.contain('30 s of the');
    stepper.polls('a', low, 4);
    expect(account(stepper, 'LOW_BATTERY').text).to.contain('waits for 26 s of the stabilization delay');
    expect(text(stepper)).to.contain('the shutdown starts in about 26 s by LOW_BATTERY');
    expect(account(stepper, 'DEPLETION').text).to.contain('it needs two falls of the charge');
    const doubted = new Stepper(settingsOf('ups a delay=5s')).polls('a', low, 6);
    expect(account(doubted, 'LOW_BATTERY').text).to.contain(
      'waits for 4 s in which the device can contradict it (value_hold)',
    );
    expect(text(doubted)).to.contain('the shutdown starts in about 3 s by LOW_BATTERY');
    const soon = new Stepper(settingsOf('ups a delay=5s hold=0s')).polls('a', low, 5).wait(1_000);
    expect(account(soon, 'LOW_BATTERY').text).to.contain('it acts with the next reading on battery');
    expect(text(soon)).to.contain(
      'Its NUT driver may show a status for 2 s before it reads it again (status_hold): what jumps below a threshold acts after that, or once the device confirms it. No value is doubted (value_hold = 0).\n',
    );
    const sure = new Stepper(settingsOf('ups a hold=0s status-hold=0s')).polls('a', low, 1);
    expect(text(sure))
      .to.contain('\nNo value is doubted (value_hold = 0). No status is doubted (status_hold = 0).\n')
      .and.not.contain('may show');
  });

  it('states which trigger was met, and that the sequence was started', () => {
    const low = reading('OB LB', { chargePercent: 15, runtimeSeconds: 3_000 });
    const stepper = new Stepper(settingsOf('ups a')).polls('a', low, 40);
    expect(account(stepper, 'LOW_BATTERY_FLAG')).to.include({ active: true, armed: false, reading: 1 });
    expect(text(stepper)).to.contain('Trigger met: LOW_BATTERY_FLAG');
    expect(text(stepper))
      .to.contain('was started and has not ended')
      .and.contain('when power is back, confirmed');
    expect(account(stepper, 'LOW_BATTERY').text).to.contain('met').and.not.contain('waits');
    stepper.polls('a', full, 2);
    expect(text(stepper)).to.contain('armed again when the sequence has ended');
    const again = new Stepper(settingsOf('ups a')).polls('a', low, 40);
    again.input({ kind: 'sequenceEnded', at: again.at, groupId: 'a', cancelled: false });
    expect(text(again)).to.contain('The shutdown sequence has ended (LOW_BATTERY_FLAG');
  });

  it('states that a fast drain is not counted in the first seconds on battery', () => {
    const stepper = new Stepper(settingsOf('ups a'));
    for (let second = 0; second < 60; second += 1) {
      stepper.polls('a', reading('OB', { chargePercent: 100 - second / 2, runtimeSeconds: 3_000 }), 1);
    }
    expect(account(stepper, 'DEPLETION').reading).to.equal(30);
    expect(text(stepper)).to.contain('in about 33 s by DEPLETION');
    expect(account(stepper, 'DEPLETION').text).to.match(/not counted before \d+ s more on battery/);
    stepper.nowMs += 60_000;
    expect(account(stepper, 'DEPLETION').text).to.match(/; not met$/);
  });

  it('predicts which trigger acts first', () => {
    const stepper = new Stepper(settingsOf('ups a runtime=0s threshold=15m low=90'));
    for (let second = 0; second < 60; second += 1) {
      const chargePercent = 100 - second / 12;
      stepper.polls('a', reading('OB', { chargePercent, runtimeSeconds: 3_000 }), 1);
    }
    expect(account(stepper, 'DEPLETION')).to.include({ reading: 5, margin: 10 });
    expect(text(stepper)).to.match(/in about 1 min [23] s by LOW_BATTERY/);
    stepper.polls('a', failed, 2);
    expect(text(stepper))
      .to.contain('cannot be read now (SERVER_DOWN)')
      .and.contain('in about 13 s by FAILSAFE');
    const critical = new Stepper(settingsOf('ups a delay=1m low=0')).polls(
      'a',
      reading('OB', { chargePercent: 100, runtimeSeconds: 605 }),
      40,
    );
    expect(text(critical)).to.contain('in about 21 s by CRITICAL_RUNTIME');
    const endless = new Stepper(settingsOf('ups a extended=off')).polls(
      'a',
      reading('OB', { chargePercent: 50 }),
      40,
    );
    expect(text(endless)).to.contain('none of them will be met');
    const mute = new Stepper(settingsOf('ups a')).polls('a', reading('OB'), 2);
    expect(text(mute)).to.contain('by EXTENDED_TIME');
    const off = new Stepper(settingsOf('ups a')).polls('a', reading('OB'), 2).polls('a', reading('OFF'), 2);
    expect(text(off)).to.contain('by EXTENDED_TIME');
    const bypass = new Stepper(settingsOf('ups a'))
      .polls('a', reading('OB'), 2)
      .polls('a', reading('BYPASS'), 2);
    expect(text(bypass)).to.contain('Next: nothing in bypass');
  });

  it('states how long the UPS is unseen for the failsafe, and which time is not counted', () => {
    const ob = reading('OB', { chargePercent: 90, runtimeSeconds: 3_000 });
    const stepper = new Stepper(settingsOf('ups a')).polls('a', ob, 2).polls('a', failed, 2);
    expect(account(stepper, 'FAILSAFE')).to.include({ armed: true, reading: 2, margin: 13, threshold: 15 });
    expect(account(stepper, 'FAILSAFE').text).to.equal(
      '2 failed poll(s) in a row of 3, unseen for 2 s of 15 s; the last known status has OB, so failed polls count',
    );
    stepper.nowMs += 10_000;
    stepper.polls('a', failed, 1);
    expect(account(stepper, 'FAILSAFE').text)
      .to.contain('unseen for 3 s of 15 s')
      .and.contain('(10 s more are not counted: the daemon did not run or received no input)');
    stepper.nowMs += 100_000;
    stepper.polls('a', failed, 1);
    expect(account(stepper, 'FAILSAFE').text).to.contain('unseen for 0 s of 15 s');
    expect(text(stepper)).to.contain('in about 14 s by FAILSAFE');
  });

  it('predicts the failsafe also when the last status was neither OL nor OB', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('OB'), 2);
    stepper.polls('a', reading('BYPASS'), 2).polls('a', failed, 1);
    expect(account(stepper, 'FAILSAFE')).to.include({ armed: true });
    expect(text(stepper)).to.contain('in about 14 s by FAILSAFE');
  });

  it('says of a dry run that nothing is commanded', () => {
    const { state } = new Stepper(settingsOf('ups a'));
    expect(explain(state, 'a', undefined, true).text).to.contain(
      'is armed, as a dry run: nothing is commanded.',
    );
    expect(explain(state, 'a').text).to.contain('The shutdown sequence is armed.');
  });

  it('distinguishes a latched FSD from an acting one', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('FSD OL'), 2);
    expect(account(stepper, 'FSD')).to.include({ armed: false, active: false, reading: 1 });
    expect(text(stepper)).to.contain('a stale flag from before this boot');
    stepper.polls('a', reading('FSD OB'), 1);
    expect(account(stepper, 'FSD')).to.include({ active: true });
    expect(text(stepper)).to.contain('Trigger met: FSD');
  });

  it('is refused for a name that is not configured', () => {
    expect(() => explain(new Stepper(settingsOf('ups a')).state, 'x')).to.throw('nothing is configured as x');
  });
});

describe('the explanation of a redundancy group', () => {
  const rack = settingsOf('ups a\nups b\ngroup rack members=a,b');
  const group = 'redundancy-rack';

  it('shows the failsafe delay of the member, not that of the group', () => {
    const stepper = new Stepper(settingsOf('ups a failsafe=40s\ngroup rack members=a failsafe=5s'));
    expect(account(stepper, 'FAILSAFE', group)).to.include({ threshold: 40 });
  });

  it('shows each trigger for the member that is nearest to it, by the thresholds of the group', () => {
    const stepper = new Stepper(settingsOf('ups a\nups b\ngroup rack members=a,b low=50')).polls(
      'a',
      full,
      1,
    );
    stepper.polls('b', reading('OB', { chargePercent: 60, runtimeSeconds: 700 }), 2);
    expect(account(stepper, 'LOW_BATTERY', group)).to.include({ threshold: 50, reading: 60, margin: 10 });
    expect(account(stepper, 'LOW_BATTERY', group).text).to.match(/^b: charge 60 %/);
    expect(text(stepper, 'b')).to.contain('its redundancy group is notified');
  });

  it('has one entry for each trigger, whichever member is nearest', () => {
    for (const near of ['a', 'b']) {
      const stepper = new Stepper(settingsOf('ups a\nups b\ngroup rack members=a,b low=50'));
      for (const ups of ['a', 'b']) {
        stepper.poll(ups, reading('OB', { chargePercent: ups === near ? 60 : 90, runtimeSeconds: 3_000 }));
      }
      const explained = explain(stepper.state, group).triggers;
      expect(explained.map(({ name }) => name)).to.deep.equal(names);
      expect(account(stepper, 'LOW_BATTERY', group)).to.include({ margin: 10, armed: true, active: false });
      expect(account(stepper, 'LOW_BATTERY', group).text).to.match(new RegExp(`^${near}: charge 60 %`));
    }
  });

  it('shows the first member when two are equally near', () => {
    const stepper = new Stepper(rack).polls('a', full, 1).polls('b', full, 1);
    expect(account(stepper, 'LOW_BATTERY', group).text).to.match(/^a: charge 100 %/);
  });

  it('shows a trigger that a member has met by its own thresholds', () => {
    const strict = settingsOf('ups a low=50\nups b\ngroup rack members=a,b low=20');
    const stepper = new Stepper(strict).polls('b', full, 1);
    stepper.polls('a', reading('OB', { chargePercent: 40, runtimeSeconds: 3_000 }), 40);
    expect(account(stepper, 'LOW_BATTERY', group)).to.include({ active: true, threshold: 20 });
  });

  it('names its members by their labels', () => {
    const { ups, ...others } = rack;
    const labelled = { ...others, ups: ups.map((one) => ({ ...one, label: `feed ${one.label}` })) };
    const stepper = new Stepper(labelled).polls('a', full, 1);
    expect(text(stepper, group)).to.contain('  feed a: ').and.contain('  feed b: UNKNOWN');
    expect(account(stepper, 'LOW_BATTERY', group).text).to.match(/^feed a: /);
  });

  it('tolerates members that are not configured', () => {
    const ghosts = new Stepper(settingsOf('ups a\ngroup rack members=ghost,wraith'));
    expect(explain(ghosts.state, group).triggers).to.deep.equal([]);
    expect(text(ghosts, group)).to.contain('ghost: UNKNOWN');
  });

  it('states what a lost quorum started, or why it started nothing', () => {
    const blind = new Stepper(settingsOf('ups a grace=off\nups b grace=off\ngroup rack members=a,b'));
    blind.polls('a', full, 1).polls('b', full, 1).wait(1_000);
    for (const member of ['a', 'b']) blind.poll(member, failed);
    blind.wait(1_000);
    expect(text(blind, group))
      .to.contain('the next one decides')
      .and.contain('lost with the next evaluation');
    blind.wait(1_000);
    expect(text(blind, group)).to.contain('the quorum is lost').and.contain('monitoring that fails alone');
    const dead = reading('OB LB', { chargePercent: 5 });
    const outage = new Stepper(rack).polls('a', dead, 8).polls('b', dead, 8).wait(2_000);
    expect(outage.starts).to.deep.equal([group]);
    expect(text(outage, group)).to.contain('the sequence goes on');
    expect(account(outage, 'LOW_BATTERY_FLAG', group)).to.include({ active: true, armed: false });
    outage.input({ kind: 'sequenceEnded', at: outage.at, groupId: group, cancelled: false });
    expect(text(outage, group)).to.contain('has ended').and.not.contain('goes on');
  });
});
