// Reads or generates a new password: typed twice without echo, from standard input, or random. Never from the arguments,
// which every user of the machine can read.
import { randomBytes } from 'node:crypto';
import { maxPasswordLength, minPasswordLength } from '../../../workers/api/auth/auth-store/password.js';
import { TerminalQuestions } from '../terminal/questions.js';
import { UsageError } from '../usage.js';

export const passwordOptions = {
  'password-stdin': { type: 'boolean', default: false },
  generate: { type: 'boolean', default: false },
} as const;

export interface PasswordChoice {
  readonly 'password-stdin': boolean;
  readonly generate: boolean;
}

export type Entered =
  | { readonly ok: true; readonly password: string; readonly generated: boolean }
  | { readonly ok: false; readonly message: string };

/** At most four bytes for each character, and a line break. */
const maxBytes = maxPasswordLength * 4 + 2;
/** 144 bits in 24 characters. */
const generatedBytes = 18;

/** Throws UsageError for contradicting options, and without a terminal for the prompt. */
export function checkChoice(choice: PasswordChoice): void {
  if (choice.generate && choice['password-stdin'])
    throw new UsageError('--generate and --password-stdin exclude each other');
  if (!choice.generate && !choice['password-stdin'] && !process.stdin.isTTY)
    throw new UsageError('there is no terminal to ask for the password; use --password-stdin or --generate');
}

export async function enterPassword(choice: PasswordChoice, name: string): Promise<Entered> {
  if (choice.generate)
    return { ok: true, password: randomBytes(generatedBytes).toString('base64url'), generated: true };
  const password = choice['password-stdin'] ? await fromStandardInput() : await askTwice(name);
  if (password === null) return refusal('the password is empty; nothing was changed');
  if (password === undefined) return refusal('the two passwords differ; nothing was changed');
  const length = [...password].length;
  if (length < minPasswordLength)
    return refusal(`a password has at least ${String(minPasswordLength)} characters; nothing was changed`);
  if (password.length > maxPasswordLength)
    return refusal(`a password has at most ${String(maxPasswordLength)} characters; nothing was changed`);
  if (/[\r\n\0]/.test(password)) return refusal('a password is one line of text; nothing was changed');
  // Decoded from bytes that are not UTF-8: no login could send the same.
  if (password.includes('\ufffd')) return refusal('the password is not UTF-8 text; nothing was changed');
  return { ok: true, password, generated: false };
}

function refusal(message: string): Entered {
  return { ok: false, message };
}

/** All of standard input, without the line break at its end. */
async function fromStandardInput(): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > maxBytes) break;
  }
  return bytes === 0
    ? null
    : Buffer.concat(chunks)
        .toString('utf8')
        .replace(/\r?\n$/, '');
}

/** Null when the user aborts, undefined when the two entries differ. */
async function askTwice(name: string): Promise<string | null | undefined> {
  const questions = new TerminalQuestions();
  try {
    const first = await questions.askHidden(`New password for ${name}: `);
    if (first === null) return null;
    // Too short: refused without the second entry.
    if ([...first].length < minPasswordLength) return first;
    const second = await questions.askHidden('Again: ');
    if (second === null) return null;
    return first === second ? first : undefined;
  } finally {
    questions.close();
  }
}
