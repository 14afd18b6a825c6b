import { expect } from 'chai';
import type { CommandOutcome } from '../../../supervisor/host/run-command.js';
import { settled } from '../../fixtures/fake-time.js';
import { planPhase, planStep } from '../../fixtures/plans.js';
import { hostWith, offAsToday, planOfHost, readUps } from './restarting.js';
import type { Host } from './restarting.js';
import { failure, success } from './several.js';

const killed: CommandOutcome = { kind: 'signalled', signal: 'SIGTERM', output: '' };

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
      /the restart failed: exit status 1: no bus; power is back, and this host/,
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

  it('takes a restart whose client a signal has ended for one that may come: init ends it when it restarts the host', async () => {
    for (const outcome of [killed, { kind: 'exited', code: 143, output: '' }] as const) {
      const host = await ranAtLastSteps({ outcome });
      expect(host.journal.powerOff.givenUp, 'no guest starts into the restart').to.equal(false);
      host.back.clear();
      await host.time.pass(121_000);
      expect(host.ran.slice(0, 2)).to.deep.equal(['restart office', 'poweroff office']);
      expect(host.ran).to.not.include('output of rack');
    }
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
