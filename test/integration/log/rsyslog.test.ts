import { expect } from 'chai';
import { record } from '../../workers/log/record.js';
import { skipFor } from '../../fixtures/skip.js';
import { hasAtLeast, until } from '../../fixtures/until.js';
import { Fixture } from './fixture.js';
import { Rsyslogd, rsyslogdIsThere } from './rsyslog.js';

describe('the log in rsyslogd', () => {
  let fixture: Fixture;
  let server: Rsyslogd;
  before(function () {
    skipFor(this, !rsyslogdIsThere() && 'there is no rsyslogd (Debian package rsyslog)');
  });
  beforeEach(async () => {
    fixture = new Fixture();
    server = await Rsyslogd.start();
  });
  afterEach(async () => {
    await fixture.end();
    await server.stop();
  });

  const count = (wanted: number): Promise<unknown> => until(() => server.understood, hasAtLeast(wanted));
  const pid = String(process.pid);
  const said = [
    record({ level: 'error', logger: 'supervisor', message: 'one' }),
    record({ level: 'warning', ups: 'office', message: 'two' }),
    record({ message: 'three\n<0>forged: line' }),
    record({ level: 'debug', message: 'Grüße|vom Akku' }),
  ];
  const understood = (facility: string) =>
    [
      ['err', 'supervisor: one'],
      ['warning', 'policy ups=office: two'],
      ['info', 'policy: three\\n<0>forged: line'],
      ['debug', 'policy: Grüße|vom Akku'],
    ].map(([severity, message]) => ({ facility, severity, program: 'ridethrough', pid, message }));

  it('is parsed correctly from the local socket', async () => {
    const syslog = { address: server.socket, facility: 'local3' };
    const log = await fixture.log({ syslog, level: 'debug' }, fixture.path('stderr'));
    await log.write(said);
    await count(4);
    expect(server.understood).to.deep.equal(understood('local3'));
  });

  it('is parsed correctly over UDP', async () => {
    const syslog = { address: `127.0.0.1:${String(server.port)}`, facility: 'daemon' };
    const log = await fixture.log({ syslog, level: 'debug' }, fixture.path('stderr'));
    await log.write(said);
    await count(4);
    expect(server.understood).to.deep.equal(understood('daemon'));
  });

  it('is never split into two messages', async () => {
    const syslog = { address: `127.0.0.1:${String(server.port)}`, facility: 'daemon' };
    const log = await fixture.log({ syslog }, fixture.path('stderr'));
    await log.write([record({ message: 'ü'.repeat(4000) }), record({ message: 'after' })]);
    await count(2);
    expect(server.understood.map(({ message }) => message.slice(-6))).to.deep.equal([' [cut]', ' after']);
  });

  it('includes what was logged during a restart of rsyslogd', async () => {
    const syslog = { address: server.socket, facility: 'daemon' };
    const log = await fixture.log({ syslog }, fixture.path('stderr'));
    await log.write([record({ message: 'before' })]);
    await count(1);
    await server.end();
    await log.write([record({ message: 'between' })]);
    await log.heartbeat();
    await server.run();
    await log.write([record({ message: 'after' })]);
    await until(
      () => server.understood.map(({ message }) => message),
      (messages) => messages.some((message) => message.endsWith('after')),
    );
    const messages = server.understood.map(({ message }) => message);
    expect(messages).to.include('policy: between');
  });
});
