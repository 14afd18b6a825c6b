// Formats a message as a mail (RFC 5322, MIME): headers safe against injection, and a body in base64.
import type { Message } from '../message.js';

export interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
  readonly hostName: string;
}

/** RFC 2047 allows 75 characters for an encoded word; 45 bytes become 60 characters. */
const bytesPerWord = 45;
/** RFC 2045: lines of base64 have at most 76 characters. */
const base64Line = 76;

/** Lines joined by CRLF, without the final dot. No line of it begins with a dot. */
export function mailText(message: Message, { from, to, hostName }: Envelope): string {
  const body = Buffer.from(`${message.body.replaceAll('\n', '\r\n')}\r\n`).toString('base64');
  return [
    `From: ridethrough <${from}>`,
    `To: ${to.join(',\r\n ')}`,
    `Subject: ${encodedWords(message.title)}`,
    `Date: ${dateOf(message.at)}`,
    // The same at every attempt, so that a mail server recognises a repeated mail.
    `Message-ID: <${message.id.replaceAll(/[^\w.-]/g, '-')}@${hostName.replaceAll(/[^\w.-]/g, '-')}>`,
    // RFC 3834: prevents automatic replies to a daemon.
    'Auto-Submitted: auto-generated',
    ...(message.urgent ? ['X-Priority: 1', 'Importance: high'] : []),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    ...(body.match(new RegExp(`.{1,${String(base64Line)}}`, 'g')) ?? []),
  ].join('\r\n');
}

/** `=?utf-8?B?...?=`, cut between characters and folded. Plain ASCII stays unchanged. */
function encodedWords(text: string): string {
  if (/^[\x20-\x7e]{0,60}$/.test(text) && !text.includes('=?')) return text;
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > bytesPerWord) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  words.push(word);
  return words.map((one) => `=?utf-8?B?${Buffer.from(one).toString('base64')}?=`).join('\r\n ');
}

/** RFC 5322, 3.3, in UTC. */
function dateOf(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toUTCString().replace('GMT', '+0000');
}
