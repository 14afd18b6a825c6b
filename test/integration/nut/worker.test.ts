import { expect } from 'chai';
import type { PollerSettings } from '../../../shared/protocol/poller.js';
import { PollReport } from '../../../shared/protocol/poller.js';
import { systemClock } from '../../../shared/runtime/clock.js';
import type { Misbehaving } from '../../fixtures/misbehaving-upsd.js';
import { goodList, misbehavingUpsd } from '../../fixtures/misbehaving-upsd.js';
import { pollerSettings } from '../../fixtures/poller-settings.js';
import { PollerUnderTest } from './worker-harness.js';
import { until } from '../../fixtures/until.js';

const checkIntervalMs = 60;
const control = {
  username: 'admin',
  password: 'secret',
  allowedCommands: ['beeper.mute', 'load.off'],
  allowedVariables: [],
  timeoutMs: 400,
};

const settingsFor = ({ host, port }: Misbehaving, changes: Partial<PollerSettings> = {}): PollerSettings =>
  pollerSettings({
    name: `ups@${host}:${String(port)}`,
    groupId: 'ups',
    ups: 'ups',
    host,
    port,
    checkIntervalMs,
    pollDeadlineMs: 20_000,
    control,
    ...changes,
  });

describe('the poller in its process', () => {
  let server: Misbehaving;
  let poller: PollerUnderTest;
  beforeEach(async () => {
    // Answers logins and lists, but no command.
    server = await misbehavingUpsd((line, socket) => {
      if (/^(?:USERNAME|PASSWORD|SET)/.test(line)) socket.write('OK\n');
      else if (!line.startsWith('INSTCMD')) goodList(line, socket);
    });
    poller = new PollerUnderTest();
  });
  afterEach(async () => {
    poller.stop();
    await server.stop();
  });

  it('is ready once it is configured, and then reports readings with monotonic times', async () => {
    const before = systemClock.monotonicMs();
    await until(() => poller.frames.some(({ kind }) => kind === 'hello'));
    poller.configure(settingsFor(server));
    await poller.untilPolls(3);
    const kinds = poller.frames.map(({ kind }) => kind).filter((kind) => kind !== 'heartbeat');
    expect(kinds.slice(0, 3)).to.deep.equal(['hello', 'ready', 'event']);
    const [first, second] = poller.polls;
    if (first === undefined || second === undefined) throw new Error('no polls');
    expect(PollReport.is(first)).to.equal(true);
    expect(first.outcome).to.have.nested.property('change.reading.status').deep.equal(['OL']);
    expect(first.startedAt).to.be.within(before, systemClock.monotonicMs());
    expect(first.endedAt).to.be.above(first.startedAt);
    expect(second.startedAt).to.be.at.least(first.endedAt);
  });

  it('keeps polling while a command hangs', async () => {
    poller.configure(settingsFor(server, { control: { ...control, timeoutMs: 60_000 } }));
    await poller.untilPolls(1);
    void poller.request('command.run', { command: 'beeper.mute', value: null });
    await until(() => server.received.some((line) => line.startsWith('INSTCMD')));
    await poller.untilPolls(2);
    expect(poller.frames.some(({ kind }) => kind === 'failure')).to.equal(false);
    expect(server.accepted()).to.equal(2);
  });

  it('reports the timeout of a command that hangs, and closes its connection', async () => {
    poller.configure(settingsFor(server));
    await poller.untilPolls(1);
    expect(
      await poller.request('command.run', { command: 'beeper.mute', value: null }),
    ).to.have.nested.property('error.code', 'NUT_ERROR');
    expect(server.accepted()).to.equal(2);
    await until(() => server.connections() === 1);
  });

  it('rejects what is not allowed, and a power-cutting command even if it is allowed', async () => {
    poller.configure(settingsFor(server));
    for (const command of ['beeper.off', 'load.off']) {
      const answer = await poller.request('command.run', { command, value: null });
      expect(answer).to.have.nested.property('error.code', 'NOT_ALLOWED');
    }
    expect(server.received.filter((line) => line.startsWith('INSTCMD'))).to.deep.equal([]);
  });

  it('runs nothing while control is off', async () => {
    poller.configure(settingsFor(server, { control: null }));
    for (const [name, params] of [
      ['command.run', { command: 'beeper.mute', value: null }],
      ['variable.write', { variable: 'ups.id', value: 'x' }],
      ['commands.list', {}],
      ['variables.list', {}],
    ] as const)
      expect(await poller.request(name, params)).to.have.nested.property('error.code', 'NOT_ALLOWED');
  });

  it('applies a changed interval on the same connection, and a changed server on a new one', async () => {
    const other = await misbehavingUpsd(goodList);
    poller.configure(settingsFor(server));
    await poller.untilPolls(1);
    poller.configure(settingsFor(server, { checkIntervalMs: 30 }));
    await poller.untilPolls(3);
    expect(server.accepted()).to.equal(1);
    poller.configure(settingsFor(other, { checkIntervalMs: 30 }));
    await until(() => other.received.length >= 2);
    await until(() => server.connections() === 0);
    expect(poller.polls.every(({ outcome }) => outcome.kind === 'reading')).to.equal(true);
    poller.stop();
    await other.stop();
  });

  it('logs a poll failure with its cause, and the recovery, once each', async () => {
    const down = { ...server, port: 1 };
    poller.configure(settingsFor(down));
    await poller.untilPolls(3);
    poller.configure(settingsFor(server));
    await poller.untilPolls(3);
    const said = poller.frames.flatMap((frame) => (frame.kind === 'log' ? [frame.record] : []));
    expect(said.map(({ level }) => level)).to.deep.equal(['warning', 'info']);
    expect(said[0]?.message).to.match(/SERVER_DOWN/);
  });

  it('closes its connection and leaves its process when it is drained', async () => {
    poller.configure(settingsFor(server));
    await poller.untilPolls(1);
    poller.drain();
    await until(() => poller.ended);
    expect(poller.frames.at(-1)).to.have.property('kind', 'drained');
    await until(() => server.connections() === 0);
  });
});
