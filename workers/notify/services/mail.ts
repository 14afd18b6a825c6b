// Delivers one message by SMTP (RFC 5321): greeting, STARTTLS, login, envelope, text. No library: this dialogue is short,
// and a library would add queues and schedules of its own.
import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import type { ConnectionOptions } from 'node:tls';
import { isLoopback } from '../../../shared/runtime/loopback.js';
import type { MailAddress } from '../../../shared/domain/mail-address.js';
import type { Message } from '../message.js';
import { mailText } from './mail-text.js';
import type { SendOutcome } from './outcome.js';
import { failed, networkFault } from './outcome.js';
import type { Outside } from './outside.js';
import { SmtpLine, SmtpRefusal } from './smtp-line.js';

/** RFC 5321, 4.2.3: the server closes the connection. */
const closing = 421;

/**
 * One attempt, ended by the signal at any point. A message is delivered when its final dot was answered and the server has
 * accepted at least one recipient.
 */
export async function mail(
  address: MailAddress,
  message: Message,
  outside: Outside,
  signal: AbortSignal,
): Promise<SendOutcome> {
  let line: SmtpLine | undefined;
  try {
    line = await SmtpLine.open(
      { host: address.host, port: address.port, lookup: outside.lookup },
      address.security === 'tls' ? tlsOptions(address, outside, true) : null,
      signal,
    );
    const warning = await converse(line, address, message, outside);
    line.say('QUIT');
    return { ok: true, warning };
  } catch (error) {
    return error instanceof SmtpRefusal ? error.outcome : networkFault(error);
  } finally {
    line?.end();
  }
}

/** Returns a warning about a delivered message, or null. */
async function converse(
  line: SmtpLine,
  address: MailAddress,
  message: Message,
  outside: Outside,
): Promise<string | null> {
  await line.greeted();
  let offers = await hello(line, outside);
  if (address.security !== 'tls' && (offers.has('STARTTLS') || address.security === 'starttls')) {
    if (!offers.has('STARTTLS'))
      throw new SmtpRefusal(failed('TLS_FAILED', 'it offers no STARTTLS, which its address requires'));
    await line.ask('STARTTLS', 'STARTTLS', 220);
    // Without a password, and where TLS is not required, unverified encryption is better than none.
    const verified = address.security === 'starttls' || address.login !== null;
    await line.secure(tlsOptions(address, outside, verified));
    offers = await hello(line, outside);
  }
  if (address.login !== null) await logIn(line, address.login, offers, address.host);
  const from = address.from ?? `ridethrough@${outside.hostName}`;
  await line.ask(`MAIL FROM:<${from}>`, 'MAIL', 250);
  const refusals = await recipients(line, address.to);
  await line.ask('DATA', 'DATA', 354);
  const text = mailText(message, { from, to: address.to, hostName: outside.hostName });
  await line.ask(`${text}\r\n.`, 'the text', 250);
  return refusals.length === 0 ? null : missed(refusals, address.to.length);
}

/**
 * Sends the recipients; returns the codes of those that the server refuses. A refused recipient does not affect the
 * others. When all are refused, a temporary refusal (4xx) makes another attempt useful.
 */
async function recipients(line: SmtpLine, to: readonly string[]): Promise<readonly number[]> {
  const refused: { readonly code: number; readonly refusal: SmtpRefusal }[] = [];
  for (const one of to) {
    try {
      await line.ask(`RCPT TO:<${one}>`, 'RCPT', 250, 251);
    } catch (error) {
      if (!(error instanceof SmtpRefusal) || error.code === null || error.code === closing) throw error;
      refused.push({ code: error.code, refusal: error });
    }
  }
  const [first] = refused;
  if (first !== undefined && refused.length === to.length)
    throw (refused.find(({ code }) => code < 500) ?? first).refusal;
  return refused.map(({ code }) => code);
}

/** The message is not repeated for refused recipients: the others would get it twice. */
function missed(codes: readonly number[], of: number): string {
  const said = [...new Set(codes)].sort().join(', ');
  const how = `the mail server refused ${String(codes.length)} of its ${String(of)} recipients (SMTP ${said} to RCPT)`;
  const advice =
    'correct or remove an address that it refuses permanently (5xx); check the mailbox of one that it refuses temporarily (4xx)';
  return `${how}; they do not get this message later: ${advice}`;
}

/** The extensions of the server, in upper case, each with its parameters. */
async function hello(line: SmtpLine, { hostName }: Outside): Promise<ReadonlyMap<string, string>> {
  const lines = await line.ask(`EHLO ${/^[\w.-]+$/.test(hostName) ? hostName : 'localhost'}`, 'EHLO', 250);
  return new Map(
    lines.slice(1).map((text) => {
      const [word = '', ...more] = text.toUpperCase().split(/[ =]/);
      return [word, more.join(' ')];
    }),
  );
}

async function logIn(
  line: SmtpLine,
  { user, password }: NonNullable<MailAddress['login']>,
  offers: ReadonlyMap<string, string>,
  host: string,
): Promise<void> {
  if (!line.encrypted && !isLoopback(host)) {
    const advice = 'the password is not sent in cleartext; use mailtos://, or an address without a password';
    throw new SmtpRefusal(failed('TLS_FAILED', `it offers no encryption, and ${advice}`));
  }
  const ways = (offers.get('AUTH') ?? '').split(' ');
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  if (ways.includes('PLAIN')) {
    await line.ask(`AUTH PLAIN ${encoded(`\0${user}\0${password}`)}`, 'AUTH', 235);
  } else if (ways.includes('LOGIN')) {
    await line.ask('AUTH LOGIN', 'AUTH', 334);
    await line.ask(encoded(user), 'AUTH', 334);
    await line.ask(encoded(password), 'AUTH', 235);
  } else {
    throw new SmtpRefusal(
      failed('DENIED', 'it offers no login by password (AUTH PLAIN or LOGIN); leave the password out'),
    );
  }
}

function tlsOptions({ host }: MailAddress, { ca }: Outside, verified: boolean): ConnectionOptions {
  return {
    // An IP address is not a server name (RFC 6066), but the certificate must be for it.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
    ...(ca === undefined ? {} : { ca }),
    rejectUnauthorized: verified,
  };
}
