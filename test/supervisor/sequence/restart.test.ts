import { expect } from 'chai';
import type { Plan } from '../../../shared/domain/outage/plan.js';
import { settled } from '../../fixtures/fake-time.js';
import { entriesOf } from '../../../supervisor/sequence/journal/record.js';
import { planPhase, planStep } from '../../fixtures/plans.js';
import { SimulatedJournals } from '../../simulation/journals.js';
import { hostWith, planOfHost, readUps } from './restarting.js';
import type { Host } from './restarting.js';
import { failure, offWait, planOf, server, success } from './several.js';

const offAsToday = ['output of rack', 'poweroff office'];

/** Power is out at the first destructive step, which would cancel the sequence else, and back by the time of its last steps. */
async function atLastSteps(host: Host, back: readonly string[] = ['office']) {
  host.start('office');
  for (const group of back) host.back.add(group);
  await host.time.pass(40_000);
  await settled();
}

async function ranAtLastSteps(change: Parameters<typeof hostWith>[1], plan = planOfHost('office')) {
  const host = hostWith([plan], change);
  await atLastSteps(host);
  return host;
}

describe('a host whose power is back at its last steps', () => {
  it('restarts in place of the cut and the power-off', async () => {
    const host = await ranAtLastSteps({});
    expect(host.ran).to.deep.equal(['restart office']);
    expect(host.known.count).to.equal(1);
    expect(host.logged.join('\n')).to.match(
      /power is back: this host restarts in place .* \(1 of at most 2\)/,
    );
    expect(host.sequences.powerOffBegun, 'SIGTERM of the restart ends the daemon').to.equal(true);
  });

  it('has the choice in the journal, and the count on the disk, before the command', async () => {
    const seen: unknown[] = [];
    const host: Host = hostWith([planOfHost('office')], {
      outcome: () => {
        seen.push(host.journal.restart?.number, host.journal.restart?.outcome, host.known.count);
        return Promise.resolve(success);
      },
    });
    await atLastSteps(host);
    expect(seen).to.deep.equal([1, null, 1]);
  });

  it('cuts and powers off where power is out, and says so', async () => {
    const host = hostWith([planOfHost('office')]);
    await atLastSteps(host, []);
    expect(host.ran.slice(0, 2)).to.deep.equal(offAsToday);
    expect(host.said.join('\n')).to.include('this host powers off: power of office is not back');
  });

  const doubts: readonly (readonly [string, Parameters<typeof hostWith>[1], RegExp])[] = [
    ['recovery is disabled by a reload', { known: { isEnabled: false } }, /recovery is not enabled/],
    ['a UPS shows FSD', { known: { upses: [readUps('rack', { showsFsd: true })] } }, /rack shows FSD/],
    ['its UPS is not configured any more', { known: { upses: [] } }, /rack is not read/],
    ['policy has thrown', { known: { isPolicyInDoubt: true } }, /policy has thrown/],
    [
      'a UPS cuts on mains',
      { known: { upses: [readUps('rack', { cyclesOnMains: true })] } },
      /cuts its output/,
    ],
    ['no record can be read', { known: { count: null } }, /the record cannot be read/],
    ['the disk does not answer for 2 s', { known: { hangs: true } }, /not on the disk within 2 s/],
  ];
  for (const [when, change, why] of doubts)
    it(`cuts and powers off where ${when}, and says so`, async () => {
      const host = await ranAtLastSteps(change);
      expect(host.ran.slice(0, 2)).to.deep.equal(offAsToday);
      expect(host.logged.join('\n')).to.match(/power is back, and this host powers off all the same/);
      expect(host.logged.join('\n')).to.match(why);
    });

  it('powers off where no reading of this daemon says that power is back', async () => {
    const host = hostWith([planOfHost('office')]);
    host.unseen.add('office');
    await atLastSteps(host);
    expect(host.ran.slice(0, 2)).to.deep.equal(offAsToday);
  });

  it('powers off with a plan that has no restart, and without a record, as before', async () => {
    const plan = planOfHost('office');
    const host = await ranAtLastSteps({ restarts: 'none' });
    expect(host.ran.slice(0, 2)).to.deep.equal(offAsToday);
    const action = { kind: 'poweroff', command: ['poweroff', 'office'], fallback: null } as const;
    const step = planStep('local_poweroff/host', { action, budgetSeconds: 30 });
    const phases = [...plan.phases.slice(0, -1), planPhase('local_poweroff', [step])];
    const other = await ranAtLastSteps({}, { ...plan, phases });
    expect(other.ran.slice(0, 2)).to.deep.equal(offAsToday);
  });

  it('powers off where the powerdown flag was written', async () => {
    const plan = planOfHost('office');
    const flag = planStep('nut_secondaries/flag', { action: { kind: 'powerdownFlag', path: '/killpower' } });
    const [first, ...rest] = plan.phases;
    const phases = [...(first === undefined ? [] : [first]), planPhase('nut_secondaries', [flag]), ...rest];
    const host = await ranAtLastSteps({}, { ...plan, phases });
    expect(host.ran.slice(0, 2)).to.deep.equal(offAsToday);
    expect(host.logged.join('\n')).to.match(/the powerdown flag is written/);
  });

  it('powers off after the cut of its output was accepted', async () => {
    const host = hostWith([planOfHost('office', 'silent')], { known: { upses: [readUps('silent')] } });
    host.start('office');
    await settled();
    host.back.add('office');
    // The UPS does not answer; it may have the request all the same.
    await host.time.pass(40_000);
    expect(host.ran.slice(0, 2)).to.deep.equal(['output of silent', 'poweroff office']);
    expect(host.logged.join('\n')).to.match(/silent may have accepted the cut of its output/);
  });

  it('restarts after a cut that was not sent, since the output still fed something', async () => {
    const host = hostWith([planOfHost('office', 'kept')], { known: { upses: [readUps('kept')] } });
    host.start('office');
    await settled();
    expect(host.ran[0]).to.equal('output of kept');
    expect(host.ran[1], 'power is out').to.equal('poweroff office');
  });

  it('runs nothing in a dry run', async () => {
    const host = await ranAtLastSteps({}, { ...planOfHost('office'), dryRun: true });
    expect(host.ran).to.deep.equal([]);
  });

  it('stays up the third time: nothing is powered off, and it is said', async () => {
    const host = await ranAtLastSteps({ known: { count: 2 } });
    expect(host.ran).to.deep.equal([]);
    expect(host.events.join('\n')).to.match(
      /has restarted 2 times .* this host stays up; ridethrough recovery/,
    );
    expect(host.journal.powerOff.givenUp).to.equal(true);
  });

  it('stays up where the restart is refused, and says so', async () => {
    const host = await ranAtLastSteps({ outcome: failure });
    await host.time.pass(300_000);
    expect(host.ran).to.deep.equal(['restart office']);
    expect(host.events.join('\n')).to.match(
      /the restart: exit status 1: no bus; power is back, and this host/,
    );
    expect(host.journal.powerOff.givenUp).to.equal(true);
  });

  it('cuts and powers off where the restart is refused and power is out by then', async () => {
    const host: Host = hostWith([planOfHost('office')], {
      outcome: ([program]) => {
        host.back.clear();
        return Promise.resolve(program === 'restart' ? failure : success);
      },
    });
    await atLastSteps(host);
    expect(host.ran.slice(0, 3)).to.deep.equal(['restart office', ...offAsToday]);
  });

  it('says 120 s after the restart that it is still up, once', async () => {
    const host = await ranAtLastSteps({});
    await host.time.pass(300_000);
    expect(host.ran).to.deep.equal(['restart office']);
    const told = host.events.filter((text) => text.includes('still up 120 s after its restart'));
    expect(told.length).to.equal(1);
  });

  it('powers off, without a cut, where it is still up 120 s after the restart and power is out', async () => {
    const host = await ranAtLastSteps({});
    host.back.clear();
    await host.time.pass(60_000);
    expect(host.ran, 'it may be on its way').to.deep.equal(['restart office']);
    await host.time.pass(60_000);
    expect(host.ran.slice(0, 2)).to.deep.equal(['restart office', 'poweroff office']);
    expect(host.ran).to.not.include('output of rack');
  });

  it('powers off 120 s after a restart that never answers, where power is out', async () => {
    const host: Host = hostWith([planOfHost('office')], {
      outcome: ([program]) =>
        program === 'restart' ? new Promise(() => undefined) : Promise.resolve(success),
    });
    await atLastSteps(host);
    host.back.clear();
    await host.time.pass(121_000);
    expect(host.ran.slice(0, 2)).to.deep.equal(['restart office', 'poweroff office']);
    expect(host.ran).to.not.include('output of rack');
  });

  it('powers off in a new outage while the restart may come, without a cut', async () => {
    const host = await ranAtLastSteps({});
    host.back.clear();
    host.start('office');
    await host.time.pass(20_000);
    expect(host.ran.slice(0, 2)).to.deep.equal(['restart office', 'poweroff office']);
    await host.time.pass(300_000);
    expect(host.ran).to.not.include('output of rack');
  });

  it('cuts and powers off where its UPS shows OB that is not confirmed yet', async () => {
    const host = await ranAtLastSteps({ known: { upses: [readUps('rack', { showsBattery: true })] } });
    expect(host.ran.slice(0, 2)).to.deep.equal(offAsToday);
  });

  it('cuts and powers off as always in an outage after that', async () => {
    const host = await ranAtLastSteps({});
    await host.time.pass(300_000);
    host.back.clear();
    host.start('office');
    await host.time.pass(20_000);
    expect(host.ran.slice(0, 3)).to.deep.equal(['restart office', ...offAsToday]);
  });
});

describe('several groups whose power is back at their last steps', () => {
  it('restart this host once', async () => {
    const host = hostWith([planOfHost('office'), planOfHost('lab', 'second')]);
    host.start('office', 'lab');
    host.back.add('office').add('lab');
    await host.time.pass(40_000);
    expect(host.ran).to.deep.equal(['restart office']);
  });

  it('power it off while power of one, whose sequence is open, is out', async () => {
    const host = hostWith([planOfHost('office'), planOfHost('lab', 'second')]);
    host.start('office', 'lab');
    host.back.add('office');
    await host.time.pass(40_000);
    expect(host.ran).to.include.members(['output of rack', 'output of second', 'poweroff office']);
    expect(host.ran.join()).to.not.include('restart');
  });

  /** The power-off waits for the server of another group, seconds after the first look. */
  const slow = async (plans: readonly Plan[], change: Parameters<typeof hostWith>[1] = {}) => {
    const lab = planOf('lab', [server('nas', 'lab'), offWait('nas', 'lab')], false);
    const host = hostWith([...plans, lab], change);
    host.start('lab', ...plans.map(({ group }) => group));
    for (const { group } of plans) host.back.add(group);
    await host.time.pass(5_000);
    expect(host.ran, 'the first look left the output on').to.deep.equal(['nas']);
    return host;
  };

  it('cut the output after all where power has failed again before the last step', async () => {
    const host = await slow([planOfHost('office')]);
    host.back.clear();
    await host.end('nas');
    await host.end('nas off');
    await host.time.pass(1_000);
    expect(host.ran).to.deep.equal(['nas', ...offAsToday]);
    const cut = host.journal.of('office')?.steps.get('ups_output_off/rack');
    expect(cut?.ended?.outcome.kind).to.equal('done');
  });

  it('cut once what several had left on, and never after the power-off', async () => {
    const host = await slow([planOfHost('office'), planOfHost('site', 'second'), planOfHost('hall')]);
    host.back.clear();
    await host.end('nas');
    await host.end('nas off');
    await host.time.pass(1_000);
    expect(host.ran.slice(1, 3)).to.have.members(['output of rack', 'output of second']);
    expect(host.ran[3]).to.match(/^poweroff/);
    expect(host.ran.length).to.equal(4);
  });

  it('never restart it where the daemon was killed during that cut', async () => {
    const known = { upses: [readUps('silent')] };
    const journals = new SimulatedJournals(() => 'kept');
    const plans = [planOfHost('office', 'silent')];
    const host = await slow(plans, { journals, known });
    host.back.clear();
    await host.end('nas');
    await host.end('nas off');
    expect(host.ran).to.deep.equal(['nas', 'output of silent']);
    const next = hostWith(plans, { journals, known });
    next.back.add('office');
    next.sequences.resumePowerOff();
    for (const { group } of next.journal.open) next.sequences.resume(group);
    await settled();
    await next.time.pass(40_000);
    expect(next.ran).to.deep.equal(['output of silent', 'poweroff office']);
  });

  it('cut it also by a later version of the daemon, whose texts are others', async () => {
    const journals = new SimulatedJournals(() => 'kept');
    const plans = [planOfHost('office')];
    await slow(plans, { journals });
    const reworded = entriesOf(journals.read()).map((entry) =>
      entry.kind === 'stepEnded' && entry.outcome.kind === 'skipped'
        ? { ...entry, outcome: { ...entry.outcome, reason: 'as another version says it' } }
        : entry,
    );
    const upgraded = new SimulatedJournals(() => 'kept');
    upgraded.begin(reworded);
    const next = hostWith(plans, { journals: upgraded });
    next.sequences.resumePowerOff();
    for (const { group } of next.journal.open) next.sequences.resume(group);
    await next.end('nas');
    await next.end('nas off');
    await next.time.pass(200_000);
    expect(next.ran.filter((text) => text !== 'nas').slice(0, 2)).to.deep.equal(offAsToday);
  });

  it('restart it at the last step where power is still back', async () => {
    const host = await slow([planOfHost('office')]);
    await host.end('nas');
    await host.end('nas off');
    await host.time.pass(1_000);
    expect(host.ran).to.deep.equal(['nas', 'restart office']);
  });

  it('power it off where FSD is set between the two looks', async () => {
    const host = await slow([planOfHost('office')]);
    host.known.upses = [readUps('rack', { showsFsd: true })];
    await host.end('nas');
    await host.end('nas off');
    await host.time.pass(1_000);
    expect(host.ran).to.deep.equal(['nas', ...offAsToday]);
  });
});
