import { expect } from 'chai';
import type { SelfTestRecord } from '../../../shared/domain/ups/self-test.js';
import { configurationFrom, withGroup } from '../config/loading.js';
import { a, b, control, gone, office, scheduled, Site, why } from './three-upses.js';

describe('battery tests', () => {
  it('start by request with a hold of the triggers, and end with the result of the device', async () => {
    const site = await new Site(control).pass(30);
    expect(why(await site.tests.request(office))).to.equal('started');
    expect([site.sent, site.holds.slice(-1)]).to.deep.equal([[`start ${office}`], [`${office} true`]]);
    await site.pass(5, { [office]: { words: ['OB', 'TEST'], charge: 90, result: 'In progress' } });
    expect(site.tests.of(office)).to.include({ result: 'RUNNING', source: 'api' });
    await site.pass(2, { [office]: { result: 'Done and passed' } });
    expect(site.tests.of(office)).to.include({ result: 'PASSED' });
    expect(site.holds.slice(-1)).to.deep.equal([`${office} false`]);
    expect(site.types).to.deep.equal(['SELF_TEST_STARTED', 'SELF_TEST_PASSED']);
    const [row] = [...site.stored.values()];
    expect([site.stored.size, row?.test.result]).to.deep.equal([1, 'PASSED']);
  });

  for (const [name, shown, set, reason] of [
    ['on battery', { words: ['OB'] }, {}, /^CONFLICT on line/],
    ['not full', { charge: 89 }, {}, /^CONFLICT full: the charge is 89 %/],
    ['its charge is unknown', { charge: null }, {}, /^CONFLICT full: the charge is unknown/],
    ['it has LB', { words: ['OL', 'LB'] }, {}, /^CONFLICT full/],
    ['it is overloaded', { words: ['OL', 'OVER'] }, {}, /^CONFLICT load: the UPS is overloaded/],
    ['it tests itself', { words: ['OL', 'TEST'] }, {}, /^CONFLICT no other test/],
    ['it is calibrated', { words: ['OL', 'CAL'] }, {}, /^CONFLICT no other test/],
    ['a sequence runs', {}, { isSequenceRunning: true }, /^CONFLICT no sequence/],
    ['it has no current reading', { fails: true }, {}, /^CONFLICT connection/],
  ] as const)
    it(`do not start while ${name}`, async () => {
      const site = await new Site(control).pass(20);
      await site.pass(60, { [office]: shown });
      Object.assign(site, set);
      expect(why(await site.tests.request(office))).to.match(reason);
      expect(site.sent).to.deep.equal([]);
    });

  it('do not start within an hour of an outage, also of one before the daemon', async () => {
    const site = await new Site(control).pass(20);
    await site.pass(10, { [office]: { words: ['OB'] } });
    await site.pass(3_000, {}, 5);
    expect(why(await site.tests.request(office))).to.match(/no outage in the last hour/);
    await site.pass(601);
    expect(why(await site.tests.request(office))).to.equal('started');
    const other = new Site(control);
    other.recalled.set(office, { outageTs: other.time.wallSeconds() - 3_000 });
    await other.pass(60);
    expect(why(await other.tests.request(office))).to.match(/no outage in the last hour/);
  });

  it('do not start in the first hour without history: an outage before would not be known', async () => {
    const site = await new Site(`${control}[statistics]\nenabled = false\n`).pass(3_590, {}, 5);
    expect(why(await site.tests.request(office))).to.match(/^CONFLICT no outage in the last hour: not known/);
    await site.pass(20);
    expect(why(await site.tests.request(office))).to.equal('started');
    const unread = new Site(control);
    unread.isStorageDown = true;
    await unread.pass(60);
    expect(why(await unread.tests.request(office))).to.match(
      /^CONFLICT no outage in the last hour: not known/,
    );
  });

  it('need nut_control and its allowlist by request', async () => {
    const off = await new Site('[nut_control]\npassword = "secret"\n' + scheduled).pass(20);
    expect(why(await off.tests.request(office))).to.match(/^NOT_ALLOWED/);
    const other = await new Site(`${control}allowed_commands = ["beeper.mute"]\n`).pass(20);
    expect(why(await other.tests.request(office))).to.match(/^NOT_ALLOWED/);
    expect([off.sent, other.sent]).to.deep.equal([[], []]);
  });

  it('are refused by the server: without a hold, UNSUPPORTED, and at once', async () => {
    const site = await new Site(control).pass(20);
    site.answer = () => Promise.resolve(gone('UNSUPPORTED'));
    expect(why(await site.tests.request(office))).to.match(/^UNSUPPORTED/);
    expect(site.tests.of(office)).to.include({ result: 'UNSUPPORTED' });
    expect(site.holds.slice(-2)).to.deep.equal([`${office} true`, `${office} false`]);
    expect(site.types).to.deep.equal([]);
  });

  it('are followed after a lost answer', async () => {
    const site = await new Site(control).pass(20);
    site.answer = () => Promise.resolve(gone('WORKER_GONE'));
    expect(why(await site.tests.request(office))).to.match(/^WORKER_GONE .*the daemon follows it/);
    await site.pass(10, { [office]: { words: ['OB'] } });
    await site.pass(1, { [office]: { result: 'Done and passed' } });
    expect(site.tests.of(office)).to.include({ result: 'PASSED', source: 'api' });
    const none = await new Site(control).pass(20);
    none.answer = () => Promise.resolve(gone('NUT_ERROR'));
    await none.tests.request(office);
    await none.pass(61, { [office]: { result: 'Done and passed' } });
    expect(none.tests.of(office)).to.include({ result: 'PASSED' });
  });

  it('run for one member of a group at a time, and end when another fails one poll', async () => {
    const site = await new Site(control).pass(60);
    const [first, second] = await Promise.all([site.tests.request(a), site.tests.request(b)]);
    expect([why(first), why(second)]).to.match(/^started,CONFLICT one of a group at a time: rack-a@nut1/);
    await site.pass(3, { [a]: { words: ['OB', 'TEST'] } });
    await site.pass(3, { [a]: { words: ['OB', 'TEST'] }, [b]: { fails: true } });
    expect(site.sent).to.deep.equal([`start ${a}`, `stop ${a}`]);
  });

  for (const words of [['OL', 'RB'], ['OL', 'OVER'], ['OB']])
    it(`end when another member of the group shows ${words.join(' ')}`, async () => {
      const site = await new Site(control).pass(60);
      await site.tests.request(a);
      await site.pass(1, { [b]: { words } });
      expect(site.sent).to.deep.equal([`start ${a}`, `stop ${a}`]);
    });

  for (const [code, stops] of [
    ['DEADLINE_EXCEEDED', 3],
    ['NUT_REFUSED', 1],
    ['UNSUPPORTED', 1],
  ] as const)
    it(`that ${code} did not end are ended ${String(stops)} times in 25 s`, async () => {
      const site = await new Site(control).pass(20);
      await site.tests.request(office);
      site.answer = () => Promise.resolve(gone(code));
      await site.pass(25, { [office]: { words: ['OB', 'TEST'], charge: 29 } });
      expect(site.sent.filter((one) => one === `stop ${office}`)).to.have.length(stops);
    });

  it('do not start while another member of the group shows what would end them', async () => {
    for (const words of [['OL', 'RB'], ['OL', 'ALARM'], ['OB']]) {
      const site = await new Site(control).pass(60);
      await site.pass(1, { [b]: { words } });
      expect(why(await site.tests.request(a))).to.match(/^CONFLICT group healthy: rack-b@nut1/);
      expect(site.sent).to.deep.equal([]);
    }
  });

  it('go on when a UPS outside of the group fails', async () => {
    const site = await new Site(control).pass(60);
    await site.tests.request(a);
    await site.pass(5, { [office]: { words: ['OB'] } });
    expect(site.sent).to.deep.equal([`start ${a}`]);
  });

  it('are followed and ended while storage has not answered yet', async () => {
    const site = new Site(control);
    site.isStorageDown = true;
    await site.pass(3_700, {}, 5);
    expect(why(await site.tests.request(office))).to.equal('started');
    await site.pass(5, { [office]: { words: ['OB', 'TEST'], charge: 29 } });
    expect(site.sent).to.deep.equal([`start ${office}`, `stop ${office}`]);
    await site.pass(2, { [office]: { result: 'Done and passed' } });
    expect(site.tests.of(office)).to.include({ result: 'PASSED' });
  });

  it('that ended while storage did not answer have ended after a reload too, and are reported once', async () => {
    const site = await new Site(control).pass(30);
    expect(why(await site.tests.request(office))).to.equal('started');
    await site.pass(5, { [office]: { words: ['OB', 'TEST'] } });
    site.isStorageDown = true;
    await site.pass(2, { [office]: { result: 'Done and error' } });
    site.tests.apply(configurationFrom(`${withGroup}${control}[[ups]]\nname = "new@nut1"\n`));
    site.recall = () => {
      const test = [...site.stored.values()][0]?.test ?? null;
      return test?.endedTs === null ? { running: test } : { last: test, verdict: test };
    };
    site.isStorageDown = false;
    await site.pass(10, { [office]: { result: 'Done and error' } });
    expect(site.types).to.deep.equal(['SELF_TEST_STARTED', 'SELF_TEST_FAILED']);
    expect(site.tests.of(office)).to.include({ result: 'FAILED', source: 'api' });
  });

  it('of a daemon before are followed, with the hold', async () => {
    const site = new Site(control);
    const running: SelfTestRecord = {
      startedTs: site.time.wallSeconds() - 5,
      endedTs: null,
      command: 'test.battery.start',
      source: 'api',
      result: 'RUNNING',
      raw: 'No test initiated',
      date: null,
    };
    site.recalled.set(office, { running });
    await site.pass(5, { [office]: { words: ['OB', 'TEST'] } });
    expect(site.tests.of(office)).to.include({ result: 'RUNNING', source: 'api' });
    expect(site.holds).to.include(`${office} true`);
    await site.pass(1, { [office]: { result: 'Done and error' } });
    expect(site.types).to.deep.equal(['SELF_TEST_FAILED']);
  });

  it('of a daemon long ago hold nothing: a host that starts in an outage is not in a test', async () => {
    const site = new Site(control);
    const running: SelfTestRecord = {
      startedTs: site.time.wallSeconds() - 86_400,
      ...{ endedTs: null, command: 'test.battery.start', source: 'scheduler', result: 'RUNNING' },
      ...{ raw: '', date: null },
    };
    site.recalled.set(office, { running });
    await site.pass(5, { [office]: { words: ['OB'] } });
    expect(site.holds).not.to.include(`${office} true`);
  });
});
