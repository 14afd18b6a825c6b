import { expect } from 'chai';
import type { Certificate } from '../../fixtures/certificates.js';
import { makeCertificate } from '../../fixtures/certificates.js';
import { closeServers } from '../../fixtures/loopback-server.js';
import { until } from '../../fixtures/until.js';
import { deliver, message, verdict } from './delivering.js';
import { startRaw } from './http-server.js';
import type { SmtpBehaviour, SmtpServer } from './smtp-server.js';
import { startSmtp } from './smtp-server.js';

describe('a mail notification', () => {
  let certificate: Certificate;
  const smtp = (behaviour: SmtpBehaviour = {}): Promise<SmtpServer> =>
    startSmtp({ certificate, ...behaviour });
  const address = (server: { readonly port: number }, more = '', scheme = 'mailto', user = ''): string =>
    `${scheme}://${user}127.0.0.1:${String(server.port)}?to=ops@example.org${more}`;

  before(async () => {
    certificate = await makeCertificate();
  });
  afterEach(closeServers);

  it('goes to every recipient, with the configured sender, as plain text', async () => {
    const server = await smtp();
    const outcome = await deliver(address(server, ',boss@example.org&from=ups@example.org'));
    expect(verdict(outcome)).to.equal('delivered');
    const [mail] = server.mails;
    expect(mail).to.deep.include({
      from: 'MAIL FROM:<ups@example.org>',
      to: ['RCPT TO:<ops@example.org>', 'RCPT TO:<boss@example.org>'],
      body: `${message.body.replaceAll('\n', '\r\n')}\r\n`,
    });
    expect(mail?.headers).to.deep.include({
      from: 'ridethrough <ups@example.org>',
      to: 'ops@example.org, boss@example.org',
      subject: 'nas01: On battery',
      date: 'Tue, 14 Nov 2023 22:13:20 +0000',
      'message-id': '<a1b2-7@nas01>',
      'auto-submitted': 'auto-generated',
      importance: 'high',
      'content-type': 'text/plain; charset=utf-8',
    });
    await until(server.connections, (count) => count === 0);
    expect(server.commands.at(-1)).to.equal('QUIT');
  });

  it('has a sender at this host by default', async () => {
    const server = await smtp();
    await deliver(address(server));
    expect(server.mails[0]?.from).to.equal('MAIL FROM:<ridethrough@nas01>');
  });

  for (const [hostName, name] of [
    ['nas01', '[127.0.0.1]'],
    ['büro nas', '[127.0.0.1]'],
    ['nas01.example.org', 'nas01.example.org'],
  ] as const)
    it(`is announced as ${name} by a host with the name ${hostName}`, async () => {
      const server = await smtp();
      await deliver(address(server, '&from=ups@example.org'), { hostName });
      expect(server.commands[0]).to.equal(`EHLO ${name}`);
    });

  it('says what a server says that wants another name, or refuses an address', async () => {
    const helo = '504 5.5.2 <nas01>: Helo command rejected: need fully-qualified hostname';
    const named = await deliver(address(await smtp({ replies: { RCPT: helo } })));
    expect(JSON.stringify(named))
      .to.include(`(SMTP 504 to RCPT): \\"<nas01>: Helo command rejected: need fully-qualified hostname\\"`)
      .and.include('set notifications.mail_host_name');
    const relay =
      '550-5.7.1 Relaying denied.\r\n550 5.7.1 Proper authentication required for ops@example.org';
    const denied = await deliver(address(await smtp({ replies: { RCPT: relay } })));
    expect(JSON.stringify(denied))
      .to.include(
        'for these recipients (SMTP 550 to RCPT): \\"Relaying denied. Proper authentication required',
      )
      .and.not.include('example.org');
  });

  it('keeps title and text inside their header and body', async () => {
    const server = await smtp();
    const nasty = {
      ...message,
      id: 'x>\r\nBcc: all@example.org',
      title: `Büro\r\nBcc: all@example.org ${'ä'.repeat(200)}`,
      body: '.\r\nQUIT\n..\nend',
    };
    await deliver(address(server), { message: nasty });
    expect(server.mails[0]?.headers).to.not.have.property('bcc');
    expect(server.mails[0]?.body).to.contain('.\r\r\nQUIT\r\n..\r\nend');
    const words = server.mails[0]?.headers['subject']?.split(' ') ?? [];
    const text = words.map((word) =>
      Buffer.from(word.replace(/^=\?utf-8\?B\?|\?=$/gi, ''), 'base64').toString('utf8'),
    );
    expect(text.join('')).to.equal(nasty.title.replace('\r\n', ' '));
    expect(words.every((word) => word.length <= 75)).to.equal(true);
  });

  it('is encrypted when the server offers it, with any certificate', async () => {
    const server = await smtp({ offerStartTls: true });
    expect(verdict(await deliver(address(server)))).to.equal('delivered');
    expect(server.mails[0]?.encrypted).to.equal(true);
  });

  it('uses TLS from the first byte with mailtos', async () => {
    const server = await smtp({ implicit: true });
    const outcome = await deliver(address(server, '', 'mailtos'), { ca: certificate.certPem });
    expect(verdict(outcome)).to.equal('delivered');
    expect(server.mails[0]?.encrypted).to.equal(true);
  });

  it('does not go to a server with an untrusted certificate with mailtos', async () => {
    const implicit = await smtp({ implicit: true });
    expect(verdict(await deliver(address(implicit, '', 'mailtos')))).to.equal('TLS_FAILED');
    const upgraded = await smtp({ offerStartTls: true });
    const outcome = await deliver(address(upgraded, '&mode=starttls', 'mailtos'));
    expect(verdict(outcome)).to.equal('TLS_FAILED');
    expect([...implicit.mails, ...upgraded.mails]).to.deep.equal([]);
  });

  it('is not sent in plain text when encryption is required', async () => {
    const server = await smtp();
    const outcome = await deliver(address(server, '&mode=starttls'));
    expect(verdict(outcome)).to.equal('TLS_FAILED');
    expect(server.commands).to.deep.equal(['EHLO [127.0.0.1]', 'STARTTLS']);
  });

  it('discards what the server said before the encryption', async () => {
    const server = await smtp({ offerStartTls: true, injected: '\r\n250 I am your server' });
    expect(verdict(await deliver(address(server)))).to.equal('delivered');
    expect(server.commands.slice(0, 3)).to.deep.equal([
      'EHLO [127.0.0.1]',
      'STARTTLS',
      'TLS EHLO [127.0.0.1]',
    ]);
    expect(server.mails[0]?.encrypted).to.equal(true);
  });

  for (const [way, commands] of [
    ['PLAIN', ['TLS AUTH PLAIN AG1lAHNlY3JldA==']],
    ['LOGIN', ['TLS AUTH LOGIN', 'TLS bWU=', 'TLS c2VjcmV0']],
  ] as const)
    it(`logs in with AUTH ${way} over an encrypted connection`, async () => {
      const server = await smtp({ offerStartTls: true, auth: `CRAM-MD5 ${way}` });
      const url = address(server, '', 'mailto', 'me:secret@');
      expect(verdict(await deliver(url, { ca: certificate.certPem }))).to.equal('delivered');
      expect(server.commands.filter((line) => !/EHLO|STARTTLS|MAIL|RCPT|DATA|QUIT/.test(line))).to.deep.equal(
        [...commands],
      );
    });

  it('sends no password to a server that it cannot verify', async () => {
    const server = await smtp({ offerStartTls: true, auth: 'PLAIN' });
    expect(verdict(await deliver(address(server, '', 'mailto', 'me:secret@')))).to.equal('TLS_FAILED');
    expect(server.commands.join()).to.not.contain('AUTH');
  });

  const faults: readonly (readonly [string, SmtpBehaviour, string])[] = [
    ['a wrong password', { auth: 'PLAIN', replies: { AUTH: '535 5.7.8 no secret' } }, 'DENIED'],
    ['no login at all', { auth: 'CRAM-MD5' }, 'DENIED'],
    ['a mailbox nobody has', { replies: { RCPT: '550 no ops@example.org here' } }, 'WRONG_ADDRESS'],
    ['greylisting', { replies: { RCPT: '451 later' } }, 'BUSY'],
    ['a mail it does not want', { replies: { '.': '554 spam' } }, 'REFUSED'],
    ['no time now', { greeting: '421 too busy' }, 'BUSY'],
    ['no wish to serve', { greeting: '554 go away' }, 'SERVICE_ERROR'],
    ['no SMTP', { greeting: 'SSH-2.0-OpenSSH_9.2' }, 'NOT_UNDERSTOOD'],
    ['words without end', { greeting: `220-${'x'.repeat(20_000)}` }, 'NOT_UNDERSTOOD'],
  ];
  for (const [what, behaviour, expected] of faults)
    it(`maps the answer of the server to a failure: ${what}`, async () => {
      const server = await smtp(behaviour);
      const user = behaviour.auth === undefined ? '' : 'me:secret@';
      const outcome = await deliver(address(server, '', 'mailto', user));
      expect(verdict(outcome)).to.equal(expected);
      expect(JSON.stringify(outcome)).to.not.match(/secret|ops@|c2VjcmV0/);
      await until(server.connections, (count) => count === 0);
    });

  const others = ',gone@example.org,full@example.org';
  const refused = (replies: Readonly<Record<string, string>>): Promise<SmtpServer> =>
    smtp({
      replies: Object.fromEntries(
        Object.entries(replies).map(([who, reply]) => [`RCPT TO:<${who}@example.org>`, reply]),
      ),
    });

  it('reaches the accepted recipients, and reports how many were rejected', async () => {
    const server = await refused({ gone: '550 no gone@example.org here', full: '452 full' });
    const outcome = await deliver(address(server, others));
    expect(server.mails.map(({ to }) => to)).to.deep.equal([['RCPT TO:<ops@example.org>']]);
    expect(outcome).to.have.property('ok', true);
    expect(outcome)
      .to.have.property('warning')
      .that.contains('refused 2 of its 3 recipients (SMTP 452, 550 to');
    expect(JSON.stringify(outcome)).to.not.contain('example.org');
  });

  for (const [what, replies, expected] of [
    ['all are refused for good', { ops: '550 no', gone: '550 no', full: '552 no' }, 'WRONG_ADDRESS'],
    [
      'all are refused, one of them only for now',
      { ops: '550 no', gone: '550 no', full: '422 full' },
      'BUSY',
    ],
    ['the server ends the conversation meanwhile', { gone: '421 closing' }, 'BUSY'],
  ] as const)
    it(`is not sent when ${what}`, async () => {
      const server = await refused(replies);
      expect(verdict(await deliver(address(server, others)))).to.equal(expected);
      expect(server.mails).to.deep.equal([]);
    });

  it('waits for the final answer, without which it is not delivered', async () => {
    const server = await smtp({ replies: { '.': '' } });
    expect(verdict(await deliver(address(server), { withinMs: 200 }))).to.equal('given up');
    await until(server.connections, (count) => count === 0);
  });

  it('is delivered even if the server does not answer QUIT', async () => {
    const server = await smtp({ replies: { QUIT: '' } });
    expect(verdict(await deliver(address(server)))).to.equal('delivered');
    await until(server.connections, (count) => count === 0);
  });

  for (const [what, meet] of [
    ['hangs', (socket) => socket.resume()],
    [
      'answers byte by byte',
      (socket) => {
        const timer = setInterval(() => socket.write('2'), 20);
        socket.resume().once('close', () => clearInterval(timer));
      },
    ],
  ] as readonly (readonly [string, Parameters<typeof startRaw>[0]])[])
    it(`is given up when the server ${what}`, async () => {
      const server = await startRaw(meet);
      expect(verdict(await deliver(address(server), { withinMs: 150 }))).to.be.oneOf([
        'given up',
        'NOT_UNDERSTOOD',
      ]);
      await until(server.connections, (count) => count === 0);
    });

  it('reports that the server closed the connection', async () => {
    const server = await startRaw((socket) => socket.destroy());
    expect(verdict(await deliver(address(server)))).to.equal('UNREACHABLE');
  });
});
