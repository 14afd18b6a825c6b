import { expect } from 'chai';
import type { Reading } from '../../../shared/domain/ups/reading.js';
import { openSequences, restored, snapshotOf } from '../../../supervisor/policy/snapshot.js';
import { upsOf } from '../../../supervisor/policy/state/state.js';
import { upsRow } from '../../../supervisor/policy/view/view.js';
import { reading, settingsOf, Stepper } from './stream.js';

const low = reading('OB', { chargePercent: 15, runtimeSeconds: 3_000 });

describe('a reload', () => {
  it('keeps the timers of a UPS that stays', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', low, 20);
    stepper.configure(settingsOf('ups b\nups a threshold=25s low=0'));
    stepper.polls('a', low, 7);
    expect(stepper.starts, 'on battery for 26 s, one reading').to.deep.equal([]);
    stepper.polls('a', low, 5);
    expect(stepper.starts, 'past the delay of 30 s').to.deep.equal(['a']);
  });

  it('publishes every row and requests a snapshot', () => {
    const effects = new Stepper(settingsOf('ups a\nups b')).configure(
      settingsOf('ups a\nups b\ngroup rack members=a,b'),
    );
    expect(effects).to.deep.equal([
      { kind: 'saveSnapshot', first: false },
      { kind: 'publish', groupId: 'a' },
      { kind: 'publish', groupId: 'b' },
      { kind: 'publish', groupId: 'redundancy-rack' },
    ]);
  });

  it('removes a UPS that is no longer configured, and adds it as new when it is configured again', () => {
    const stepper = new Stepper(settingsOf('ups a\nups b')).polls('a', low, 5);
    stepper.configure(settingsOf('ups b'));
    expect(() => upsRow(stepper.state, 'a')).to.throw();
    stepper.configure(settingsOf('ups a\nups b'));
    expect(upsRow(stepper.state, 'a').status).to.equal('');
  });

  it('treats a UPS that is removed and added in an outage as one that transfers at that moment', () => {
    const stepper = new Stepper(settingsOf('ups a\nups b')).polls('a', low, 40);
    expect(stepper.starts).to.deep.equal(['a']);
    stepper.configure(settingsOf('ups b'));
    stepper.polls('b', reading('OL'), 3);
    stepper.input({ kind: 'sequenceEnded', at: stepper.at, groupId: 'a', cancelled: false });
    stepper.configure(settingsOf('ups a\nups b'));
    stepper.wait(60_000);
    expect(stepper.starts, 'out of sight, and never seen on battery').to.deep.equal(['a']);
    stepper.polls('a', low, 30);
    expect(stepper.starts, 'within the delay of 30 s').to.deep.equal(['a']);
    stepper.polls('a', low, 1);
    expect(stepper.starts).to.deep.equal(['a', 'a']);
  });

  it('treats FSD on line power of an added UPS as latched', () => {
    const stepper = new Stepper(settingsOf('ups a\nups b')).polls('a', reading('OL'), 2);
    stepper.configure(settingsOf('ups b'));
    stepper.configure(settingsOf('ups a\nups b'));
    stepper.polls('a', reading('FSD OL'), 5);
    expect(stepper.starts).to.deep.equal([]);
    expect(stepper.events).to.include('a FSD_LATCHED');
  });

  describe('in the confirmation of a value that is missing since', () => {
    const without = (missing: Partial<Reading>) =>
      reading('OB', { chargePercent: 60, runtimeSeconds: 3_000, ...missing });
    const [noCharge, noRuntime] = [without({ chargePercent: null }), without({ runtimeSeconds: null })];
    const short = without({ runtimeSeconds: 60 });
    const before = () => new Stepper(settingsOf('ups a runtime=161s hold=30s')).polls('a', without({}), 40);
    const restartedOf = (stepper: Stepper, text: string): Stepper => {
      const back = restored(snapshotOf(stepper.state), settingsOf(text), stepper.at);
      if (!back.ok) throw new Error('refused');
      return new Stepper(settingsOf(text), back.value, stepper.nowMs);
    };
    const reloadedOf = (stepper: Stepper, text: string): Stepper => {
      stepper.configure(settingsOf(text));
      return stepper;
    };

    for (const [how, under] of [
      ['a reload', reloadedOf],
      ['a restart', restartedOf],
    ] as const) {
      it(`is taken back by ${how} whose threshold the value does not meet`, () => {
        const stepper = before().polls('a', short, 20).polls('a', noRuntime, 5);
        expect(stepper.starts, 'in doubt').to.deep.equal([]);
        expect(under(stepper, 'ups a runtime=54s hold=5s').polls('a', noRuntime, 20).starts).to.deep.equal(
          [],
        );
        const slow = new Stepper(settingsOf('ups a low=70 delay=60s')).polls('a', without({}), 20);
        expect(
          under(slow.polls('a', noCharge, 5), 'ups a low=50').polls('a', noCharge, 60).starts,
        ).to.deep.equal([]);
      });

      it(`is kept by ${how} whose threshold it meets, and by one that has the same`, () => {
        for (const text of ['ups a runtime=100s hold=5s', 'ups a runtime=161s hold=5s']) {
          const stepper = before().polls('a', short, 20).polls('a', noRuntime, 5);
          expect(under(stepper, text).polls('a', noRuntime, 1).starts.slice(-1), text).to.deep.equal(['a']);
        }
      });
    }

    it('is taken back of a member by the thresholds of its group', () => {
      const rack = (options: string) => settingsOf(`ups a runtime=0s\ngroup rack members=a ${options}`);
      for (const [options, starts] of [
        ['low=50', []],
        ['low=65', ['redundancy-rack']],
      ] as const) {
        const stepper = new Stepper(rack('low=70 delay=60s')).polls('a', without({}), 20);
        stepper.polls('a', noCharge, 5).configure(rack(options));
        expect(stepper.polls('a', noCharge, 40).starts).to.deep.equal(starts);
      }
    });

    it('stays where that cannot be told', () => {
      const stepper = new Stepper(settingsOf('ups a low=70')).polls('a', without({}), 5);
      const settings = settingsOf('ups a');
      const [ups] = settings.ups;
      if (ups === undefined) throw new Error('a UPS is configured');
      const get = (): never => {
        throw new Error('no threshold');
      };
      const triggers = Object.defineProperty({ ...ups.triggers }, 'lowBatteryPercent', { get });
      stepper.configure({ ...settings, ups: [{ ...ups, triggers }] });
      expect(upsOf(stepper.state, 'a')?.confirmed).to.include({ LOW_BATTERY: 2 });
    });
  });

  it('re-arms no trigger, so that an outage has one sequence', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', low, 40);
    stepper.configure(settingsOf('ups a low=90'));
    stepper.polls('a', low, 40);
    expect(stepper.starts).to.deep.equal(['a']);
  });

  it('makes the triggers of a new group member advisory', () => {
    const stepper = new Stepper(settingsOf('ups a\nups b')).polls('a', low, 5);
    stepper.configure(settingsOf('ups a\nups b\ngroup rack members=a,b'));
    stepper.polls('b', reading('OL'), 1).polls('a', low, 40);
    expect(stepper.starts).to.deep.equal([]);
    expect(stepper.events).to.include('a TRIGGER_ADVISORY');
  });

  it('keeps the state of group members that stay', () => {
    const stepper = new Stepper(settingsOf('ups a\nups b\nups c\ngroup rack members=a,b'));
    for (const ups of ['b', 'c']) stepper.poll(ups, reading('OL'));
    stepper.polls('a', low, 40);
    stepper.configure(settingsOf('ups a\nups b\nups c\ngroup rack members=a,c min=2'));
    stepper.polls('c', reading('OL'), 3);
    expect(stepper.starts).to.deep.equal(['redundancy-rack']);
  });

  it('judges the quorum without a new member until that has been read, for 80 s', () => {
    const onBattery = reading('OB', { chargePercent: 90, runtimeSeconds: 3_000 });
    const stepper = new Stepper(settingsOf('ups a\nups b\ngroup rack members=a,b min=2'));
    stepper.polls('b', reading('OL'), 2).polls('a', onBattery, 3);
    stepper.configure(settingsOf('ups a\nups b\nups c\ngroup rack members=a,b,c min=3'));
    stepper.polls('b', reading('OL'), 5).polls('a', onBattery, 5);
    expect([stepper.starts, stepper.events]).to.deep.equal([[], ['a ON_BATTERY']]);
    stepper.polls('c', reading('OL'), 5);
    expect(stepper.starts).to.deep.equal([]);
  });

  it('waits 80 s for a new member that cannot be read', () => {
    const stepper = new Stepper(settingsOf('ups a\nups b\ngroup rack members=a,b min=2'));
    const read = (times: number): void => {
      for (let time = 0; time < times; time += 1) {
        stepper.poll('a', reading('OL'));
        stepper.polls('b', reading('OL'), 1);
      }
    };
    read(5);
    stepper.configure(settingsOf('ups a\nups b\nups c\ngroup rack members=a,b,c min=3'));
    read(75);
    expect(stepper.events).not.to.include('redundancy-rack QUORUM_LOST');
    read(10);
    expect(stepper.events).to.include('redundancy-rack QUORUM_LOST');
  });

  it('loses the quorum of a group with a new member at once when its other members fail', () => {
    const stepper = new Stepper(settingsOf('ups a\nups b\ngroup rack members=a,b'));
    for (let second = 0; second < 40; second += 1)
      stepper.poll('a', low) && stepper.polls('b', reading('OL'), 1);
    stepper.configure(settingsOf('ups a\nups b\nups c\ngroup rack members=a,b,c min=2'));
    stepper.wait(3_000);
    expect(stepper.starts).to.deep.equal(['redundancy-rack']);
  });

  it('tolerates a group whose member is not configured', () => {
    const settings = settingsOf('ups a\ngroup rack members=a,ghost');
    const stepper = new Stepper(settings).polls('a', reading('OL'), 100);
    expect(stepper.starts).to.deep.equal([]);
  });
});

describe('the end of a sequence', () => {
  it('changes nothing for a group without one', () => {
    const stepper = new Stepper(settingsOf('ups a\nups b\nups c\ngroup rack members=b,c'));
    for (const ups of ['a', 'b', 'c']) stepper.polls(ups, reading('OL'), 2);
    const before = snapshotOf(stepper.state);
    for (const group of ['a', 'redundancy-rack', 'nobody']) {
      stepper.input({ kind: 'sequenceEnded', at: stepper.at, groupId: group, cancelled: false });
    }
    expect(snapshotOf(stepper.state)).to.deep.equal(before);
  });
});

describe('a redundancy group', () => {
  it('prepares its sequence when one of its own members goes on battery', () => {
    const racks = settingsOf('ups a\nups b\nups c\ngroup ab members=a,b\ngroup bc members=b,c');
    const stepper = new Stepper(racks);
    for (const ups of ['a', 'b', 'c']) stepper.poll(ups, reading('OL'));
    const prepared = (ups: string) =>
      stepper
        .poll(ups, reading('OB'))
        .flatMap((effect) => (effect.kind === 'prepare' ? [effect.groupId] : []));
    expect(prepared('a')).to.deep.equal(['redundancy-ab']);
    expect(prepared('b')).to.deep.equal(['redundancy-ab', 'redundancy-bc']);
  });
});

describe('a snapshot', () => {
  const settings = settingsOf('ups a\nups b\nups c\ngroup rack members=b,c');
  const at = { monotonicMs: 2_000_000, unixSeconds: 2_000 };

  it('is refused when it is invalid', () => {
    for (const nonsense of [null, {}, [], 'x', { version: 2 }]) {
      expect(restored(nonsense, settings, at).ok).to.equal(false);
    }
  });

  it('without the count of a trigger restores that count as 0', () => {
    const stepper = new Stepper(settings).polls(
      'a',
      reading('OB', { chargePercent: 5, runtimeSeconds: 5 }),
      1,
    );
    const kept = JSON.parse(JSON.stringify(snapshotOf(stepper.state))) as {
      ups: { confirmed: Record<string, number> }[];
    };
    const counts = kept.ups[0]?.confirmed;
    expect(counts).to.deep.include({ LOW_BATTERY: 1, CRITICAL_RUNTIME: 1 });
    delete counts?.['CRITICAL_RUNTIME'];
    const back = restored(kept, settings, stepper.at);
    expect(back.ok && upsOf(back.value, 'a')?.confirmed).to.deep.include({
      LOW_BATTERY: 1,
      CRITICAL_RUNTIME: 0,
    });
  });

  it('from the future is refused, because its outage would have lasted too long', () => {
    const kept = snapshotOf(new Stepper(settings).polls('a', low, 3).state);
    const earlier = { ...at, monotonicMs: kept.clock.monotonicMs - 1 };
    expect(restored(kept, settings, earlier).ok).to.equal(false);
    expect(restored(kept, settings, { ...at, monotonicMs: kept.clock.monotonicMs }).ok).to.equal(true);
  });

  it('contains the sequences that have not ended', () => {
    const stepper = new Stepper(settings);
    for (const ups of ['a', 'b', 'c']) stepper.polls(ups, low, 40);
    stepper.wait(3_000);
    const back = restored(JSON.parse(JSON.stringify(snapshotOf(stepper.state))), settings, stepper.at);
    if (!back.ok) throw new Error('refused');
    expect(openSequences(back.value).map(({ group, trigger }) => `${group} ${trigger}`)).to.deep.equal([
      'a LOW_BATTERY',
      'redundancy-rack QUORUM_LOST',
    ]);
    stepper.input({ kind: 'sequenceEnded', at: stepper.at, groupId: 'a', cancelled: false });
    expect(openSequences(stepper.state)).to.have.length(1);
  });

  it('restores UPSes that it does not contain as new', () => {
    const kept = snapshotOf(new Stepper(settingsOf('ups a')).polls('a', low, 3).state);
    const back = restored(kept, settings, at);
    if (!back.ok) throw new Error('refused');
    expect(upsRow(back.value, 'a').status).to.equal('OB');
    expect(upsRow(back.value, 'b').status).to.equal('');
  });
});
