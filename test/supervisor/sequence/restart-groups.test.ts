import { expect } from 'chai';
import type { Plan } from '../../../shared/domain/outage/plan.js';
import { entriesOf } from '../../../supervisor/sequence/journal/record.js';
import { settled } from '../../fixtures/fake-time.js';
import { SimulatedJournals } from '../../simulation/journals.js';
import { hostWith, offAsToday, planOfHost, readUps } from './restarting.js';
import { offWait, planOf, server } from './several.js';

/** `rack` and `second` feed the group `site`, which asks; `rack` feeds the groups named too. */
async function ranWithRackOnBattery(groupsOfRack: readonly string[]) {
  const plan = { ...planOfHost('site'), fedBy: ['rack', 'second'] };
  const rack = readUps('rack', { hostGroups: groupsOfRack, showsBattery: true });
  const host = hostWith([plan], { known: { upses: [rack, readUps('second', { hostGroups: ['site'] })] } });
  host.start('site');
  host.back.add('site');
  await host.time.pass(40_000);
  return host;
}

describe('a UPS on battery in a group whose quorum is back at its last steps', () => {
  it('does not keep this host from its restart where it feeds this group alone', async () => {
    expect((await ranWithRackOnBattery(['site'])).ran).to.deep.equal(['restart site']);
  });

  it('powers this host off where it feeds another one that powers it off and has not asked', async () => {
    const host = await ranWithRackOnBattery(['site', 'rack']);
    expect(host.ran.slice(0, 2)).to.deep.equal(['output of rack', 'poweroff site']);
    expect(host.logged.join()).to.include('powers off all the same: rack shows OB');
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
