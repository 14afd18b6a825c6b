import { expect } from 'chai';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { LookRound } from '../../../shared/protocol/remote.js';
import { maxLooks } from '../../../shared/protocol/remote.js';
import { Site, roundOf, noWorker, target } from './looked-site.js';

describe('the looks', () => {
  it('begin at the start and come every 60 s', async () => {
    const site = new Site();
    await site.run(125);
    expect(site.rounds).to.deep.equal([0, 60, 120]);
    expect(site.asked[0]).to.include({ withinMs: 30_000 });
    expect(site.before()).to.equal('up');
  });

  it('come at ON_BATTERY at once, then every 10 s until the sequence begins, and again once it is over', async () => {
    const site = new Site();
    await site.run(33);
    site.onBattery.add('office');
    await site.run(22);
    site.open.add('office');
    await site.run(100);
    expect(site.rounds).to.deep.equal([0, 33, 43, 53]);
    expect(site.asked[1]).to.include({ withinMs: 9_000 });
    site.onBattery.clear();
    site.open.clear();
    await site.run(61);
    expect(site.rounds.slice(4)).to.deep.equal([155, 215]);
  });

  it('go on every 60 s after an outage without a sequence', async () => {
    const site = new Site();
    await site.run(10);
    site.onBattery.add('office');
    await site.run(12);
    site.onBattery.clear();
    await site.run(100);
    expect(site.rounds).to.deep.equal([0, 10, 20, 80]);
  });

  it('leave room for a login where the sixth connection in 30 s is refused', async () => {
    for (const restSeconds of [1, 29, 59, 60]) {
      const site = new Site();
      await site.run(restSeconds);
      site.onBattery.add('office');
      await site.run(120);
      const most = site.rounds.map(
        (first) => site.rounds.filter((at) => at >= first && at < first + 30).length,
      );
      expect(Math.max(...most), String(restSeconds)).to.be.at.most(4);
    }
  });

  it('ask the targets of every group as often, since each is a witness for the others', async () => {
    const site = new Site(target('nas'), target('san', { group: 'rack' }));
    site.onBattery.add('office');
    await site.run(21);
    expect(site.asked.map(({ atMs, servers }) => [atMs, ...servers])).to.deep.equal(
      [0, 10_000, 20_000].map((atMs) => [atMs, 'nas', 'san']),
    );
  });

  it('leave out only the targets of a group whose sequence is open', async () => {
    const site = new Site(target('nas'), target('san', { group: 'rack' }));
    site.onBattery.add('office');
    await site.run(1);
    site.open.add('office');
    await site.run(61);
    expect(site.asked.map(({ atMs, servers }) => [atMs, ...servers])).to.deep.equal([
      [0, 'nas', 'san'],
      [60_000, 'san'],
    ]);
    expect(site.asked[1]?.withinMs).to.equal(30_000);
  });

  it('have one round under way at a time, and the one that is due follows it', async () => {
    const site = new Site();
    const answered: ((outcome: Outcome<LookRound>) => void)[] = [];
    site.answer = () => new Promise((resolve) => answered.push(resolve));
    await site.run(30);
    site.onBattery.add('office');
    await site.run(40);
    expect(site.rounds).to.deep.equal([0]);
    answered[0]?.(roundOf(['nas'], 'answer'));
    await site.time.pass(0);
    await site.run(20);
    expect(site.rounds).to.deep.equal([0, 70]);
    answered[1]?.(roundOf(['nas'], 'answer'));
    await site.time.pass(0);
    await site.run(1);
    expect(site.rounds).to.deep.equal([0, 70, 90]);
  });

  it('begin a round at ON_BATTERY after the one that was under way', async () => {
    const site = new Site();
    let answered: (outcome: Outcome<LookRound>) => void = () => undefined;
    site.answer = () => new Promise((resolve) => (answered = resolve));
    await site.run(2);
    site.onBattery.add('office');
    await site.run(1);
    answered(roundOf(['nas'], 'answer'));
    await site.time.pass(0);
    await site.run(2);
    expect(site.rounds).to.deep.equal([0, 3]);
  });

  it('take a lost worker, an error and an exception as a round of faults, and follow 5 s later', async () => {
    const site = new Site();
    await site.run(60);
    const failures = [
      noWorker,
      () => Promise.reject(new Error('the port is closed')),
      () => {
        throw new Error('a bug');
      },
    ];
    for (const failure of failures) {
      site.answer = failure;
      await site.run(5);
      expect(site.before(), String(failure)).to.equal('unknown');
    }
    site.answer = (servers) => Promise.resolve(roundOf(servers, 'answer'));
    await site.run(61);
    expect(site.rounds).to.deep.equal([0, 60, 65, 70, 75, 135]);
    expect(site.before()).to.equal('up');
    expect(site.bugs).to.have.length(1);
  });

  it('throw nothing when what they ask throws, and go on', async () => {
    const site = new Site();
    const { isInOutage } = site;
    site.isInOutage = () => {
      throw new Error('a bug');
    };
    await site.run(3);
    site.isInOutage = isInOutage;
    await site.run(3);
    expect(site.rounds).to.deep.equal([3]);
    expect(site.bugs).to.have.length(1);
  });

  it('ask nothing without a target', async () => {
    const site = new Site();
    site.looks.configure([]);
    await site.run(100);
    expect(site.rounds).to.deep.equal([]);
  });

  it('ask as many targets as the worker takes', async () => {
    const site = new Site(...Array.from({ length: maxLooks + 1 }, (_, index) => target(`s${String(index)}`)));
    await site.run(1);
    expect(site.asked[0]?.servers).to.have.length(maxLooks);
    expect(site.before(`s${String(maxLooks)}`)).to.equal('unknown');
  });
});
