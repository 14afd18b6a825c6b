import { expect } from 'chai';
import type { SequenceRun } from '../../../shared/domain/status/status-model.js';
import { runsOf } from '../../../shared/domain/status/wording.js';
import { failureOf } from '../../../supervisor/sequence/outcome.js';
import { settled } from '../../fixtures/fake-time.js';
import { planPhase, planWith } from '../../fixtures/plans.js';
import { cause, outputOff, planOf, restarted, rig, server, success } from './several.js';

describe('the sequences of several groups', () => {
  const cutting = (ups: string) =>
    ['office', 'lab'].map((group) => ({
      ...planWith([planPhase('ups_output_off', [outputOff(ups)])], group),
      fedBy: [ups],
    }));
  const powerOffs = [planOf('office', [], true), planOf('lab', [], true), planOf('rack', [], false)];

  it('let a failing power-off retry when a later group has no power-off', async () => {
    const { start, time, ran } = rig(powerOffs);
    start('office');
    await settled();
    start('rack');
    await time.pass(10_000);
    expect(ran).to.deep.equal(['poweroff office', 'poweroff office', 'poweroff office']);
  });

  it('have one power-off at a time: that of a later group replaces it', async () => {
    const { start, time, ran } = rig(powerOffs);
    start('office');
    await settled();
    start('lab');
    await settled();
    await time.pass(10_000);
    expect(ran).to.deep.equal(['poweroff office', 'poweroff lab', 'poweroff lab', 'poweroff lab']);
  });

  it('retry a failing power-off until every group that requested it has its power back', async () => {
    const { start, time, ran, back } = rig(powerOffs);
    start('office');
    start('lab');
    await settled();
    await time.pass(5_000);
    expect(ran).to.have.length(2);
    back.add('office');
    await time.pass(5_000);
    expect(ran).to.have.length(3);
    back.add('lab');
    await time.pass(60_000);
    expect(ran).to.have.length(3);
  });

  it('retry a failing power-off until this daemon has read that power is back, after a restart too', async () => {
    const { start, time, ran, back, unseen } = rig(powerOffs);
    start('office');
    await settled();
    back.add('office');
    unseen.add('office');
    await time.pass(5_000);
    expect(ran).to.have.length(2);
    unseen.delete('office');
    await time.pass(60_000);
    expect(ran).to.have.length(2);
  });

  it('power this host off only after the servers of all of them', async () => {
    const plans = [
      planOf('office', [server('nas', 'office')], true),
      planOf('lab', [server('db', 'lab')], false),
    ];
    const { start, ran, end } = rig(plans, success);
    start('office');
    start('lab');
    await end('nas');
    expect(ran).to.deep.equal(['nas', 'db']);
    await end('db', { kind: 'failed', how: 'unreachable', reason: 'no answer' });
    expect(ran).to.deep.equal(['nas', 'db', 'poweroff office']);
  });

  it('that start in the same step wait for each other in any order', async () => {
    const plans = [planOf('office', [], true), planOf('lab', [server('db', 'lab')], false)];
    const { start, ran, end } = rig(plans, success);
    start('office', 'lab');
    await settled();
    expect(ran).to.deep.equal(['db']);
    await end('db');
    expect(ran).to.deep.equal(['db', 'poweroff office']);
  });

  it('that start in the same step wait for one whose start threw, until it is repeated', async () => {
    let isBroken = true;
    const lab = new Proxy(planOf('lab', [server('db', 'lab')], false), {
      get: (plan, key) => {
        // Only the log reads its label.
        if (key === 'label' && isBroken) throw new Error('a bug');
        return Reflect.get(plan, key) as unknown;
      },
    });
    const { start, ran, end } = rig([planOf('office', [], true), lab], success);
    start('lab', 'office');
    await settled();
    expect(ran).to.deep.equal([]);
    isBroken = false;
    start('lab');
    await settled();
    expect(ran).to.deep.equal(['db']);
    await end('db');
    expect(ran).to.deep.equal(['db', 'poweroff office']);
  });

  it('without servers delay no other', () => {
    const { start, ran } = rig([planOf('office', [], true), planOf('lab', [], false)], success);
    start('office', 'lab');
    expect(ran).to.deep.equal(['poweroff office']);
  });

  it('show the last started one of those that run, and beside it all that ran since none did', async () => {
    const plans = [planOf('office', [server('nas', 'office')], false), planOf('lab', [], false)];
    const { sequences, start, end } = rig([...plans, planOf('rack', [server('db', 'rack')], false)], success);
    const word = ({ group, active }: SequenceRun) => `${group} ${active ? 'runs' : 'has ended'}`;
    const shown = () => runsOf(sequences.model()).map(word);
    expect(shown()).to.deep.equal([]);
    start('office');
    start('lab');
    await settled();
    expect(shown()).to.deep.equal(['office runs', 'lab has ended']);
    start('rack');
    expect(shown()).to.deep.equal(['rack runs', 'office runs', 'lab has ended']);
    await end('db');
    expect(shown()).to.deep.equal(['office runs', 'lab has ended', 'rack has ended']);
    start('lab');
    await settled();
    expect(shown()).to.deep.equal(['office runs', 'rack has ended', 'lab has ended']);
    await end('nas');
    expect(shown()).to.deep.equal(['lab has ended', 'office has ended', 'rack has ended']);
    start('rack');
    expect(shown()).to.deep.equal(['rack runs']);
  });

  describe('in a second outage of a group, while another sequence of the first outage runs', () => {
    const plans = [
      planOf('office', [server('nas', 'office')], true),
      planOf('lab', [server('db', 'lab'), server('nas', 'lab')], false),
      planOf('rack', [server('slow', 'rack')], false),
    ];

    it('shut down again the servers that no other shares', async () => {
      const { start, ran, end } = rig(plans, success);
      start('lab', 'rack');
      await end('db');
      await end('nas');
      start('lab');
      await end('slow');
      expect(ran).to.deep.equal(['db', 'nas', 'slow', 'db', 'nas']);
    });

    it('shut down no server again that another is shutting down', async () => {
      const shared = [
        ...plans.slice(0, 2),
        planOf('rack', [server('db', 'rack'), server('slow', 'rack')], false),
      ];
      const { start, ran, end } = rig(shared, success);
      start('lab', 'rack');
      await end('db');
      await end('nas');
      start('lab');
      await settled();
      expect(ran).to.deep.equal(['db', 'nas', 'slow', 'nas']);
    });

    it('power off again, and ignore the first power-off after a restart', async () => {
      const rack = planWith([planPhase('ups_output_off', [outputOff('silent')])], 'rack');
      const several = [...plans.slice(0, 2), rack];
      const { sequences, start, ran, end, journals } = rig(several, success);
      start('office', 'rack');
      await end('nas');
      sequences.start([{ group: 'office', cause: { ...cause, firedAtUnixSeconds: 2 } }]);
      await settled();
      expect(ran).to.deep.equal(['nas', 'output of silent', 'poweroff office', 'nas']);
      const next = restarted(several, journals, success);
      await next.end('nas');
      expect(next.ran).to.deep.equal(['output of silent', 'nas', 'poweroff office']);
      await end('nas');
      expect(ran.slice(4)).to.deep.equal(['poweroff office']);
    });
  });

  it('wait for no server longer than its budget', async () => {
    const plans = [planOf('office', [], true), planOf('lab', [server('db', 'lab')], false)];
    const { start, ran, time } = rig(plans, success);
    start('lab');
    start('office');
    await time.pass(99_999);
    expect(ran).to.deep.equal(['db']);
    await time.pass(1);
    expect(ran).to.deep.equal(['db', 'poweroff office']);
  });

  it('shut a server down once when a drain names it too, and share the outcome', async () => {
    const drain = planOf('office', [server('nas', 'office'), server('db', 'lab')], true);
    const { start, ran, end, events } = rig([drain, planOf('lab', [server('db', 'lab')], false)], success);
    start('office');
    start('lab');
    await settled();
    expect(ran).to.deep.equal(['nas', 'db']);
    await end('nas');
    await end('db', { kind: 'failed', how: 'timeout', reason: 'sudo hangs' });
    expect(ran).to.deep.equal(['nas', 'db', 'poweroff office']);
    const summaries = events.filter((event) => event.includes('REMOTE_SHUTDOWN_SUMMARY'));
    expect(summaries).to.deep.equal([
      'office REMOTE_SHUTDOWN_SUMMARY office: 1 of 2 ok: db timeout (sudo hangs), nas ok',
      'lab REMOTE_SHUTDOWN_SUMMARY lab: 0 of 1 ok: db timeout (sudo hangs)',
    ]);
  });

  it('have the plan of its group for a member of a redundancy group', () => {
    const pair = { ...planOf('redundancy-pair', [], false), fedBy: ['office', 'other'] };
    const { sequences } = rig([pair, planOf('lab', [], false)]);
    expect(sequences.planOf('other')).to.equal(pair);
    expect(sequences.planOf('nobody')).to.equal(undefined);
  });

  it('have the own plan of a member that owns something', () => {
    const pair = { ...planOf('redundancy-pair', [], false), fedBy: ['office', 'other'] };
    const office = planOf('office', [server('nas', 'office')], false);
    expect(rig([pair, office]).sequences.planOf('office')).to.equal(office);
  });

  it('cut an output once, and try again where it was not cut', async () => {
    for (const [ups, times] of [
      ['office', 1],
      ['kept', 2],
    ] as const) {
      // The third keeps both in one shutdown.
      const { start, ran } = rig([...cutting(ups), planOf('rack', [server('nas', 'rack')], false)]);
      start('rack');
      start('office');
      await settled();
      start('lab');
      await settled();
      expect(ran.filter((text) => text === `output of ${ups}`)).to.have.length(times);
    }
  });

  it('that fall together try an output again that was not cut for the first of them', async () => {
    const { start, ran } = rig(cutting('kept'));
    start('office', 'lab');
    await settled();
    expect(ran).to.deep.equal(['output of kept', 'output of kept']);
  });

  it('request an output again within what the wait for the first request has left', async () => {
    const { start, ran, time, end } = rig(cutting('busy'));
    start('office', 'lab');
    await settled();
    time.advance(4_000);
    await end('busy', failureOf('busy'));
    expect(ran).to.deep.equal(['output of busy', 'within 10 s', 'output of busy', 'within 6 s']);
  });

  it('cut the output of a UPS only after the servers of every sequence that it feeds', async () => {
    const office = planWith([planPhase('ups_output_off', [outputOff('office')])], 'office');
    const pair = { ...planOf('redundancy-pair', [server('db', 'pair')], false), fedBy: ['office', 'other'] };
    const { start, ran, end } = rig([office, pair, planOf('lab', [server('nas', 'lab')], false)]);
    start('redundancy-pair');
    start('lab');
    start('office');
    await settled();
    expect(ran).to.deep.equal(['db', 'nas']);
    await end('db');
    expect(ran).to.deep.equal(['db', 'nas', 'output of office']);
  });

  it('do not wait for the servers of others to cut an output that is cut already', async () => {
    const pair = { ...planOf('redundancy-pair', [server('db', 'pair')], false), fedBy: ['office', 'other'] };
    const { start, ran, journal } = rig([
      ...cutting('office'),
      pair,
      planOf('rack', [server('nas', 'rack')], false),
    ]);
    // Keeps all in one shutdown.
    start('rack');
    start('office');
    await settled();
    start('redundancy-pair');
    start('lab');
    await settled();
    expect(ran).to.deep.equal(['nas', 'output of office', 'db']);
    expect(journal.open.map(({ group }) => group)).to.deep.equal(['rack', 'redundancy-pair']);
  });
});
