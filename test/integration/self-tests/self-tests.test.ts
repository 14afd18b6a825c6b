// Battery tests of a running daemon at a simulated upsd: by request and by schedule, to their end.
import { expect } from 'chai';
import { join } from 'node:path';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { SelfTestIssuedBody } from '../../../shared/http/device-bodies.js';
import { requestDaemon } from '../../../scripts/commands/control/control-socket.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { harmless, startDaemon } from '../../fixtures/running-daemon.js';
import { databaseName } from '../../../shared/protocol/storage.js';
import { Database } from '../../../workers/storage/database.js';
import { inTimeZone, zoneAtNoon } from '../../fixtures/time-zone.js';
import { includes, is, until } from '../../fixtures/until.js';

interface Events {
  readonly events: readonly {
    readonly eventType: string;
    readonly detail: string;
    readonly source: string;
  }[];
}

const members = ['rack-a', 'rack-b'];

describe('a battery test of a running daemon', () => {
  inTimeZone(zoneAtNoon());
  let upsd: SimulatedUpsd;
  let daemon: RunningDaemon;
  let directory: string | undefined;
  const commands: string[] = [];

  const toml = (more: string): string => `
${['office', ...members].map((name) => `[[ups]]\nname = "${name}@127.0.0.1:${String(upsd.port)}"\ncheck_interval = 0.2\nis_local = ${String(name === 'office')}`).join('\n')}
[[redundancy_groups]]
name = "rack"
ups_sources = [${members.map((name) => `"${name}@127.0.0.1:${String(upsd.port)}"`).join(', ')}]
[nut_control]
enabled = true
password = "secret"
[self_test]
result_poll_after = 3
${more}
${harmless}flush_interval = 0.5
[api.auth]
db_path = "{directory}/lib/auth.db"
`;
  const user = () => (directory === undefined ? { user: 'alice' } : {});
  const start = async (more = ''): Promise<void> => {
    daemon = await startDaemon({
      toml: toml(more),
      ...user(),
      ...(directory === undefined ? {} : { directory }),
    });
    ({ directory } = daemon);
    await daemon.seesAll();
  };
  /** The next daemon on the same directory; `meanwhile` runs between the two. */
  const restart = async (
    more = '',
    signal: NodeJS.Signals = 'SIGTERM',
    meanwhile = (): Promise<void> => Promise.resolve(),
  ): Promise<void> => {
    daemon.signal(signal);
    await daemon.exited;
    await meanwhile();
    await start(more);
  };
  beforeEach(async () => {
    commands.length = 0;
    upsd = await startSimulatedUpsd({
      ups: ['office', ...members].map((name) => ({ name, noise: 0 as const })),
      users: [{ name: 'ridethrough', password: 'secret', actions: ['SET'], instcmds: ['ALL'] }],
      onQuery: (words) => void (words[0] === 'INSTCMD' && commands.push(words.slice(1, 3).join(' '))),
    });
  });
  afterEach(async () => {
    directory = undefined;
    await daemon.stop();
    await upsd.stop();
  });

  const ask = (name: string) =>
    requestDaemon(
      daemon.controlSocket,
      `self-test?ups=${name}@127.0.0.1:${String(upsd.port)}`,
      SelfTestIssuedBody,
      { method: 'POST', withinMs: 120_000 },
    );
  const unread = 'no history has been read';
  /** A daemon that has just started reads first when the last outage was. */
  const begin = (name: string) =>
    until(
      () => ask(name),
      (reply) => reply.ok || !reply.message.includes(unread),
    );
  const resultOf = async (name: string): Promise<string | undefined> =>
    (await daemon.status()).ups.find((row) => row.name.startsWith(name))?.selfTest?.result;
  const reaches = (name: string, result: string) => until(() => resultOf(name), is(result));
  const events = async (): Promise<Events['events']> =>
    ((await daemon.control('events?limit=1000')) as Events).events;
  const recorded = (type: string) => until(events, (all) => all.some(({ eventType }) => eventType === type));
  const shutdowns = async () => (await events()).filter(({ eventType }) => eventType.startsWith('SHUTDOWN'));

  it('is started by request, looks like no outage, passes, and is in the audit', async () => {
    await start();
    const reply = await begin('office');
    expect(reply.ok ? reply.value : reply.message).to.include({
      command: 'test.battery.start.quick',
      status: 'issued',
    });
    expect(commands).to.deep.equal(['office test.battery.start.quick']);
    await reaches('office', 'RUNNING');
    const again = await begin('office');
    expect(again.ok ? '' : again.message).to.match(/no other test/);
    await reaches('office', 'PASSED');
    const all = await recorded('SELF_TEST_PASSED');
    const types = all.map(({ eventType }) => eventType);
    expect(types.filter((type) => type.startsWith('SELF_TEST'))).to.deep.equal([
      'SELF_TEST_STARTED',
      'SELF_TEST_PASSED',
    ]);
    const audit = all
      .filter(({ eventType }) => eventType === 'CONTROL_SELF_TEST')
      .map(({ detail }) => detail)
      .filter((detail) => !detail.includes(unread));
    expect(audit[0]).to.equal('local: start a self test: ok');
    const onBattery = all.find(({ eventType }) => eventType === 'ON_BATTERY');
    expect(onBattery?.detail ?? 'self-test').to.match(/^self-test/);
    expect(await shutdowns()).to.deep.equal([]);
    expect(daemon.powerOffs()).to.deep.equal([]);
  });

  it('is followed to its end by the next daemon', async () => {
    await start();
    expect((await begin('office')).ok).to.equal(true);
    await reaches('office', 'RUNNING');
    await restart();
    await reaches('office', 'PASSED');
    expect((await events()).filter(({ eventType }) => eventType === 'SELF_TEST_STARTED')).to.have.length(1);
  });

  it('is followed also when the daemon was killed', async () => {
    await start();
    expect((await begin('office')).ok).to.equal(true);
    await reaches('office', 'RUNNING');
    await restart('', 'SIGKILL');
    await reaches('office', 'PASSED');
    expect(daemon.powerOffs()).to.deep.equal([]);
  });

  it('is made up for once, and in a group one after the other, when its dates were missed', async () => {
    const daily = 'enabled = true\nschedule = "daily"\ntime = "00:00"';
    await start(daily);
    expect(commands).to.deep.equal([]);
    const all = ['office', ...members];
    await daemon.logged('the history database is usable');
    const db = await Database.open(join(directory ?? '', 'lib', databaseName));
    // They count from the first daemon.
    await until(() => db.number('SELECT count(*) AS value FROM self_test_schedules'), is(all.length));
    await restart(daily, 'SIGTERM', async () => {
      await db.run('UPDATE self_test_schedules SET since = since - 864000');
    });
    await db.close();
    for (const name of all) await reaches(name, 'PASSED');
    const ofGroup = (await events()).filter(
      ({ eventType, source }) => eventType.startsWith('SELF_TEST_') && source.startsWith('rack-'),
    );
    expect(ofGroup.map(({ eventType }) => eventType)).to.deep.equal([
      ...['SELF_TEST_STARTED', 'SELF_TEST_PASSED'],
      ...['SELF_TEST_STARTED', 'SELF_TEST_PASSED'],
    ]);
    await restart(daily);
    for (const name of all) await reaches(name, 'PASSED');
    expect(commands.map((sent) => sent.split(' ')[0])).to.have.members(all);
    expect(await shutdowns()).to.deep.equal([]);
  });

  it('is refused for one member of a group while another is in a test, and ends when that one fails', async () => {
    await start();
    await until(
      () => daemon.status(),
      ({ redundancyGroups }) => redundancyGroups[0]?.healthyCount === members.length,
    );
    const first = await begin('rack-a');
    expect(first.ok ? '' : first.message).to.equal('');
    const other = await begin('rack-b');
    expect(other.ok ? '' : other.message).to.match(/one of a group at a time: rack-a/);
    await reaches('rack-a', 'RUNNING');
    upsd.misbehave({ kind: 'hang' }, 'rack-b');
    await until(() => Promise.resolve(commands), includes('rack-a test.battery.stop'));
    await reaches('rack-a', 'UNKNOWN');
    expect(commands.filter((sent) => sent.includes('stop'))).to.have.length(1);
    expect(await shutdowns()).to.deep.equal([]);
  });

  it('is refused with the reason: not allowed, no such UPS', async () => {
    await start('command = "test.battery.start.deep"');
    const denied = await begin('office');
    expect(denied.ok ? '' : denied.message).to.match(
      /test\.battery\.start\.deep in nut_control\.allowed_commands/,
    );
    const unknown = await begin('nobody');
    expect(unknown.ok ? '' : unknown.message).to.match(/No UPS of this name/);
    expect(commands).to.deep.equal([]);
  });
});
