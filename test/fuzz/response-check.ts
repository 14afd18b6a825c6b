// Checks that the bytes of a connection are only what specification/api.md#transport allows: statuses, headers, error
// body. Reports what is wrong; of the requests it knows the methods alone.
import { errorStatus } from '../../shared/http/errors.js';

const allowed = new Set<number>([200, 304, ...Object.values(errorStatus)]);
/** The message of an internal error, which only a bug causes. */
const opaque = 500;

export interface ResponseCheck {
  readonly statuses: readonly number[];
  readonly faults: readonly string[];
}

/** Parses the answers of one connection, as far as they have arrived. */
export function checkResponses(received: Buffer): ResponseCheck {
  const statuses: number[] = [];
  const faults: string[] = [];
  let rest = received;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) {
      if (!rest.toString('latin1').startsWith('HTTP/1.1 ')) faults.push(`not HTTP: ${shown(rest)}`);
      break;
    }
    const head = rest.subarray(0, end).toString('latin1');
    rest = rest.subarray(end + 4);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 0);
    if (status === 100) continue;
    const headers = headersOf(head);
    const length = bodyLength(headers, rest);
    if (length === null) break;
    statuses.push(status);
    faults.push(...faultsOf(status, headers, rest.subarray(0, length)));
    rest = rest.subarray(length);
  }
  return { statuses, faults };
}

function faultsOf(status: number, headers: ReadonlyMap<string, string>, body: Buffer): readonly string[] {
  const faults: string[] = [];
  const fault = (what: string): void => void faults.push(`${String(status)}: ${what}: ${shown(body)}`);
  if (!allowed.has(status)) fault('not a specified status');
  if (status === opaque) fault('a fault of the program');
  if (headers.get('x-content-type-options') !== 'nosniff') fault('no nosniff');
  if (status !== 304 && !/; charset=utf-8$/.test(headers.get('content-type') ?? '')) fault('no charset');
  const text = body.toString('utf8');
  if (/\bat .*\.(?:js|ts):\d+|root:.*:0:0:|PLANTED/.test(text)) fault('tells what it must not');
  if (status < 400 || body.length === 0 || text.startsWith('{"ready"')) return faults;
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; message?: unknown } };
    const code = typeof error?.code === 'string' ? error.code : '';
    if (errorStatus[code as keyof typeof errorStatus] !== status || typeof error?.message !== 'string')
      fault('not the error body of its status');
  } catch {
    fault('an error body that is no JSON');
  }
  return faults;
}

function headersOf(head: string): ReadonlyMap<string, string> {
  const lines = head.split('\r\n').slice(1);
  return new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
}

/** An answer to HEAD has a content length and no body: the next answer or nothing follows. Null: incomplete. */
function bodyLength(headers: ReadonlyMap<string, string>, rest: Buffer): number | null {
  if (headers.has('transfer-encoding')) return null;
  const length = Number(headers.get('content-length') ?? 0);
  if (rest.length === 0 || rest.subarray(0, 9).toString('latin1') === 'HTTP/1.1 ') return 0;
  return rest.length < length ? null : length;
}

function shown(bytes: Buffer): string {
  return JSON.stringify(bytes.subarray(0, 200).toString('latin1'));
}
