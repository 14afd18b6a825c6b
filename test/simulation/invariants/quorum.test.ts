import { expect } from 'chai';
import { instantDriver } from '../generator/drivers.js';
import { groupPolicy } from '../generator/settings.js';
import type { Plant } from '../plant/plant.js';
import type { UpsSpec } from '../scenario.js';
import { Random } from '../random.js';
import { localStep, Played, server, settings, ups } from './played.js';

const sync = localStep('sync');
const done = { kind: 'done' } as const;

describe('a quorum', () => {
  const members = ['a', 'b'];
  const local = groupPolicy(new Random(1), members, true, true);
  const rack = (
    minHealthy: number,
    plant: Partial<Plant> = {},
    seconds = 90,
    spec: Partial<UpsSpec> = {},
  ): Played => {
    const group = { ...local, minHealthy, triggers: settings };
    const own = members.map((name) => {
      const policy = { isLocal: false, advisory: true, groups: [group.name] };
      return { ...ups(name, policy), feed: `feed of ${name}`, ...spec };
    });
    const played = new Played({ ups: own, groups: [group], hostFeeds: members }, plant);
    return bothRead(played, 'OL', 'OL', seconds);
  };
  const bothRead = (played: Played, ofA: string, ofB: string, count: number): Played => {
    for (let left = count; left > 0; left -= 1)
      played.reads(ofA, 100, 3_000, 1, 'a').reads(ofB, 100, 3_000, 1, 'b');
    return played;
  };
  const groupFalls = (played: Played): Played => {
    played.observer.snapshotWritten();
    played.observer.began(sync);
    played.says('SHUTDOWN_TRIGGERED', 'none healthy', local.groupId).observer.ticked();
    return played;
  };

  it('is broken by a group that falls while it holds', () => {
    for (const seconds of [10, 90]) {
      const played = bothRead(rack(1, {}, seconds).mains(0, 'feed of a'), 'OB', 'OL', 10);
      expect(groupFalls(played).broken).to.equal('a group never falls while its quorum holds');
    }
  });

  it('may fall with a member whose first readings showed the voltage of another grid', () => {
    const holds = 'a group never falls while its quorum holds';
    for (const [volts, inputVolts, seconds, broken] of [
      [130, 130, 5, undefined],
      [130, 130, 4, holds],
      [299, 299, 5, holds],
      [230, 130, 5, holds],
    ] as const) {
      const played = rack(1, {}, 0);
      played.inputVolts = inputVolts;
      played.mains(volts, 'feed of a');
      bothRead(played, 'OL', 'OL', seconds).mains(230, 'feed of a');
      played.inputVolts = 230;
      bothRead(played, 'OL', 'OL', 90).mains(0, 'feed of b');
      bothRead(played, 'OL', 'OB', 10);
      expect(groupFalls(played).broken, `${String(volts)} ${String(inputVolts)}`).to.equal(broken);
    }
  });

  it('is broken by a group that falls with lost monitoring alone', () => {
    const played = rack(1).mains(0, 'feed of a').mains(0, 'feed of b').fails(2, 'a').fails(2, 'b');
    expect(groupFalls(played).broken).to.equal('lost monitoring alone shuts nothing down');
  });

  it('may fall with a member whose output is off beside OL, but not where OFF always stood there', () => {
    const falls = (seconds: number) => {
      const played = rack(1, {}, seconds);
      bothRead(played, 'OL OFF', 'OL', 40).mains(0, 'feed of b');
      return groupFalls(played.fails(2, 'b')).broken;
    };
    expect(falls(90)).to.equal(undefined);
    expect(falls(0)).to.equal('lost monitoring alone shuts nothing down');
  });

  it('may fall with a sample of OFF only where its driver shows that for longer than it may be doubted', () => {
    for (const [statusMs, broken] of [
      [60_000, undefined],
      [30_000, 'nothing is shut down while power is truly fine'],
    ] as const) {
      const played = rack(1, {}, 90, { driver: { ...instantDriver, statusMs } });
      bothRead(played, 'OFF', 'OL', 31).fails(2, 'b').observer.began(sync);
      played.observer.snapshotWritten();
      played.says('SHUTDOWN_TRIGGERED', 'none healthy: a (its output is off)', local.groupId);
      played.observer.ticked();
      expect(played.broken).to.equal(broken);
    }
  });

  it('may fall with a member whose FSD a battery test keeps, and by no other cause of it', () => {
    for (const [cause, broken] of [
      ['FSD: forced', undefined],
      ['input voltage LOW', 'nothing is shut down while power is truly fine'],
    ] as const) {
      const played = rack(1);
      const { world } = played;
      world.perform({ kind: 'demand', ups: 'a', on: true });
      played.reads('OL FSD', 100, 3_000, 1, 'a', () => {
        played.says('TRIGGER_ADVISORY', 'FSD: forced; its redundancy group decides', 'a');
      });
      world.perform({ kind: 'exercise', ups: 'a', exercise: 'test', lastsMs: 100_000 });
      world.perform({ kind: 'demand', ups: 'a', on: false });
      bothRead(played, 'OB TEST', 'OL', 30).fails(2, 'b').observer.began(sync);
      played.observer.snapshotWritten();
      played.says('SHUTDOWN_TRIGGERED', `none healthy: a (${cause})`, local.groupId).observer.ticked();
      expect(played.broken).to.equal(broken);
    }
  });

  it('is broken by a group that does not fall when no quorum is possible', () => {
    const played = rack(1);
    for (const name of members) {
      played.world.perform({ kind: 'demand', ups: name, on: true });
      played.reads('OL FSD', 100, 3_000, 1, name, () => {
        played.says('TRIGGER_ADVISORY', 'FSD: forced; its redundancy group decides', name);
      });
    }
    expect(played.passes(2).broken).to.equal(undefined);
    expect(played.passes(3).broken).to.equal('a quorum that cannot hold starts the sequence');
  });

  it('counts no trigger of an outage that words without a source have ended', () => {
    const says = (played: Played, name: string) => () => {
      played.says('TRIGGER_ADVISORY', 'LOW_BATTERY: charge 15 %; its redundancy group decides', name);
    };
    for (const [status, broken] of [
      ['OL OB LB', undefined],
      ['OB LB', 'a quorum that cannot hold starts the sequence'],
    ] as const) {
      const played = rack(1).mains(0, 'feed of a').mains(0, 'feed of b');
      played.reads(status, 15, 3_000, 2, 'a', says(played, 'a')).reads('CHRG', 15, 3_000, 2, 'a');
      played.reads('OB LB', 15, 3_000, 2, 'b', says(played, 'b'));
      expect(played.reads('CHRG', 15, 3_000, 5, 'a').broken).to.equal(broken);
    }
  });

  it('is broken by an output that is cut where the UPS has power and its group has not', () => {
    const output = { ups: 'b', offDelaySeconds: 60, behaviour: 'cuts' } as const;
    const played = bothRead(rack(2, { outputs: [output] }).mains(0, 'feed of a'), 'OB', 'OL', 10);
    groupFalls(played).observer.ended(sync, done);
    expect(played.broken).to.equal(undefined);
    played.observer.cut('b');
    expect(played.passes(1).broken).to.equal(
      'no output is cut where the UPS has power and its group has not',
    );
  });

  it('does not need an output beside a member whose empty battery its driver does not show yet', () => {
    const output = { ups: 'b', offDelaySeconds: 60, behaviour: 'cuts' } as const;
    const servers = [{ ...server('s0', 10), owner: local.groupId }];
    for (const [status, seconds, broken] of [
      ['OL', 0, undefined],
      ['OL', 7, 'no output is cut under what still needs it'],
      ['OB', 0, 'no output is cut under what still needs it'],
    ] as const) {
      const played = bothRead(rack(1, { outputs: [output], servers }).mains(0, 'feed of a'), status, 'OL', 3);
      const { world, observer } = played;
      const device = world.devices.get('a');
      device?.ranDown(device.emptyAtMs(world.nowMs) + 1);
      played.passes(seconds);
      observer.cut('b');
      observer.ticked();
      expect(played.broken).to.equal(broken);
    }
  });

  it('cuts an output where the driver of enough members still shows line power', () => {
    const output = { ups: 'b', offDelaySeconds: 60, behaviour: 'cuts' } as const;
    for (const minHealthy of [1, 2]) {
      const played = rack(minHealthy, { outputs: [output] })
        .mains(0, 'feed of a')
        .mains(0, 'feed of b');
      groupFalls(bothRead(played, 'OB', 'OL BOOST', 10)).observer.ended(sync, done);
      played.observer.cut('b');
      const kept = 'no output is cut where the UPS has power and its group has not';
      expect(played.passes(1).broken).to.equal(minHealthy === 1 ? undefined : kept);
    }
  });
});
