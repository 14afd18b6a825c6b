import { expect } from 'chai';
import type { ClientOptions } from '../../../workers/poller/session/client.js';
import { NutClient } from '../../../workers/poller/session/client.js';
import type { NutAnswer } from '../../../workers/poller/wire/errors.js';
import type { TlsSettings } from '../../../workers/poller/wire/tls.js';
import type { Behaviour, Misbehaving } from '../../fixtures/misbehaving-upsd.js';
import { makeCertificate } from '../../fixtures/certificates.js';
import { inTime } from '../../fixtures/in-time.js';
import { goodList, misbehavingUpsd, overTls } from '../../fixtures/misbehaving-upsd.js';

/** For the server that stays silent. The others have the time of a busy machine. */
const deadlineMs = 400;
const patientMs = 20_000;
/** A poll that exceeds its deadline by more than this was stuck, not late. */
const lateMs = 400;

describe('a server without TLS', () => {
  let server: Misbehaving;
  let client: NutClient;
  const notices: string[] = [];
  afterEach(async () => {
    notices.length = 0;
    client.close();
    await server.stop();
  });
  /** `starttls`: the answer to STARTTLS; everything else is answered correctly. */
  async function start(
    starttls: Behaviour,
    tls: Partial<TlsSettings> = {},
    more: Partial<ClientOptions> = {},
    list = goodList,
  ): Promise<void> {
    server = await misbehavingUpsd((line, socket) => (line === 'STARTTLS' ? starttls : list)(line, socket));
    const { host, port } = server;
    client = new NutClient({
      ...{ host, port, ups: 'ups', login: null, ...more },
      tls: { mode: 'opportunistic', caPem: null, pinSha256: null, client: null, ...tls },
      notice: (message) => notices.push(message),
    });
  }
  const saying =
    (answer: string): Behaviour =>
    (_line, socket) =>
      void socket.write(`${answer}\n`);
  const poll = (limitMs = patientMs): Promise<NutAnswer<unknown>> => client.readVariables(limitMs);
  const list = 'LIST VAR ups';

  for (const refusal of [
    'ERR FEATURE-NOT-CONFIGURED',
    'ERR FEATURE-NOT-SUPPORTED',
    'ERR UNKNOWN-COMMAND',
    'ERR TLS-NOT-ENABLED',
    'ERR ACCESS-DENIED no TLS for you',
    'ERR SOMETHING-NEW',
    'ERR',
  ]) {
    it(`is read in plain text when it answers ${refusal}, is asked once, and is logged once`, async () => {
      await start(saying(refusal));
      expect(await poll()).to.have.property('ok', true);
      client.disconnect();
      expect(await poll()).to.have.property('ok', true);
      expect(server.received).to.deep.equal(['STARTTLS', list, list]);
      expect(notices).to.deep.equal([
        `the server refuses TLS (${refusal}): the connection continues in plain text`,
      ]);
    });
  }

  it('is not read when it rejects STARTTLS and TLS is required', async () => {
    await start(saying('ERR SOMETHING-NEW'), { mode: 'required' });
    expect(await poll()).to.deep.nested.include({
      'failure.detail': 'TLS_FAILED',
      'failure.message':
        'the server refuses TLS (ERR SOMETHING-NEW), which nut.tls requires: install a certificate on it; ' +
        'with nut.tls = "opportunistic" the daemon would read it in plain text',
    });
    expect(server.received).to.deep.equal(['STARTTLS']);
    expect(notices).to.deep.equal([]);
  });

  for (const [what, starttls, detail, why] of [
    ['hangs up', (_line, socket) => void socket.end(), 'SERVER_DOWN', 'the server closed the connection'],
    ['stays silent', () => undefined, 'TIMEOUT', 'the server did not answer within 400 ms'],
  ] as const satisfies readonly (readonly [string, Behaviour, string, string])[]) {
    it(`is not read when it ${what} in answer to STARTTLS, and the error names the remedy`, async () => {
      await start(starttls);
      const answer = await inTime(deadlineMs + lateMs, poll(detail === 'TIMEOUT' ? deadlineMs : patientMs));
      expect(answer).to.have.nested.property('failure.detail', detail);
      expect(answer)
        .to.have.nested.property('failure.message')
        .that.includes(`the server did not start TLS (the daemon speaks TLS 1.0 to 1.3): ${why}`)
        .and.includes('(if every poll fails like this: set nut.tls = "off"');
      expect(server.received).to.deep.equal(['STARTTLS']);
      expect(server.accepted()).to.equal(1);
    });
  }

  for (const [line, shown] of [
    ['', 'an empty line'],
    ['UNKNOWN COMMAND', '"UNKNOWN COMMAND"'],
    ['Unknown command "STARTTLS', JSON.stringify('Unknown command "STARTTLS')],
  ] as const) {
    const what = `the server answered STARTTLS with ${shown}, neither OK STARTTLS nor an ERR`;

    it(`is read in plain text when it answers ${shown}`, async () => {
      await start(saying(line));
      expect(await poll()).to.have.property('ok', true);
      client.disconnect();
      expect(await poll()).to.have.property('ok', true);
      expect(server.received).to.deep.equal(['STARTTLS', list, list]);
      expect(notices).to.deep.equal([
        `${what}: it counts as a server without TLS, and the connection continues in plain text`,
      ]);
    });

    it(`gets no password of nut_control when it answers ${shown}`, async () => {
      const login = { username: 'admin', password: 'secret' };
      const closed: Behaviour = (_line, socket) => void socket.write('ERR ACCESS-DENIED\n');
      await start(saying(line), {}, { login, tracks: true });
      expect(await client.runCommand('beeper.mute', null, patientMs))
        .to.have.nested.property('failure.message')
        .that.includes(`${what}: the password of nut_control is not sent to it in plain text`);
      expect(server.received).to.deep.equal(['STARTTLS']);
      client.close();
      await server.stop();
      await start(saying(line), {}, { loginIfRefused: login }, closed);
      expect(await poll()).to.have.nested.property('failure.detail', 'ACCESS_DENIED');
      expect(server.received).to.deep.equal(['STARTTLS', list]);
    });
  }

  it('is read when it ends the connection after each answer, that to STARTTLS too', async () => {
    const once =
      (behaviour: Behaviour): Behaviour =>
      (line, socket) => {
        behaviour(line, socket);
        socket.end();
      };
    await start(once(saying('ERR UNKNOWN-COMMAND')), {}, {}, once(goodList));
    for (let i = 0; i < 3; i += 1) expect(await poll()).to.have.property('ok', true);
    expect(server.received.filter((line) => line !== list)).to.deep.equal(['STARTTLS']);
  });

  describe('that is silent at STARTTLS', () => {
    const silent: Behaviour = () => undefined;

    it('fails one poll, and is read in plain text from the next on', async () => {
      await start(silent);
      expect(await poll(deadlineMs)).to.have.nested.property('failure.detail', 'TIMEOUT');
      expect(await poll()).to.have.property('ok', true);
      client.disconnect();
      expect(await poll()).to.have.property('ok', true);
      expect(server.received).to.deep.equal(['STARTTLS', list, list]);
      expect(notices).to.have.length(1);
    });

    for (const [what, tls, more] of [
      ['a CA is configured', { caPem: 'x' }, {}],
      ['a pin is configured', { pinSha256: 'x' }, {}],
      ['TLS is required', { mode: 'required' }, {}],
      ['a password would be sent', {}, { login: { username: 'a', password: 'b' } }],
    ] as const)
      it(`is not read where ${what}`, async () => {
        await start(silent, tls, more);
        for (let i = 0; i < 2; i += 1)
          expect(await poll(deadlineMs)).to.have.nested.property('failure.detail', 'TIMEOUT');
        expect(server.received).to.deep.equal(['STARTTLS', 'STARTTLS']);
      });

    it('and at every other request, hangs: it is asked for TLS again', async () => {
      await start(silent, {}, {}, silent);
      for (let i = 0; i < 3; i += 1) await poll(deadlineMs);
      expect(server.received).to.deep.equal(['STARTTLS', list, 'STARTTLS']);
    });

    it('and has begun TLS before, is not read in plain text', async () => {
      const certificate = await makeCertificate();
      const answers = [overTls(certificate, goodList), silent, silent];
      await start((line, socket) => answers.shift()?.(line, socket));
      expect(await poll()).to.have.property('ok', true);
      client.disconnect();
      for (let i = 0; i < 2; i += 1)
        expect(await poll(deadlineMs)).to.have.nested.property('failure.detail', 'TIMEOUT');
      expect(server.received).to.deep.equal(['STARTTLS', 'STARTTLS', 'STARTTLS']);
    });
  });

  it('says once how many rows of its answers cannot be read, with the first', async () => {
    const bad: Behaviour = (_line, socket) =>
      void socket.write(
        'BEGIN LIST VAR ups\nVAR ups a "b\nVAR ups ups.status OL CHRG\nVAR ups c\nEND LIST VAR ups\n',
      );
    await start(saying('ERR'), {}, {}, bad);
    for (let i = 0; i < 2; i += 1)
      expect(await poll()).to.deep.equal({ ok: true, value: { 'ups.status': 'OL CHRG' } });
    expect(notices.slice(1)).to.deep.equal([
      'rows in the answer of the server that cannot be read, whose values are missing: 2; the first is "VAR ups a \\"b"',
    ]);
  });

  it('gets no advice to change nut.tls when TLS is required', async () => {
    await start((_line, socket) => void socket.end(), { mode: 'required' });
    expect(await poll())
      .to.have.nested.property('failure.message')
      .that.does.not.include('nut.tls');
  });
});
