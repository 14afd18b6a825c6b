import { expect } from 'chai';
import { emptyReading } from '../empty-reading.js';
import { localStep, Played, settings, ups } from './played.js';

/** On line power for long enough that every earlier outage has ended, and without a jump of the values since. */
const quiet = (played = new Played()): Played => played.reads('OL', 100, 3_000, 90);
const inOutage = (played = new Played(), seconds = 80): Played =>
  quiet(played).mains(0).reads('OB', 100, 3_000, seconds);

const inTime = 'a trigger that is met acts at that reading';

describe('a trigger in time', () => {
  it('is broken by a low charge that starts nothing at its second reading', () => {
    const played = inOutage().reads('OB', 95, 2_000);
    for (const charge of [86, 77, 68, 59, 50, 41, 32, 23, 19]) played.reads('OB', charge, 2_000);
    expect(played.broken).to.equal(undefined);
    expect(played.reads('OB', 18, 2_000).broken).to.equal(inTime);
  });

  it('is broken by a short runtime, a low battery and an output that is off', () => {
    const short = inOutage();
    for (const runtime of [2_100, 1_500, 1_050, 750, 590]) short.reads('OB', 99, runtime);
    expect(short.broken).to.equal(undefined);
    expect(short.reads('OB', 99, 580, 80).broken).to.equal(inTime);
    const low = inOutage();
    for (const charge of [92, 84, 76, 68, 60, 52, 44, 36, 28, 22]) low.reads('OB', charge, 2_000);
    expect(low.reads('OB LB', 20, 2_000).broken).to.equal(undefined);
    expect(low.reads('OB LB', 20, 2_000).broken).to.equal(inTime);
    const off = inOutage().reads('OFF', 100, 3_000, 30);
    expect(off.broken).to.equal(undefined);
    expect(off.reads('OFF', 100, 3_000).broken).to.equal(inTime);
  });

  it('counts how long a value was shown to the request of the last answer', () => {
    for (const [ageMs, broken] of [
      [79_000, undefined],
      [0, inTime],
    ] as const) {
      const played = inOutage().reads('OB', 99, 500);
      played.observer.worldChanged({ kind: 'stall', ms: 80_000 });
      played.world.nowMs += 80_000;
      played.ageMs = ageMs;
      expect(played.reads('OB', 99, 500).broken).to.equal(broken);
    }
  });

  it('is broken by a time on battery that starts nothing', () => {
    const played = inOutage(new Played(), 302);
    expect(played.broken).to.equal(undefined);
    expect(played.reads('OB', 100, 3_000).broken).to.equal(inTime);
  });

  it('is broken by a rate that starts nothing', () => {
    const fast = { ...settings.depletion, criticalRate: 30, graceMs: 0 };
    const site = { ups: [ups('a', { triggers: { ...settings, depletion: fast } })] };
    const played = inOutage(new Played(site));
    for (let second = 1; second <= 45; second += 1) played.reads('OB', 100 - second, 3_000);
    expect(played.broken).to.equal(inTime);
  });

  it('is broken by FSD that starts nothing', () => {
    const played = quiet();
    played.world.perform({ kind: 'demand', ups: 'a', on: true });
    expect(played.reads('OL FSD', 100, 3_000).broken).to.equal(inTime);
  });

  it('is broken by an outage out of sight that starts nothing', () => {
    const played = inOutage().fails(15);
    expect(played.broken).to.equal(undefined);
    expect(played.fails(2).broken).to.equal(inTime);
  });

  it('is broken by a trigger that is reported only', () => {
    const played = inOutage(new Played(), 302);
    const report = () => {
      played.says('TRIGGER_ADVISORY', 'EXTENDED_TIME: on battery for 5 min');
    };
    expect(played.reads('OB', 100, 3_000, 1, 'a', report).broken).to.equal(
      'a trigger that is met starts the sequence',
    );
  });

  it('survives a restart of the daemon', () => {
    const played = inOutage(new Played(), 250);
    played.observer.daemonDied(false);
    played.passes(1).observer.daemonStarted();
    expect(played.reads('OB', 100, 3_000, 60).broken).to.equal(inTime);
  });
});

describe('a condition that has stood long enough', () => {
  const early = 'a condition stands as long as the specification asks';

  for (const [what, detail, told] of [
    ['one reading', 'LOW_BATTERY: charge 15 %', (one: Played) => one.reads('OB', 15, 3_000, 1)],
    ['one runtime', 'CRITICAL_RUNTIME: runtime 5 s', (one: Played) => one.reads('OB', 99, 3_000)],
    ['too short a time', 'EXTENDED_TIME: on battery for 5 min', (one: Played) => one.reads('OB', 99, 3_000)],
    ['one LB', 'LOW_BATTERY_FLAG: LB', (one: Played) => one.reads('OB', 99, 3_000)],
    ['one sample of LB', 'LOW_BATTERY_FLAG: LB', (one: Played) => one.reads('OB LB', 99, 3_000, 3)],
    ['OFF for a moment', 'OUTPUT_OFF: off', (one: Played) => one.reads('OFF', 99, 3_000, 3)],
    ['a short silence', 'FAILSAFE: on battery and not seen for 5 s', (one: Played) => one.fails(5)],
    ['a status without FSD', 'FSD: forced', (one: Played) => one.reads('OB', 99, 3_000)],
    ['too short a grace', 'DEPLETION: depletion 20 %/min', (one: Played) => one.reads('OB', 99, 3_000)],
  ] as const) {
    it(`is broken by ${what}`, () => {
      const played = told(inOutage(new Played(), 10));
      played.falls(detail);
      expect(played.passes(1).broken).to.equal(early);
    });
  }

  it('is not broken by LB for longer than a sample is shown, nor by one that is borne out', () => {
    for (const [charge, count] of [
      [99, 4],
      [20, 2],
    ] as const) {
      const played = inOutage(new Played(), 10);
      played.reads('OB LB', charge, 3_000, count, 'a', () => {
        played.falls('LOW_BATTERY_FLAG: LB', localStep('sync'));
      });
      expect(played.broken).to.equal(undefined);
    }
  });

  it('keeps the failed polls of a silence whose words name no source', () => {
    for (const [charge, broken] of [
      [null, undefined],
      [99, early],
    ] as const) {
      const site = { ups: [ups('a', { maxStaleDataTolerance: 4 })] };
      const played = inOutage(new Played(site), 10).fails(4).reads('ALARM', charge, null, 12);
      played.falls('FAILSAFE: on battery and not seen for 15 s', localStep('sync')).observer.ticked();
      expect(played.broken).to.equal(broken);
    }
  });
});

describe('the failsafe after a restart', () => {
  it('needs its polls, and goes on with the count of those that have failed', () => {
    const ends = (failed: number, silent: number): string | undefined => {
      const triggers = { ...settings, failsafeMs: 8_000 };
      const played = inOutage(new Played({ ups: [ups('a', { maxStaleDataTolerance: 4, triggers })] }), 10);
      played.fails(failed).passes(silent).observer.daemonDied(false);
      played.passes(1).observer.daemonStarted();
      played.fails(1).falls('FAILSAFE: on battery and not seen for 9 s', localStep('sync'));
      played.observer.ticked();
      return played.broken;
    };
    expect(ends(7, 0)).to.equal(undefined);
    expect(ends(2, 5)).to.equal('a condition stands as long as the specification asks');
  });
});

describe('the failsafe after a single OL', () => {
  it('needs words that count as OB after it, and OB that was confirmed', () => {
    const early = 'a condition stands as long as the specification asks';
    const ends = (played: Played): string | undefined => {
      played.falls('FAILSAFE: on battery and not seen for 16 s', localStep('sync')).observer.ticked();
      return played.broken;
    };
    const single = () => inOutage(new Played(), 10).reads('OL', null, null);
    expect(ends(single().reads('CHRG', null, null, 16))).to.equal(undefined);
    expect(ends(single().fails(16))).to.equal(early);
    expect(ends(single().reads('OL', null, null).reads('CHRG', null, null, 16))).to.equal(early);
    const once = quiet().mains(0).reads('OB', null, null).reads('OL', null, null);
    expect(ends(once.reads('CHRG', null, null, 16))).to.equal(early);
  });
});

describe('a shutdown with a cause', () => {
  it('is broken by a sequence while power is fine', () => {
    const played = new Played();
    quiet(played).reads('OL FSD', 100, 3_000, 1, 'a', () => {
      played.falls('FSD: forced', localStep('sync'));
    });
    expect(played.broken).to.equal('nothing is shut down while power is truly fine');
  });

  it('has one where the UPS has named no mains since an outage', () => {
    for (const [before, broken] of [
      [inOutage(), undefined],
      [quiet(), 'nothing is shut down while power is truly fine'],
    ] as const) {
      const played = before.mains(230).reads('ALARM CHRG', 15, 3_000, 60);
      played.reads('OL OB', 15, 3_000, 1, 'a', () => {
        played.falls('LOW_BATTERY: charge 15 %', localStep('sync'));
      });
      expect(played.broken).to.equal(broken);
    }
  });

  it('is broken by a value that the battery never had', () => {
    const played = inOutage();
    // One sample that is shown for longer than the driver says.
    const { world, observer } = played;
    const reading = { ...emptyReading, status: ['OB'], chargePercent: 1, runtimeSeconds: 3_000 };
    for (const waits of [0, 9]) {
      const atMs = played.passes(waits).world.machine.monotonicMs();
      const outcome = { kind: 'reading', reading, variables: {} } as const;
      const poll = { startedAt: atMs, endedAt: atMs, outcome };
      const battery = { chargePercent: 99, runtimeSeconds: 3_000, isLow: false, drainPerMinute: 1 };
      const truth = { atMs: world.nowMs, onBattery: true, words: [] };
      observer.reported(poll, { ...truth, battery: { ...battery, wrongSamples: 1 } });
      observer.polled('a', poll);
    }
    played.falls('LOW_BATTERY: charge 1 %', localStep('sync'));
    expect(played.passes(1).broken).to.equal('one bad sample starts nothing');
  });
});

describe('an outage with its deadline', () => {
  it('is broken by a load that is on when its battery ends', () => {
    const played = inOutage();
    for (const charge of [60, 30, 15, 14, 13, 12, 11, 10]) played.reads('OB', charge, 3_000);
    played.reads('OB', 9, 3_000, 12);
    expect(played.broken).to.equal(undefined);
    const device = played.world.devices.get('a');
    const emptyMs = device?.emptyAtMs(played.world.nowMs) ?? 0;
    expect(device?.ranDown(emptyMs + 1)).to.equal(true);
    played.observer.hostDown('blackout');
    expect(played.broken).to.equal('no load is on when its battery ends');
  });

  it('is broken by an outage beyond its thresholds without a sequence', () => {
    const played = inOutage();
    expect(played.reads('OB', 50, 3_000).reads('OB', 10, 3_000, 60).broken).to.equal(
      'an outage beyond its thresholds ends in time',
    );
  });
});

describe('the grace period', () => {
  it('is broken by a connection that is lost too early, or never', () => {
    expect(quiet().fails(10).says('CONNECTION_LOST', 'SERVER_DOWN').broken).to.equal('the grace period');
    expect(quiet().fails(90).broken).to.equal('the grace period ends');
  });
});

describe('a poller that is back', () => {
  it('is broken by a UPS that is not asked any more', () => {
    expect(quiet().passes(15).broken).to.equal('a lost poller is back soon');
  });
});
