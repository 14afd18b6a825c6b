import { expect } from 'chai';
import { plansOf } from '../../../supervisor/config/derive/plans.js';
import { configurationFrom } from '../config/loading.js';
import { Night, done, failure, nothingSeen, silent, text, up } from './night.js';

describe('the record of a group', () => {
  it('follows the looks on line power, with one number for each change', () => {
    const night = new Night().now();
    expect(night.nas).to.deep.include({
      server: 'nas',
      before: 'up',
      lookedUnixSeconds: 10,
      command: 'none',
    });
    expect(night.host).to.deep.include({ server: null, before: 'up', command: 'none' });
    expect(night.now().now().number).to.equal(1);
    expect(night.now(nothingSeen).nas).to.include({ before: 'unknown', lookedUnixSeconds: null });
    expect(night.number).to.equal(2);
  });

  it('counts the restarts of this host until it has stayed on line power', () => {
    const night = new Night().now();
    expect(night.record).to.not.have.property('restarts');
    night.restarts = 1;
    expect(night.begins().record?.restarts).to.equal(1);
    night.restarts = null;
    expect(night.ends().record?.restarts, 'the next one adds to it').to.equal(1);
    night.isSettled = true;
    night.onBattery = true;
    expect(night.now().record?.restarts, 'not in an outage').to.equal(1);
    night.onBattery = false;
    expect(night.now().record).to.not.have.property('restarts');
  });

  it('is not written for the date of a look alone', () => {
    const night = new Night().now().now({ ...up, unixSeconds: 70 });
    expect(night.number).to.equal(1);
    night.onBattery = true;
    expect(night.now({ ...up, unixSeconds: 130 }).nas?.lookedUnixSeconds).to.equal(130);
    expect(night.record?.inOutage).to.equal(true);
  });

  for (const [outcome, command] of [
    [null, 'maybe'],
    [done, 'given'],
    [failure({}), 'maybe'],
    [failure({ neverSent: true }), 'none'],
    [failure({ neverSent: true, maybeSent: true }), 'maybe'],
    [{ kind: 'skipped', reason: '' }, 'none'],
  ] as const)
    it(`has "${command}" of a command whose step is ${JSON.stringify(outcome)}`, () => {
      const night = new Night().now().begins().does('remote_servers/nas', outcome);
      expect(night.nas).to.include({ before: 'up', command });
    });

  it('has a machine as off once a look after its command is silent, and up again once it answers on line power', () => {
    const night = new Night().now().begins().does('remote_servers/nas', done);
    expect(night.nas).to.include({ command: 'given', isOff: false });
    expect(night.now(silent).nas).to.include({ command: 'given', isOff: true });
    night.ends();
    expect(night.now(nothingSeen).nas).to.include({ before: 'up', command: 'given', isOff: true });
    expect(night.now(up).nas).to.include({ before: 'up', command: 'none', isOff: false });
    expect(night.now(up).nas, 'the journal still has the command').to.include({ command: 'none' });
  });

  it('has the date of the last return: commanded, found off, and up again on line power', () => {
    const night = new Night().now().begins().does('remote_servers/nas', done).now(silent);
    expect(night.now(up).nas, 'in the outage').to.include({ provenUnixSeconds: null });
    night.ends();
    const date = night.now(up).nas?.provenUnixSeconds;
    expect(date).to.be.greaterThan(1_000);
    expect(night.now(silent, 500).nas, 'it is kept').to.include({ command: 'none', provenUnixSeconds: date });
  });

  it('has no return of a machine that was never found off, and none in a dry run', () => {
    const night = new Night().now().begins().does('remote_servers/nas', done).ends().now(up, 500);
    expect(night.nas).to.include({ command: 'none', provenUnixSeconds: null });
    const dry = new Night(true).now().begins().does('remote_servers/nas', done).now(silent).ends();
    expect(dry.now(up).nas).to.include({ provenUnixSeconds: null });
  });

  it('has a machine that answers after its command as up only after its time to halt', () => {
    const night = new Night().now().begins().does('remote_servers/nas', done).ends();
    expect(night.now(up, 117).nas?.command).to.equal('given');
    expect(night.now(up, 3).nas?.command).to.equal('none');
  });

  it('forgets the command of a machine that is never looked at after its time to halt, once the outage is over', () => {
    const night = new Night().now(nothingSeen);
    night.isLookedAt = false;
    night.begins().does('remote_servers/nas', done);
    expect(night.now(nothingSeen, 500).nas?.command).to.equal('given');
    expect(night.ends().now().nas?.command).to.equal('none');
  });

  it('has no return of a machine that a reload has made one that is never looked at', () => {
    const night = new Night().now().begins().does('remote_servers/nas', done).now(silent);
    expect(night.nas).to.include({ command: 'given', isOff: true });
    night.isLookedAt = false;
    expect(night.now(nothingSeen).ends().now().nas).to.include({ command: 'none', provenUnixSeconds: null });
  });

  it('keeps what was up in a second outage before it is up again', () => {
    const night = new Night().now().begins().does('remote_servers/nas', done).now(silent).ends();
    night.now({ ...silent, before: 'off' });
    night.onBattery = true;
    expect(night.now({ ...silent, before: 'off' }).nas).to.include({ before: 'up', command: 'given' });
  });

  it('has a dry run as one, and no command in it', () => {
    const night = new Night(true).now().begins().does('remote_servers/nas', done);
    expect(night.nas).to.include({ command: 'none', isDryRun: true });
    night.ends();
    expect(night.now().nas).to.include({ isDryRun: false });
  });

  it('has a dry run that begins and ends at once as one, until the outage is over or has another sequence', () => {
    const night = new Night(true).now();
    night.onBattery = true;
    expect(night.runs().nas).to.include({ command: 'none', isDryRun: true });
    expect(night.now().nas).to.include({ isDryRun: true });
    expect(night.begins(false).nas, 'after a reload').to.include({ isDryRun: false });
    expect(night.now().nas).to.include({ isDryRun: false });
    night.runs();
    night.onBattery = false;
    expect(night.now().nas).to.include({ isDryRun: false });
    night.onBattery = true;
    expect(night.now().nas, 'of an earlier outage').to.include({ isDryRun: false });
  });

  it('has a command whose sequence ends at once with power back', () => {
    const night = new Night().now().begins();
    expect(night.runs('remote_servers/nas').nas).to.include({ before: 'up', command: 'given' });
    expect(night.now(nothingSeen).nas).to.include({ before: 'up', command: 'given' });
    expect(night.record?.inOutage).to.equal(false);
  });

  it('has the host as shut down from the first try of its power-off until that is given up', () => {
    const night = new Night().now().begins();
    const step = plansOf(configurationFrom(text))[0]?.phases.at(-1)?.steps.at(-1);
    if (step === undefined) throw new Error('no power-off');
    night.writes({ kind: 'powerOffAsked', step, group: night.record?.group ?? '' });
    expect(night.host?.command).to.equal('none');
    expect(night.writes({ kind: 'tryBegan', number: 1 }).host?.command).to.equal('given');
    night.onBattery = true;
    expect(night.ends().host?.command, 'its sequence has ended').to.equal('given');
    night.onBattery = false;
    expect(night.now().now().host?.command, 'it is up').to.equal('none');
  });

  it('has an output as cut once it is seen off after its command, else as not known', () => {
    const night = new Night().now().begins();
    expect(night.cut).to.equal('no');
    expect(night.does('ups_output_off', null).cut).to.equal('unknown');
    night.isOutputOff = true;
    expect(night.now().cut).to.equal('yes');
    night.isOutputOff = false;
    expect(night.now().cut, 'it is on again').to.equal('yes');
    expect(night.ends().cut).to.equal('yes');
  });

  it('has an output whose command failed or has no answer as not known: it may have reached the UPS', () => {
    for (const how of ['failed', 'timeout', 'unreachable'])
      expect(new Night().now().begins().does('ups_output_off', failure({ how })).cut, how).to.equal(
        'unknown',
      );
  });

  it('has an output whose command was not sent as not cut, nor one of a dry run', () => {
    const night = new Night().now().begins();
    expect(night.does('ups_output_off', { kind: 'skipped', reason: 'it feeds nas' }).cut).to.equal('no');
    const drill = new Night(true).now().begins();
    drill.isOutputOff = true;
    expect(drill.does('ups_output_off', done).cut).to.equal('no');
  });

  it('has the guests of the host and of a server, each by the step that stopped it', () => {
    const night = new Night().now().begins().finds('containers', 'web').finds('remote_servers/nas', 'db');
    expect(night.host?.guests.map(({ name }) => name)).to.deep.equal(['web']);
    expect(night.nas?.guests.map(({ name }) => name)).to.deep.equal(['db']);
    const { number } = night;
    expect(night.now().now().number, 'nothing has changed').to.equal(number);
  });

  it('has none to be started again on the machine on which a person begins a shutdown, and all others', () => {
    const states = (night: Night) =>
      [night.host, night.nas].map((target) => target?.guests.map(({ state }) => state).join());
    for (const [server, expected] of [
      [null, ['over', 'stopped']],
      ['nas', ['stopped', 'over']],
    ] as const) {
      const night = new Night().now().begins().finds('containers', 'web').finds('remote_servers/nas', 'db');
      night.ends().begun = new Map([[server, 2_000]]);
      expect(states(night.now())).to.deep.equal(expected);
      night.begun = new Map();
      expect(states(night.now()), 'and it stays so').to.deep.equal(expected);
    }
  });

  it('keeps the guests of a machine that is up again until they run', () => {
    const night = new Night()
      .now()
      .begins()
      .finds('remote_servers/nas', 'db')
      .does('remote_servers/nas', done);
    night.now(silent).ends().now(up);
    expect(night.nas).to.include({ command: 'none' });
    expect(night.nas?.guests).to.have.lengthOf(1);
    night.guestEnds = { db: { state: 'over', reason: '' } };
    expect(night.now(up).nas?.guests[0]?.state).to.equal('over');
    night.guestEnds = {};
    expect(night.now(up).nas?.guests[0]?.state, 'the journal still has its stop').to.equal('over');
  });
});
