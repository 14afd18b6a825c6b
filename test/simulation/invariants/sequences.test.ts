import { expect } from 'chai';
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import { localStep, Played, server, serverStep, step } from './played.js';

const [sync, guests] = [localStep('sync'), localStep('guests')];
const powerOff = ['simulated-power-off'];
const exited = (code: number) => ({ kind: 'exited', code, output: '' }) as const;
const done = { kind: 'done' } as const;
/** In a world with servers. */
const withServers = (...orders: readonly number[]): Played =>
  new Played({}, { servers: orders.map((order, place) => server(`s${String(place)}`, order)) });
/** In an outage whose sequence has done this step. */
const after = (one: PlanStep, played = new Played()): Played => {
  played.shutsDown(one).observer.ended(one, done);
  return played;
};
const restarts = (played: Played): Played => {
  played.observer.daemonDied(false);
  played.world.nowMs += 1_000;
  played.observer.daemonStarted();
  return played;
};

describe('one sequence per outage', () => {
  it('is broken by a second one, one that is forgotten, and one that is resumed after its end', () => {
    const again = new Played().shutsDown(sync);
    expect(again.broken).to.equal(undefined);
    expect(again.falls('LOW_BATTERY: charge 17 %', sync).broken).to.equal('one sequence per outage');
    // Without an outage, as where its output is off, it is armed again at once.
    const fed = after(sync).mains(230).says('SHUTDOWN_CANCELLED', 'by hand').reads('OL', 50, 3_000, 3);
    fed.falls('OUTPUT_OFF: OFF').says('SHUTDOWN_CANCELLED', 'by hand').falls('OUTPUT_OFF: OFF');
    expect(fed.broken).to.equal(undefined);
    const next = restarts(new Played().shutsDown(sync));
    expect(next.reads('OB', 17, 1_800, 17).broken).to.equal('a decision holds across a restart');
    const over = new Played().shutsDown(sync).says('SHUTDOWN_CANCELLED', 'by hand');
    const ended = 'a sequence that has ended is not resumed';
    expect([over.broken, over.says('SHUTDOWN_RESUMED', 'LOW_BATTERY').broken]).to.deep.equal([
      undefined,
      ended,
    ]);
  });
});

describe('an outage with its deadline', () => {
  it('is not broken where a sequence has outlasted a return of mains', () => {
    const played = after(guests).mains(230).reads('OL', 18, 2_000, 5).mains(0);
    restarts(played).says('SHUTDOWN_RESUMED', 'LOW_BATTERY: charge 18 %');
    played.reads('OB', 18, 2_000).says('SHUTDOWN_CANCELLED', 'by hand');
    expect(played.reads('OB', 17, 2_000, 30).broken).to.equal(undefined);
  });
});

describe('the disk before a command', () => {
  it('is broken by a command without a decision on disk', () => {
    const played = after(sync).says('SHUTDOWN_CANCELLED', 'by hand').reads('OL', 50, 3_000, 90);
    played.world.perform({ kind: 'demand', ups: 'a', on: true });
    played.reads('OL FSD', 50, 3_000, 1, 'a', () => {
      played.observer.ran(['wall']);
      played.says('SHUTDOWN_TRIGGERED', 'FSD: forced');
    });
    expect(played.broken).to.equal('the decision is on disk before its command');
  });

  it('is broken by a power-off that runs again after its success', () => {
    const played = after(sync);
    played.observer.ran(powerOff);
    played.observer.commandEnded(exited(0), powerOff);
    played.says('SHUTDOWN_SEQUENCE_COMPLETE', 'all phases have ended');
    played.reads('OB', 17, 1_800, 10).observer.ran(powerOff);
    expect(played.passes(1).broken).to.equal('an ended power-off never runs again');
  });

  it('is broken by a power-off that is tried again once power is back', () => {
    const again = (isCut: boolean) => {
      const played = after(sync);
      if (isCut) played.observer.cut('a');
      played.observer.ran(powerOff);
      played.observer.commandEnded(exited(1), powerOff);
      played.mains(230).reads('OL', 17, 1_800, 4).passes(3).observer.ran(powerOff);
      return played.passes(1).broken;
    };
    expect(again(false)).to.equal('no power-off is tried again once power is back');
    expect(again(true), 'power is cut in a moment').to.equal(undefined);
  });

  it('is broken by a step of a dry run', () =>
    void expect(new Played({ dryRun: true }).shutsDown(sync).broken).to.equal('a dry run runs nothing'));
});

describe('the order', () => {
  it('of phases is broken by one that begins in another, or after a later one', () => {
    const within = new Played().shutsDown(guests);
    within.observer.began(sync);
    expect(within.broken).to.equal('phases keep their order');
    const late = after(sync);
    late.observer.began(guests);
    expect(late.passes(1).broken).to.equal('phases keep their order');
  });

  it('is broken by a step without a sequence', () => {
    const played = after(sync).says('SHUTDOWN_CANCELLED', 'by hand').passes(1);
    played.observer.began(serverStep('s0'));
    expect(played.passes(1).broken).to.equal('no sequence, no step');
  });
});

describe('repetition', () => {
  it('is broken by a step that runs twice, and by a finished one that runs again after a crash', () => {
    const twice = new Played().shutsDown(guests);
    twice.observer.began(guests);
    expect(twice.passes(1).broken).to.equal('nothing is commanded twice at the same time');
    const again = after(sync).passes(1);
    restarts(again).says('SHUTDOWN_RESUMED', 'LOW_BATTERY');
    again.observer.began(sync);
    expect(again.passes(1).broken).to.equal('no finished step runs again');
  });

  it('is not broken by a sync that a cancelled sequence has left, but by another one beside that of the next', () => {
    const played = new Played().shutsDown(sync).says('SHUTDOWN_CANCELLED', 'by hand').passes(1);
    played.reads('OL', 18, 2_000, 2);
    const falls = () => {
      played.falls('LOW_BATTERY: charge 17 %', { ...sync });
    };
    expect(played.reads('OB', 17, 2_000, 2, 'a', falls).broken).to.equal(undefined);
    played.observer.began({ ...sync });
    expect(played.passes(1).broken).to.equal('nothing is commanded twice at the same time');
  });
});

describe('the point of no return', () => {
  it('is broken by what begins once power is back, and by power that ends nothing', () => {
    const back = () => new Played().shutsDown(sync).mains(230).reads('OL', 18, 2_000, 2);
    const played = back();
    played.observer.began(guests);
    expect(played.broken).to.equal('nothing destructive begins once power is back');
    expect(back().passes(3).broken).to.equal('power that is back ends what can still be ended');
  });

  it('is broken by a sequence that is cancelled after it', () => {
    const played = new Played().shutsDown(guests).says('SHUTDOWN_CANCELLED', 'by hand');
    expect(played.broken).to.equal('past the point of no return a sequence runs to its end');
  });
});

describe('the pace', () => {
  it('is broken by a sequence that begins nothing, or stands still', () => {
    expect(new Played().shutsDown().broken).to.equal('the first steps begin at the trigger');
    const idle = after(sync).reads('OB', 17, 1_800, 8);
    expect(idle.broken).to.equal('a sequence goes on');
  });

  it('is broken by a step that outlasts its budget', () => {
    const played = new Played().shutsDown(sync).reads('OB', 17, 1_800, 12);
    expect(played.broken).to.equal('a step ends within its budget');
  });

  it('leaves a try that a restart finds past its budget all of it again, and no other step', () => {
    const late = 'a step ends within its budget';
    for (const [one, broken] of [
      [
        step({ kind: 'commandAgain', works: [] }, 'local_poweroff', 'local_poweroff/servers/again'),
        undefined,
      ],
      [guests, late],
    ] as const) {
      const played = new Played().shutsDown(one);
      played.observer.daemonDied(false);
      played.world.nowMs += 30_000;
      played.observer.daemonStarted();
      played.says('SHUTDOWN_RESUMED', 'LOW_BATTERY').observer.began(one);
      played.world.nowMs += 300;
      played.observer.ended(one, { kind: 'skipped', reason: 'it reaches nobody' });
      expect(played.broken).to.equal(broken);
    }
  });
});

describe('the gates', () => {
  it('are broken by a power-off before a server of its own', () => {
    const played = withServers(10).shutsDown(serverStep('s0'));
    played.observer.ran(powerOff);
    expect(played.broken).to.equal('the power-off waits for the servers of all groups');
  });
});

describe('servers', () => {
  const ends = (outcome: Parameters<Played['observer']['ended']>[1]): string | undefined => {
    const one = serverStep('s0');
    const played = withServers(10).shutsDown(one).reads('OB', 17, 1_800);
    played.observer.ended(one, outcome);
    return played.broken;
  };

  it('are broken by one that is reachable and gets no command, or is said to be done without', () => {
    expect(ends(done)).to.equal('no server is said to be done that has no command');
    expect(ends({ kind: 'failed', how: 'failed', reason: '' })).to.equal(
      'every reachable server has its final command in time',
    );
  });
});

describe('a complete sequence', () => {
  it('is broken by what it leaves out', () => {
    const played = after(sync);
    expect(played.says('SHUTDOWN_SEQUENCE_COMPLETE', 'all phases have ended').broken).to.equal(
      'a complete sequence has left nothing out',
    );
  });

  it('is broken by a summary that is missing, or says something else of a server', () => {
    const rule = 'one summary lists every server';
    const one = serverStep('s0');
    const untold = withServers(10).shutsDown(one);
    untold.observer.commanded('s0');
    untold.observer.ended(one, done);
    expect(untold.says('SHUTDOWN_SEQUENCE_COMPLETE', 'all phases have ended').broken).to.equal(rule);
    const wrong = withServers(10).shutsDown(one);
    wrong.observer.commanded('s0');
    wrong.observer.ended(one, done);
    expect(wrong.says('REMOTE_SHUTDOWN_SUMMARY', 'a: 0 of 1 ok: s0 failed').broken).to.equal(rule);
  });
});

describe('an output', () => {
  const output = { ups: 'a', offDelaySeconds: 60, behaviour: 'cuts' } as const;
  const cutStep = step(
    { kind: 'upsOutputOff', ups: 'a', command: 'shutdown.return', offDelaySeconds: 60 },
    'ups_output_off',
    'ups_output_off/a',
  );

  it('is broken where it is cut under what still needs it, or without local shutdown', () => {
    const under = new Played({}, { servers: [server('s0', 10)], outputs: [output] }).shutsDown(
      serverStep('s0'),
    );
    under.observer.cut('a');
    expect(under.passes(1).broken).to.equal('no output is cut under what still needs it');
    const off = { enabled: false, triggerOn: 'any', fallback: false } as const;
    const alone = new Played({ localShutdown: off }, { outputs: [output] }).shutsDown(sync);
    alone.observer.cut('a');
    expect(alone.broken).to.equal('an output is cut only before a local power-off');
  });

  it('is cut where one of two waits for a server has ended', () => {
    const spec = { ...server('s0', 10), haltSeconds: 60, offMs: null };
    const about = {
      server: 's0',
      commandedBy: 'remote_servers/s0',
      timeoutSeconds: 60,
      followsSeconds: 3_000,
    };
    const wait = () => step({ kind: 'awaitOff', ...about }, 'remote_servers', 'remote_servers/s0/off');
    for (const hasEnded of [true, false]) {
      const command = serverStep('s0');
      const played = new Played({}, { servers: [spec], outputs: [output] }).shutsDown(command);
      played.world.plant.remote.commandedAgoMs = () => 10_000;
      const { observer } = played;
      const [own, later] = [wait(), wait()];
      observer.commanded('s0');
      observer.ended(command, done);
      for (const one of [own, later]) observer.began(one);
      if (hasEnded) observer.ended(own, null);
      observer.cut('a');
      const under = 'no output is cut under what still needs it';
      expect(played.passes(1).broken).to.equal(hasEnded ? undefined : under);
    }
  });

  it('is broken where it stays on though nothing needs it', () => {
    const played = after(sync, new Played({}, { outputs: [output] }));
    played.observer.began(cutStep);
    played.observer.ended(cutStep, { kind: 'skipped', reason: 'this host still needs it' });
    expect(played.passes(1).broken).to.equal('an output that nothing needs is cut');
  });
});

describe('the next boot', () => {
  it('is broken where nothing is told of what was done', () => {
    const played = new Played({}, { journalsStay: true }).shutsDown(sync);
    played.observer.hostDown('power-off');
    played.observer.recovered(null);
    expect(played.broken).to.equal('another boot hears what had been done, once');
  });
});
