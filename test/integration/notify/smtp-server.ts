// A mail server on loopback that can reject, hang and misbehave.
import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { createServer as createSecureServer, TLSSocket } from 'node:tls';
import type { Certificate } from '../../fixtures/certificates.js';
import type { LoopbackServer } from '../../fixtures/loopback-server.js';
import { onLoopback } from '../../fixtures/loopback-server.js';

export interface SmtpBehaviour {
  readonly certificate?: Certificate;
  /** TLS from the first byte. */
  readonly implicit?: boolean;
  readonly offerStartTls?: boolean;
  readonly auth?: string;
  readonly greeting?: string;
  /** Replies by command or by its first word; '' hangs. */
  readonly replies?: Readonly<Record<string, string>>;
  /** Sent together with the reply to STARTTLS, in plain text. */
  readonly injected?: string;
}

export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Its lines as they were sent. */
  readonly lines: readonly string[];
  readonly encrypted: boolean;
}

export interface SmtpServer extends LoopbackServer {
  readonly mails: readonly Mail[];
  readonly commands: readonly string[];
}

export async function startSmtp(behaviour: SmtpBehaviour = {}): Promise<SmtpServer> {
  const mails: Mail[] = [];
  const commands: string[] = [];
  const { certificate, implicit } = behaviour;
  const tls = certificate === undefined ? {} : { key: certificate.keyPem, cert: certificate.certPem };
  const meet = (socket: Socket): void => {
    socket.on('error', () => undefined);
    socket.write(`${behaviour.greeting ?? '220 mail.test ESMTP'}\r\n`);
    converse(socket, implicit === true);
  };
  const converse = (socket: Socket, encrypted: boolean): void => {
    let received = '';
    let letter: string[] | undefined;
    let from = '';
    let to: string[] = [];
    let awaiting = 0;
    const say = (text: string): void => void socket.write(`${text}\r\n`);
    const usual = (word: string): string => {
      switch (word) {
        case 'EHLO': {
          const offers = [
            'mail.test',
            'PIPELINING',
            ...(behaviour.offerStartTls === true && !encrypted ? ['STARTTLS'] : []),
            ...(behaviour.auth === undefined ? [] : [`AUTH ${behaviour.auth}`]),
            '8BITMIME',
          ];
          return offers.map((text, i) => `250${i === offers.length - 1 ? ' ' : '-'}${text}`).join('\r\n');
        }
        case 'STARTTLS':
          return `220 go ahead${behaviour.injected ?? ''}`;
        case 'DATA':
          return to.length > 0 ? '354 go ahead' : '554 no valid recipients';
        case 'AUTH':
          return '235 welcome';
        case 'QUIT':
          return '221 bye';
        default:
          return '250 ok';
      }
    };
    const hear = (line: string): void => {
      if (letter !== undefined) {
        if (line !== '.') {
          letter.push(line);
          return;
        }
        const reply = behaviour.replies?.['.'] ?? '250 queued';
        if (reply.startsWith('2')) mails.push({ ...parsed(letter), from, to, encrypted });
        letter = undefined;
        if (reply !== '') say(reply);
        return;
      }
      commands.push(`${encrypted ? 'TLS ' : ''}${line}`);
      if (awaiting > 0) {
        awaiting -= 1;
        say(awaiting > 0 ? '334 UGFzc3dvcmQ6' : '235 welcome');
        return;
      }
      const word = (line.split(' ')[0] ?? '').toUpperCase();
      const told = behaviour.replies?.[line] ?? behaviour.replies?.[word];
      const reply = told ?? (line === 'AUTH LOGIN' ? '334 VXNlcm5hbWU6' : usual(word));
      if (reply === '') return;
      say(reply);
      if (reply.startsWith('334')) awaiting = 2;
      if (word === 'MAIL') from = line;
      if (word === 'RCPT' && reply.startsWith('2')) to = [...to, line];
      if (word === 'DATA' && reply.startsWith('354')) letter = [];
      if (word === 'QUIT') socket.end();
      if (word === 'STARTTLS' && reply.startsWith('220')) {
        socket.removeAllListeners('data');
        const secured = new TLSSocket(socket, { isServer: true, ...tls });
        secured.on('error', () => undefined);
        converse(secured, true);
      }
    };
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('utf8');
      for (let end = received.indexOf('\r\n'); end >= 0; end = received.indexOf('\r\n')) {
        const line = received.slice(0, end);
        received = received.slice(end + 2);
        hear(line);
      }
    });
  };
  const server = implicit === true ? createSecureServer(tls, meet) : createServer(meet);
  return { ...(await onLoopback(server)), mails, commands };
}

function parsed(lines: readonly string[]): Pick<Mail, 'headers' | 'body' | 'lines'> {
  const end = lines.indexOf('');
  const unfolded = lines.slice(0, end).join('\r\n').replaceAll('\r\n ', ' ').split('\r\n');
  const headers = Object.fromEntries(
    unfolded.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 2),
    ]),
  );
  return { headers, lines, body: Buffer.from(lines.slice(end).join(''), 'base64').toString('utf8') };
}
