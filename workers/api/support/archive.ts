// What is in the support archive (specification/support.md). Everything is what an answer of the API shows, or the log: this
// process has no secret of the configuration. Commands of a plan are left out as for anonymous callers.
import { release } from 'node:os';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { PublishedUps } from '../../../shared/protocol/api.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import { ApiProblem } from '../http/problem.js';
import type { ArchiveFile } from './tar.js';
import { tar, tarredBytes } from './tar.js';

export const maxArchiveBytes = 20 * 1024 * 1024;
/** Room for the last small files, and for the end of the archive. */
const reservedBytes = 256 * 1024;
/** UPSes whose details are asked of the supervisor after this time have only their row. */
const askWithinMs = 20_000;
const upsesAtOnce = 4;

export interface ArchiveParts {
  readonly version: string;
  readonly unixSeconds: number;
  readonly monotonicMs: () => number;
  /** Each rejects with a Problem, whose message is then its content. */
  readonly reads: Readonly<Record<string, () => unknown>>;
  readonly upses: readonly PublishedUps[];
  readonly detailsOf: (ups: PublishedUps) => Promise<object>;
  readonly logTail: () => Promise<Outcome<{ readonly lines: readonly string[] }>>;
}

/** A tar.gz of at most 20 MB before it is compressed. */
export async function supportArchive(parts: ArchiveParts): Promise<Buffer> {
  const files: ArchiveFile[] = [];
  const leftOut: string[] = [];
  let bytes = reservedBytes;
  const add = (name: string, text: string): void => {
    const file = { name: `ridethrough-support/${name}`, content: Buffer.from(text) };
    if (bytes + tarredBytes(file) > maxArchiveBytes) {
      leftOut.push(name);
      return;
    }
    bytes += tarredBytes(file);
    files.push(file);
  };
  // The log first: it is what nobody can ask for again.
  const log = await parts.logTail();
  add(
    'log.txt',
    log.ok ? log.value.lines.map((line) => `${line}\n`).join('') : unavailable(log.error.message),
  );
  add('versions.json', pretty(await versions(parts.version)));
  for (const [name, read] of Object.entries(parts.reads)) add(name, await contentOf(read));
  const untilMs = parts.monotonicMs() + askWithinMs;
  for (let first = 0; first < parts.upses.length; first += upsesAtOnce) {
    const some = parts.upses.slice(first, first + upsesAtOnce);
    const late = parts.monotonicMs() > untilMs;
    const texts = await Promise.all(
      some.map((ups) => contentOf(async () => (late ? ups : { ...ups, ...(await parts.detailsOf(ups)) }))),
    );
    for (const [place, { row }] of some.entries())
      add(`ups/${String(first + place + 1)}-${row.groupId.slice(0, 40)}.json`, texts[place] ?? '');
    if (late) leftOut.push(...some.map(({ row }) => `details of ${row.groupId}`));
  }
  add('README.txt', readme(parts, leftOut));
  return promisify(gzip)(tar(files, parts.unixSeconds));
}

async function contentOf(read: () => unknown): Promise<string> {
  try {
    return pretty(await read());
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    return unavailable(error.message);
  }
}

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`;
const unavailable = (why: string): string => `This part could not be had: ${why}\n`;

async function versions(version: string): Promise<object> {
  const system = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return {
    ridethrough: version,
    node: process.versions,
    platform: `${process.platform} ${process.arch}`,
    kernel: release(),
    system: /^PRETTY_NAME="?([^"\n]{0,200})/m.exec(system)?.[1] ?? 'unknown',
  };
}

function readme({ version, unixSeconds }: ArchiveParts, leftOut: readonly string[]): string {
  const missing =
    leftOut.length === 0
      ? 'Nothing was left out.'
      : `Left out, for size or time: ${leftOut.join(', ').slice(0, 100_000)}.`;
  return `Support archive of Ridethrough ${version}, made at ${new Date(unixSeconds * 1000).toISOString()}.

It holds names, addresses and serial numbers of UPSes and servers, users' names, the last events and the last lines of the log.
Passwords, keys, tokens, addresses with credentials and the text of commands are not in it. Read it before you send it to anybody.
${missing}
`;
}
