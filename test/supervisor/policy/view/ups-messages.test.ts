import { expect } from 'chai';
import type { Reading } from '../../../../shared/domain/ups/reading.js';
import type { PollOutcome } from '../../../../supervisor/policy/base/inputs.js';
import { inWords } from '../../../../supervisor/policy/view/group-facts.js';
import { formatMembers } from '../../../../supervisor/policy/view/power-words.js';
import { newMember } from '../../../../supervisor/policy/state/group-state.js';
import { explain } from '../../../../supervisor/policy/view/explain.js';
import { formatMs } from '../../../../shared/domain/base/format.js';
import { reading, settingsOf, Stepper } from '../stream.js';

const low = reading('OB', { chargePercent: 5, runtimeSeconds: 60 });

function details({ effects }: Stepper, type: string): readonly string[] {
  return effects.flatMap((one) => (one.kind === 'recordEvent' && one.type === type ? [one.detail] : []));
}

function texts({ effects }: Stepper, type: string): readonly string[] {
  return effects.flatMap((one) => (one.kind === 'notify' && one.type === type ? [one.text] : []));
}

describe('a time in words', () => {
  it('has no seconds from one hour on', () => {
    const times = [0, 59_999, 60_000, 125_000, 3_599_999, 3_600_000, 4_805_000, 7_200_000];
    expect(times.map(formatMs)).to.deep.equal([
      '0 s',
      '59 s',
      '1 min',
      '2 min 5 s',
      '59 min 59 s',
      '1 h',
      '1 h 20 min',
      '2 h',
    ]);
  });
});

describe('a message of policy', () => {
  it('names the threshold of the runtime to the second', () => {
    const seen = reading('OB', { chargePercent: 90, runtimeSeconds: 3600 });
    const stepper = new Stepper(settingsOf('ups a runtime=50m')).polls('a', seen, 2);
    expect(texts(stepper, 'ON_BATTERY')[0]).to.contain('or runtime below 50 min,');
  });

  it('states how long LB waits, and what for', () => {
    const flagged = (settings: string, words = 'OB LB', values: Partial<Reading> = {}) =>
      texts(
        new Stepper(settingsOf(`ups a ${settings}`)).polls('a', reading(words, values), 1),
        'LOW_BATTERY_FLAG',
      )[0];
    const full = { chargePercent: 98, runtimeSeconds: 1600 };
    expect(flagged('delay=0s')).to.match(/It counts as a trigger if it lasts another 3 s\.$/);
    expect(flagged('delay=30s')).to.match(/It counts as a trigger if it lasts another 5 s\.$/);
    expect(flagged('delay=0s confirmations=1 status-hold=0s')).to.match(/It counts as a trigger\.$/);
    expect(flagged('', 'OB LB', { chargePercent: 30 })).to.match(/if it lasts another 5 s\.$/);
    expect(flagged('delay=0s', 'OB LB', { chargePercent: 20 })).to.match(/if it lasts another 1 s\.$/);
    expect(flagged('', 'OB LB', full)).to.match(/contradict that, so it does not count yet\.$/);
    expect(flagged('', 'OB LB CAL', full)).to.match(/it counts as a trigger if it lasts 1 min\.$/);
    expect(flagged('flag=off')).to.match(/is off, so this alone shuts nothing down\.$/);
  });

  it('states how long LB waits where answers take their time', () => {
    const played = (settings: string, tookMs: number) => {
      const stepper = new Stepper(settingsOf(`ups a interval=2s ${settings}`));
      const beganMs = stepper.nowMs;
      for (let ms = 0; stepper.starts.length === 0; ms += 2_000) {
        stepper.nowMs = beganMs + ms + tookMs;
        const outcome = reading('OB LB', { chargePercent: 50 });
        stepper.input({ kind: 'polled', groupId: 'a', outcome, at: stepper.at, askedMs: beganMs + ms });
      }
      const seconds = (stepper.nowMs - beganMs - tookMs) / 1_000;
      const [text = ''] = texts(stepper, 'LOW_BATTERY_FLAG');
      return [/another (\d+) s\.$/.exec(text)?.[1], seconds];
    };
    expect(played('delay=0s', 5)).to.deep.equal(['4', 4]);
    expect(played('delay=0s', 1_999)).to.deep.equal(['4', 4]);
    expect(played('delay=0s', 2_000)).to.deep.equal(['6', 6]);
    expect(played('delay=4s', 5)).to.deep.equal(['4', 4]);
    expect(played('delay=5s', 5)).to.deep.equal(['6', 6]);
    expect(played('delay=0s status-hold=0s', 1_900)).to.deep.equal(['2', 2]);
  });

  it('names no limit of a charge and a runtime that the UPS does not report', () => {
    const told = (values: Partial<Reading>) =>
      texts(new Stepper(settingsOf('ups a')).polls('a', reading('OB', values), 1), 'ON_BATTERY')[0];
    expect(told({})).to.contain('begins at more than 15 min on battery or the LB flag, or when another');
    expect(told({ chargePercent: 90 })).to.contain('begins at charge below 20 % or depletion above');
    expect(told({ runtimeSeconds: 900 })).to.contain(
      'at runtime below 10 min or more than 15 min on battery',
    );
  });

  it('ends an alarm with one mark', () => {
    const told = (alarm: string) => {
      const { reading: seen, kind } = reading('OL ALARM') as Extract<PollOutcome, { kind: 'reading' }>;
      const stepper = new Stepper(settingsOf('ups a'));
      stepper.poll('a', { kind, reading: seen, variables: { 'ups.alarm': alarm } });
      return texts(stepper, 'UPS_ALARM')[0];
    };
    expect(told('Replace battery!')).to.contain('alarm: Replace battery! Look at the UPS');
    expect(told('Replace battery')).to.contain('alarm: Replace battery. Look at the UPS');
  });

  it('reports LB once in an outage, however often it comes and goes, and again in the next one', () => {
    const stepper = new Stepper(settingsOf('ups a flag=off'));
    const outage = () => {
      for (let second = 0; second < 90; second += 1)
        stepper.polls('a', reading('OB LB'), 1).polls('a', reading('OB'), 1);
      stepper.polls('a', reading('OL'), 5);
    };
    outage();
    outage();
    expect(details(stepper, 'LOW_BATTERY_FLAG')).to.have.length(1);
    stepper.polls('a', reading('OL'), 60).polls('a', reading('OB LB'), 5);
    expect(details(stepper, 'LOW_BATTERY_FLAG')).to.have.length(2);
  });

  it('says that a worn battery is to be replaced, and nothing when its word is gone', () => {
    const stepper = new Stepper(settingsOf('ups a'));
    stepper.polls('a', reading('OL RB'), 5).polls('a', reading('OL'), 40);
    expect(stepper.effects.flatMap((one) => (one.kind === 'recordEvent' ? [one.type] : []))).to.deep.equal([
      'BATTERY_REPLACE',
    ]);
  });

  it('states who decides on a forced shutdown', () => {
    const rack = settingsOf('ups a\nups b\nups c\ngroup rack members=a,b');
    const stepper = new Stepper(rack);
    for (const name of ['a', 'c']) stepper.polls(name, reading('OL'), 1).polls(name, reading('FSD OL'), 1);
    expect(texts(stepper, 'FSD_DETECTED')).to.have.length(2);
    expect(texts(stepper, 'FSD_DETECTED')[0]).to.match(/Its redundancy group decides\.$/);
    expect(texts(stepper, 'FSD_DETECTED')[1]).to.match(/The shutdown starts now\.$/);
  });

  it('states that FSD is still set when power is back, and nothing of a UPS that shows no FSD', () => {
    const stepper = new Stepper(settingsOf('ups a\nups b'));
    for (const [name, forced] of [
      ['a', 'FSD '],
      ['b', ''],
    ] as const) {
      stepper.polls(name, reading('OL'), 1).polls(name, reading(`${forced}OB`), 3);
      stepper.polls(name, reading(`${forced}OL`), 3);
    }
    const latched = texts(stepper, 'FSD_LATCHED');
    expect(latched).to.have.length(1);
    expect(latched[0]).to.contain('a is on line power, and FSD is still set').and.not.contain('This daemon');
  });

  it('names the members of a group by their labels', () => {
    const rack = settingsOf('ups a delay=0s\nups b delay=0s\ngroup rack members=a,b');
    const ups = rack.ups.map((one) => ({ ...one, label: `Feed ${one.label}` }));
    const stepper = new Stepper({ ...rack, ups });
    for (const name of ['a', 'b']) stepper.polls(name, reading('OL'), 2);
    for (const name of ['a', 'b', 'a', 'b', 'a', 'b']) stepper.polls(name, low, 1);
    stepper.wait(2_000);
    expect(texts(stepper, 'QUORUM_LOST')[0]).to.match(/: Feed a CRITICAL \(.*\), Feed b CRITICAL/);
    expect(texts(stepper, 'SHUTDOWN_TRIGGERED')[0]).to.match(/healthy: Feed a CRITICAL/);
  });

  it('states limits of triggers that are on, and what is left without any', () => {
    const { ups, ...rest } = settingsOf('ups a');
    const off = ups.map((one) => ({
      ...one,
      triggers: {
        ...one.triggers,
        lowBatteryPercent: 0,
        criticalRuntimeSeconds: 0,
        outputOffMs: 0,
        lowBatteryFlag: false,
        depletion: { ...one.triggers.depletion, criticalRate: 10_000 },
        extendedTime: { ...one.triggers.extendedTime, enabled: false },
      },
    }));
    const stepper = new Stepper({ ...rest, ups: off }).polls('a', reading('OB'), 2);
    expect(texts(stepper, 'ON_BATTERY')[0]).to.match(
      /shutdown begins only when FSD is set, or when it cannot be read any more\.$/,
    );
  });

  it('states that a trigger after the sequence is only recorded', () => {
    const stepper = new Stepper(settingsOf('ups a delay=0s')).polls('a', low, 3);
    expect(stepper.starts).to.deep.equal(['a']);
    stepper.polls('a', reading('OL', { chargePercent: 5 }), 2).polls('a', low, 3);
    expect(stepper.starts).to.deep.equal(['a']);
    expect(details(stepper, 'TRIGGER_ADVISORY').at(-1)).to.match(
      /recorded only: a sequence of this group was started before and it is not armed again yet$/,
    );
  });

  it('states when an outage that is resumed began, whatever the wall clock was set to', () => {
    for (const seconds of [-86_400, 0, 86_400]) {
      const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('OB'), 3);
      stepper.setSeconds = seconds;
      stepper.polls('a', reading('OL'), 10).polls('a', reading('OB'), 2);
      stepper.polls('a', reading('OL'), 20).polls('a', reading('OB'), 2);
      const again = details(stepper, 'ON_BATTERY').map((detail) => detail.split(' after', 1)[0]);
      expect(again.slice(1)).to.deep.equal(['again, 13 s', 'again, 35 s']);
    }
  });

  it('states that the time on battery is a sum where power was back in between', () => {
    const stepper = new Stepper(settingsOf('ups a'));
    for (let part = 0; part < 3; part += 1)
      stepper.polls('a', reading('OB'), 4).polls('a', reading('OL'), 10);
    const lasted = details(stepper, 'POWER_RESTORED').map((detail) => detail.split(';', 1)[0]);
    expect(lasted).to.deep.equal([
      'on line power after 5 s',
      'on line power after 10 s on battery in the last 19 s',
      'on line power after 15 s on battery in the last 33 s',
    ]);
  });

  it('does not take a self-test soon after an outage for the begin of that outage', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('OB'), 3);
    stepper.polls('a', reading('OL'), 10).polls('a', reading('OB TEST'), 2);
    expect(details(stepper, 'ON_BATTERY')[1]).to.match(
      /^self-test: again, 13 s after the load first went on battery; /,
    );
  });

  it('states the direction of a short voltage deviation, and how long a poll took', () => {
    const volts = (inputVolts: number) => reading('OL', { inputVolts, nominalVolts: 230 });
    const stepper = new Stepper(settingsOf('ups a'));
    stepper.polls('a', volts(230), 1).polls('a', volts(200), 2).polls('a', volts(231), 1);
    stepper.polls('a', volts(255), 3).polls('a', volts(229), 1);
    expect(details(stepper, 'VOLTAGE_FLAP_SUPPRESSED')).to.deep.equal([
      'too low for 2 s only, now 231 V; no notification sent',
      'too high for 3 s only, now 229 V; no notification sent',
    ]);
    const slow = {
      kind: 'polled',
      at: stepper.at,
      groupId: 'a',
      outcome: volts(230),
      tookMs: 8_000,
    } as const;
    stepper.input(slow);
    expect(details(stepper, 'SLOW_NUT_RESPONSE')).to.deep.equal(['the poll took 8 s']);
  });

  it('lists eight members without a count of others, and truncates long reasons', () => {
    const eight = Array.from({ length: 8 }, (_, index) => newMember(`u${String(index)}`));
    expect(formatMembers(inWords(eight, String))).to.match(/u7 UNKNOWN \([^,]*\)$/);
    expect(formatMembers(inWords([{ ...newMember('u'), why: 'x'.repeat(300) }], String))).to.equal(
      `u UNKNOWN (${'x'.repeat(200)})`,
    );
  });

  it('states why a runtime of 0 is refused, on line power and after it', () => {
    const stepper = new Stepper(settingsOf('ups a'));
    stepper.polls('a', reading('OL', { runtimeSeconds: 0 }), 1);
    expect(explain(stepper.state, 'a').text).to.contain('a runtime of 0 s on line power is no reading');
    stepper.polls('a', reading('OB', { runtimeSeconds: 0 }), 2);
    expect(explain(stepper.state, 'a').text).to.contain('the runtime was 0 s on line power too');
  });
});
