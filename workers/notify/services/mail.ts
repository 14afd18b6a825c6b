// Delivers one message by SMTP: one connection, one attempt. Of a reply it repeats a sentence, without addresses.
import { connect, isIP } from 'node:net';
import { once } from 'node:events';
import { checkServerIdentity } from 'node:tls';
import type { ConnectionOptions } from 'node:tls';
import { promisify } from 'node:util';
import type { NodemailerError } from 'nodemailer';
import type { SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection';
import type { MailAddress } from '../../../shared/domain/services/mail-address.js';
import { isLoopback } from '../../../shared/runtime/loopback.js';
import type { Message } from '../message.js';
import type { SendOutcome } from './outcome.js';
import { failureOf, networkFault } from './outcome.js';
import type { Network } from './network.js';
import type { MaskedWords } from './own-words.js';
import { ownWords } from './own-words.js';

/** RFC 5321 allows 512 bytes a line; twenty extensions are many. */
const maxReplyBytes = 16_384;
/** How long a server may take to answer QUIT, and then to close. */
const closeTimeoutMs = 500;

/** One attempt; the signal ends it at any point. A message is delivered when the server has answered its final dot. */
export async function mail(
  address: MailAddress,
  message: Message,
  network: Network & { readonly secrets: MaskedWords },
  signal: AbortSignal,
): Promise<SendOutcome> {
  // Loaded for the first mail: it costs 9 MB of memory.
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection');
  const { host, port, login, security } = address;
  const socket = connect({ host, port, lookup: network.lookup, signal });
  try {
    await once(socket, 'connect', { signal });
  } catch (error) {
    socket.destroy();
    return networkFault(error);
  }
  const connection = new SMTPConnection({
    host,
    connection: socket,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    name: ehloName(network.hostName, socket.localAddress ?? '127.0.0.1'),
    // Without a password and without a setting that requires TLS, TLS to an unverified server is better than plain text.
    tls: tlsOptions(host, network.ca, security !== 'opportunistic' || login !== null),
    maxResponseSize: maxReplyBytes,
    socketCloseTimeout: closeTimeoutMs,
  });
  const broken = new Promise<never>((_, reject) => {
    connection.on('error', reject);
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
  });
  broken.catch(() => undefined);
  const within = <T>(start: (done: (error?: Error | null, result?: T) => void) => void) =>
    Promise.race([promisify(start)(), broken]);
  try {
    await within<void>((done) => connection.connect(done));
    if (login !== null) {
      if (!connection.secure && !isLoopback(host)) throw unencrypted;
      const auth = { user: login.user, pass: login.password };
      await within<boolean>((done) => connection.login(auth, done));
    }
    const from = address.from ?? `ridethrough@${network.hostName}`;
    const text = await compose(message, from, address.to, network.hostName);
    const envelope = { from, to: [...address.to] };
    const sent = await within<SMTPConnectionSendInfo>((done) => connection.send(envelope, text, done));
    connection.quit();
    const closing = setTimeout(() => connection.close(), closeTimeoutMs);
    connection.once('end', () => clearTimeout(closing));
    return {
      ok: true,
      warning: refusedRecipients(sent?.rejectedErrors ?? [], address.to.length, network.secrets),
    };
  } catch (error) {
    connection.close();
    socket.destroy();
    return error === unencrypted ? noEncryption : outcomeOf(error, network.secrets);
  }
}

/** A host whose name has no domain gives the literal of its address (RFC 5321, 4.1.1.1); many servers refuse a bare name. */
function ehloName(hostName: string, localAddress: string): string {
  if (/^[\w-]+(?:\.[\w-]+)+$/.test(hostName)) return hostName;
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return isIP(address) === 6 ? `[IPv6:${address}]` : `[${address}]`;
}

const unencrypted = new Error('no encryption');
const noEncryption = failureOf(
  'TLS_FAILED',
  'it offers no encryption, and the password is not sent unencrypted; use mailtos://, or an address without a password',
);

async function compose(
  message: Message,
  from: string,
  to: readonly string[],
  hostName: string,
): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const safe = (text: string): string => text.replaceAll(/[^\w.-]/g, '-');
  const node = new MailComposer({
    from: { name: 'ridethrough', address: from },
    to: to.map((recipient) => ({ name: '', address: recipient })),
    subject: message.title,
    date: new Date(message.at * 1000),
    // The same at every attempt, so that a mail server recognises a repeated message.
    messageId: `<${safe(message.id)}@${safe(hostName)}>`,
    // RFC 3834: no automatic reply to a daemon.
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(message.urgent ? { 'X-Priority': '1', Importance: 'high' } : {}),
    },
    text: {
      content: `${message.body.replaceAll('\n', '\r\n')}\r\n`,
      contentType: 'text/plain; charset=utf-8',
      contentTransferEncoding: 'base64',
    },
    ...(message.html === undefined
      ? {}
      : {
          html: {
            content: message.html,
            contentType: 'text/html; charset=utf-8',
            contentTransferEncoding: 'base64',
          },
        }),
    textEncoding: 'base64',
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  return node.build();
}

type SmtpError = Pick<NodemailerError, 'code' | 'originalCode' | 'response' | 'responseCode' | 'command'>;

const faults: Readonly<Record<string, SendOutcome>> = {
  ETLS: failureOf('TLS_FAILED', 'it offers no STARTTLS, which its address asks for, or its TLS fails'),
  EPROTOCOL: failureOf('NOT_UNDERSTOOD', 'the server does not speak SMTP; check the address'),
  EAUTH: failureOf('DENIED', 'it offers no login by password; remove the password'),
  ECONNECTION: networkFault(Object.assign(new Error(), { code: 'ECONNRESET' })),
};

function outcomeOf(error: unknown, secrets: MaskedWords): SendOutcome {
  const { code, originalCode, response, responseCode, command } = error as SmtpError;
  if (responseCode !== undefined && code !== 'ETLS')
    return refusal(responseCode, steps[command ?? ''] ?? command ?? 'AUTH', replyWords(response, secrets));
  if (originalCode !== undefined) return networkFault(Object.assign(new Error(), { code: originalCode }));
  return faults[code ?? ''] ?? networkFault(error);
}

const connecting = 'the connection';
const steps: Readonly<Record<string, string>> = { CONN: connecting, 'MAIL FROM': 'MAIL', 'RCPT TO': 'RCPT' };

/** The text of a reply without its codes: `504 5.5.2 <nas>: Helo command rejected`. */
function replyWords(response: string | undefined, secrets: MaskedWords): string {
  return ownWords((response ?? '').replaceAll(/^\d{3}[ -](?:\d\.\d{1,3}\.\d{1,3} )?/gm, ''), secrets);
}

/** Replies of 4xx are temporary, of 5xx permanent (RFC 5321, 4.2.1). */
function refusal(code: number, step: string, words: string): SendOutcome {
  const isTemporary = code >= 400 && code < 500;
  const reply = `(SMTP ${String(code)} to ${step.startsWith('AUTH') ? 'AUTH' : step})${words}`;
  // Said at RCPT too (smtpd_delay_reject of Postfix).
  if (/\b(?:helo|ehlo)\b/i.test(words))
    return failureOf(
      isTemporary ? 'BUSY' : 'REFUSED',
      `it refuses the name that this host gives ${reply}; set notifications.mail_host_name to a name with a domain`,
    );
  if (code === 535 || code === 534 || code === 530 || (step.startsWith('AUTH') && !isTemporary))
    return failureOf('DENIED', `it refuses the login ${reply}; correct user and password in the address`);
  if (code === 421 || code === 450 || code === 451 || code === 452 || (isTemporary && step === 'RCPT'))
    return failureOf('BUSY', `it accepts no mail now ${reply}`);
  if (code >= 500 && (step === 'MAIL' || step === 'RCPT'))
    return failureOf(
      'WRONG_ADDRESS',
      `it does not accept mail ${step === 'MAIL' ? 'from this sender' : 'for these recipients'} ${reply}; correct what it names`,
    );
  if (code >= 500 && step !== connecting)
    return failureOf('REFUSED', `it does not accept this message ${reply}`);
  return failureOf('SERVICE_ERROR', `it failed ${reply}`);
}

/** Never sends the message to them again: the other recipients would get it twice. */
function refusedRecipients(refusals: readonly SmtpError[], of: number, secrets: MaskedWords): string | null {
  if (refusals.length === 0) return null;
  const codes = [...new Set(refusals.map(({ responseCode }) => responseCode))].sort().join(', ');
  const what = `the mail server refused ${String(refusals.length)} of its ${String(of)} recipients (SMTP ${codes} to RCPT)${replyWords(refusals[0]?.response, secrets)}`;
  const advice =
    'correct or remove an address that it refuses permanently (5xx), and check the mailbox that it refuses for now (4xx)';
  return `${what}, and the daemon does not send it to them again: ${advice}`;
}

function tlsOptions(host: string, ca: string | undefined, verified: boolean): ConnectionOptions {
  return {
    // An address is no server name (RFC 6066), but the certificate must be issued for it.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
    ...(ca === undefined ? {} : { ca }),
    rejectUnauthorized: verified,
  };
}
