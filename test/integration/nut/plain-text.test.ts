import { expect } from 'chai';
import { NutClient } from '../../../workers/poller/client.js';
import type { NutAnswer } from '../../../workers/poller/errors.js';
import type { TlsSettings } from '../../../workers/poller/tls.js';
import type { Behaviour, Misbehaving } from '../../fixtures/misbehaving-upsd.js';
import { inTime } from '../../fixtures/in-time.js';
import { goodList, misbehavingUpsd } from '../../fixtures/misbehaving-upsd.js';

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
  async function start(starttls: Behaviour, tls: Partial<TlsSettings> = {}): Promise<void> {
    server = await misbehavingUpsd((line, socket) =>
      (line === 'STARTTLS' ? starttls : goodList)(line, socket),
    );
    const { host, port } = server;
    client = new NutClient({
      ...{ host, port, ups: 'ups', login: null },
      tls: { mode: 'opportunistic', caPem: null, pinSha256: null, client: null, ...tls },
      notice: (message) => notices.push(message),
    });
  }
  const saying =
    (answer: string): Behaviour =>
    (_line, socket) =>
      void socket.write(`${answer}\n`);
  const poll = (limitMs = patientMs): Promise<NutAnswer<unknown>> => client.readVariables(limitMs);
  const list = 'LIST VAR "ups"';

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
        .that.includes(`the server did not start TLS: ${why}`)
        .and.includes(
          '(if every poll fails like this, set nut.tls = "off": the daemon then does not request TLS)',
        );
      expect(server.received).to.deep.equal(['STARTTLS']);
      expect(server.accepted()).to.equal(1);
      expect(notices).to.deep.equal([]);
    });
  }

  it('gets no advice to change nut.tls when TLS is required', async () => {
    await start((_line, socket) => void socket.end(), { mode: 'required' });
    expect(await poll())
      .to.have.nested.property('failure.message')
      .that.does.not.include('nut.tls');
  });
});
