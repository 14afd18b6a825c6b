import { expect } from 'chai';
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { Loss } from '../scenario.js';
import { localStep, Played, server, serverStep, ups } from './played.js';

const [sync, guests] = [localStep('sync'), localStep('guests')];
const done = { kind: 'done' } as const;
const inTime = 'a trigger that is met acts at that reading';
const powerOff = ['simulated-power-off'];

/** In an outage of two UPSes; the second shuts down a server that the first, of this host, drains. */
const inOutage = (): Played => {
  const beside = { isLocal: false };
  const both = { ups: [ups('a'), ups('b', beside)], hostFeeds: ['a'] };
  const played = new Played(both, { drain: true, servers: [{ ...server('s0', 10), owner: 'b' }] });
  const bothRead = (status: string, seconds: number) => {
    for (let left = seconds; left > 0; left -= 1)
      played.reads(status, 100, 3_000, 1, 'a').reads(status, 100, 3_000, 1, 'b');
  };
  bothRead('OL', 90);
  played.mains(0);
  bothRead('OB', 80);
  return played;
};
/** The charge of one comes down while the other has this one. */
const readsLow = (played: Played, name: 'a' | 'b', other: number, acts: () => void): void => {
  for (const charge of [95, 87, 80, 72, 64, 56, 48, 40, 32, 24, 19, 18]) {
    played.reads('OB', other, 2_000, 1, name === 'a' ? 'b' : 'a');
    played.reads('OB', charge, 2_000, 1, name, charge === 18 ? acts : undefined);
  }
};
const low = 'LOW_BATTERY: charge 18 %';
const decides = (played: Played, group: string, first: PlanStep, detail = low): void => {
  played.observer.snapshotWritten();
  played.observer.began(first);
  played.says('SHUTDOWN_TRIGGERED', detail, group);
};
const dies = (played: Played, ...losses: readonly Loss[]): Played => {
  played.observer.daemonDied(false);
  for (const loss of losses) played.observer.lost(loss);
  played.world.nowMs += 1_000;
  played.observer.daemonStarted();
  return played;
};

describe('a sequence whose end is not on the disk', () => {
  it('has done its work for the next one once it is resumed', () => {
    for (const isResumed of [true, false]) {
      const played = inOutage();
      const { observer, world } = played;
      const command = serverStep('s0');
      const ends = (group: string) => {
        played.says('REMOTE_SHUTDOWN_SUMMARY', `${group}: 1 of 1 ok: s0 ok`, group);
        played.says('SHUTDOWN_SEQUENCE_COMPLETE', `${group}: all phases have ended`, group);
      };
      readsLow(played, 'b', 100, () => decides(played, 'b', command));
      world.perform({ kind: 'disk', full: true });
      observer.commanded('s0');
      observer.ended(command, done);
      ends('b');
      dies(played);
      world.perform({ kind: 'disk', full: false });
      readsLow(played, 'a', 18, () => decides(played, 'a', sync));
      if (isResumed) {
        played.says('SHUTDOWN_RESUMED', 'LOW_BATTERY', 'b');
        ends('b');
      }
      observer.ended(sync, done);
      observer.ran(powerOff);
      observer.commandEnded({ kind: 'exited', code: 0, output: '' }, powerOff);
      ends('a');
      expect(played.broken).to.equal(isResumed ? undefined : 'a complete sequence has left nothing out');
    }
  });

  it('may be looked at for 15 s while another one waits for it', () => {
    for (const [isOpen, seconds, broken] of [
      [true, 9, undefined],
      [true, 15, 'a sequence goes on'],
      [false, 9, 'a sequence goes on'],
    ] as const) {
      const played = inOutage();
      if (isOpen)
        readsLow(played, 'b', 100, () => {
          played.world.perform({ kind: 'disk', full: true });
          decides(played, 'b', serverStep('s0'));
        });
      dies(played);
      played.world.perform({ kind: 'disk', full: false });
      const readFor = (seconds: number, ofA: string) => {
        for (let passed = 0; passed < seconds; passed += 2)
          played.reads('OB', 18, 2_000, 1, 'b').reads(ofA, 100, 2_000, 1, 'a');
      };
      readFor(10, 'OB');
      played.world.perform({ kind: 'demand', ups: 'a', on: true });
      played.reads('OB FSD', 100, 2_000, 1, 'a', () => decides(played, 'a', sync, 'FSD: forced'));
      played.observer.ended(sync, done);
      readFor(seconds, 'OB FSD');
      expect(played.broken).to.equal(broken);
    }
  });
});

describe('a decision of a daemon that is killed in it', () => {
  it('holds across the restart where the snapshot has it', () => {
    for (const isKept of [true, false]) {
      const played = new Played().reads('OL', 100, 3_000, 30).mains(0).reads('OB', 100, 3_000, 30);
      const { observer, world } = played;
      world.perform({ kind: 'demand', ups: 'a', on: true });
      played.reads('OB FSD', 100, 3_000, 1, 'a', () => {
        if (isKept) observer.snapshotWritten();
        world.daemon.scheduleKill(1_000);
        played.says('SHUTDOWN_TRIGGERED', 'FSD: forced').says('SHUTDOWN_PHASE_STARTED', 'virtual_machines');
      });
      observer.daemonDied(true);
      world.daemon.die();
      observer.daemonStarted();
      played.reads('OB FSD', 100, 3_000, 17);
      expect(played.broken).to.equal(isKept ? 'a decision holds across a restart' : undefined);
    }
  });
});

describe('a step whose begin is not on the disk', () => {
  it('has its whole budget again', () => {
    for (const [isFull, broken] of [
      [true, undefined],
      [false, 'a step ends within its budget'],
    ] as const) {
      const played = new Played().shutsDown(sync);
      const { observer, world } = played;
      const disk = (full: boolean) => {
        world.perform({ kind: 'disk', full });
        observer.worldChanged({ kind: 'disk', full });
      };
      if (isFull) disk(true);
      observer.ended(sync, done);
      world.nowMs += 250;
      observer.began(guests);
      world.nowMs += 250;
      observer.daemonDied(false);
      world.nowMs += 30_000;
      disk(false);
      observer.daemonStarted();
      played.says('SHUTDOWN_RESUMED', 'LOW_BATTERY');
      observer.began(guests);
      world.nowMs += 300;
      observer.ended(guests, done);
      expect(played.broken).to.equal(broken);
    }
  });
});

describe('a sequence that is resumed after a stall', () => {
  it('has its bound, and the time of the stall', () => {
    for (const [kind, broken] of [
      ['stall', undefined],
      ['suspend', 'a sequence ends within the bound of its plan'],
    ] as const) {
      const played = inOutage();
      played.world.perform({ kind: 'disk', full: true });
      readsLow(played, 'a', 100, () => decides(played, 'a', sync));
      dies(played);
      played.world.perform({ kind: 'disk', full: false });
      played.observer.worldChanged({ kind, ms: 60_000 });
      played.world.nowMs += 60_000;
      played.observer.began(sync);
      played.says('SHUTDOWN_RESUMED', 'LOW_BATTERY').observer.ticked();
      expect(played.broken).to.equal(broken);
    }
  });
});

describe('FSD after a restart', () => {
  it('acts where the snapshot on the disk has line power without it', () => {
    for (const [losses, broken] of [
      [[], inTime],
      [[{ kind: 'journals' }], inTime],
      [[{ kind: 'age', ms: 5_000 }], inTime],
      [[{ kind: 'age', ms: 120_000 }], undefined],
      [[{ kind: 'snapshot' }], undefined],
    ] as const) {
      const played = new Played().reads('OL', 100, 3_000, 30);
      played.observer.snapshotWritten();
      dies(played.reads('OL', 100, 3_000, 30), ...losses);
      played.world.perform({ kind: 'demand', ups: 'a', on: true });
      expect(played.reads('OL FSD', 100, 3_000).broken).to.equal(broken);
    }
  });
});

describe('time on battery after two restarts', () => {
  it('goes on over line power that a daemon has read right before it died', () => {
    for (const [seconds, broken] of [
      [1, undefined],
      [3, 'a condition stands as long as the specification asks'],
    ] as const) {
      const played = new Played().reads('OL', 100, 3_000, 90).mains(0).reads('OB', 100, 3_000, 250);
      dies(played).reads('OL', 100, 3_000, seconds).observer.daemonDied(false);
      played.world.nowMs += 60_000;
      played.observer.daemonStarted();
      played.reads('OB', 100, 3_000, 2).falls('EXTENDED_TIME: on battery for 5 min', sync).observer.ticked();
      expect(played.broken).to.equal(broken);
    }
  });
});
