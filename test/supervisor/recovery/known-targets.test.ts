import { expect } from 'chai';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { LookRound } from '../../../shared/protocol/remote.js';
import { Site, roundOf, noWorker, target } from './looked-site.js';

describe('what the looks know', () => {
  it('is off by the rounds of six minutes', async () => {
    const site = new Site();
    site.answer = (servers) => Promise.resolve(roundOf(servers, 'silence'));
    await site.run(301);
    expect(site.before()).to.equal('unknown');
    await site.run(60);
    expect(site.before()).to.equal('off');
  });

  it('is frozen at ON_BATTERY: the switch is dead by then', async () => {
    const site = new Site();
    await site.run(30);
    site.onBattery.add('office');
    site.answer = (servers) => Promise.resolve({ ok: true, value: { ...silent(servers), gateways: [] } });
    await site.run(20);
    expect([site.frozen(), site.before()]).to.deep.equal(['up', 'unknown']);
    expect(site.looks.states.get('nas')?.outage?.wentOffAt).to.equal(null);
  });

  it('is frozen for each group at its own outage', async () => {
    const site = new Site(target('nas'), target('san', { group: 'rack' }));
    await site.run(1);
    site.onBattery.add('rack');
    await site.run(1);
    expect([site.frozen('nas'), site.frozen('san')]).to.deep.equal([undefined, 'up']);
  });

  it('is up by a daemon that starts in an outage', async () => {
    const site = new Site();
    site.onBattery.add('office');
    site.answer = noWorker;
    await site.run(2);
    expect(site.frozen()).to.equal('unknown');
    site.answer = (servers) => Promise.resolve(roundOf(servers, 'answer'));
    await site.run(5);
    expect(site.frozen()).to.equal('up');
  });

  it('keeps what the record says of a target that is still to be brought back', async () => {
    const site = new Site();
    site.answer = (servers) => Promise.resolve(roundOf(servers, 'silence'));
    await site.run(400);
    site.kept.set('nas', { before: 'up', at: null });
    site.onBattery.add('office');
    await site.run(20);
    expect([site.frozen(), site.before()]).to.deep.equal(['up', 'off']);
  });

  it('has no silence of a target that was commanded while the round was under way, but its answer', async () => {
    for (const [end, before] of [
      ['silence', 'unknown'],
      ['answer', 'up'],
    ] as const) {
      const site = new Site();
      let answered: (outcome: Outcome<LookRound>) => void = () => undefined;
      site.answer = () => new Promise((resolve) => (answered = resolve));
      site.onBattery.add('office');
      await site.run(1);
      site.open.add('office');
      answered(roundOf(['nas'], end));
      await site.run(1);
      expect(site.frozen()).to.equal(before);
      expect(site.looks.states.get('nas')?.outage?.stage).to.equal(
        end === 'answer' ? 'under way' : 'beginning',
      );
    }
  });

  it('is reported when it changes, and not with each look', async () => {
    const site = new Site();
    await site.run(300);
    expect(site.changes).to.equal(1);
    site.onBattery.add('office');
    await site.run(1);
    expect(site.changes, 'it was frozen, then looked at').to.equal(3);
    site.answer = (servers) => Promise.resolve(roundOf(servers, 'silence'));
    await site.run(20);
    expect(site.changes, 'it went off').to.equal(4);
    site.onBattery.clear();
    await site.run(1);
    expect(site.changes, 'the outage is over').to.equal(5);
  });

  it('survives a reload for a target that stays, and not for another host or group', async () => {
    const site = new Site(target('nas'), target('san'), target('db'));
    await site.run(1);
    site.looks.configure([
      target('nas', { bootTimeoutMs: 1 }),
      target('san', { host: 'other.lan' }),
      target('db', { group: 'rack' }),
    ]);
    expect(['nas', 'san', 'db'].map((name) => site.before(name))).to.deep.equal(['up', 'unknown', 'unknown']);
    await site.run(1);
    expect(site.rounds, 'new targets are looked at at once').to.deep.equal([0, 1]);
    site.looks.configure([target('nas')]);
    expect([...site.looks.states.keys()]).to.deep.equal(['nas']);
    await site.run(10);
    expect(site.rounds).to.deep.equal([0, 1]);
  });

  it('has no answer of a round that asked the host before a reload', async () => {
    const site = new Site();
    let answered: (outcome: Outcome<LookRound>) => void = () => undefined;
    site.answer = () => new Promise((resolve) => (answered = resolve));
    await site.run(1);
    site.looks.configure([target('nas', { host: 'other.lan' })]);
    answered(roundOf(['nas'], 'answer'));
    await site.time.pass(1);
    expect(site.before()).to.equal('unknown');
  });
});

function silent(servers: readonly string[]): LookRound {
  return { looks: servers.map((server) => ({ server, end: 'silence', link: 'eth0' })), gateways: [] };
}
