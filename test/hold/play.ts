// Plays the tests of a built tree in one condition.
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChildProcess } from 'node:child_process';
import { clockOf, removeLeftBehind } from './clock.js';
import type { Condition } from './conditions.js';
import type { Result } from './ledger.js';
import { outcomeOf } from './outcome.js';

const tree = fileURLToPath(new URL('../../../', import.meta.url));
/** scripts/test.sh ends what hangs; this is for what hangs in it. */
const hangMs = 4 * 3_600_000;
/** nobody and nogroup of Debian. */
const ordinary = '65534';

/** Null where this machine cannot make the condition; `say` gets the reason. */
export async function play(
  condition: Condition,
  aborted: AbortSignal,
  say: (text: string) => void,
): Promise<Result | null> {
  const { name, level, begins, zone, loops, isOrdinaryUser } = condition;
  removeLeftBehind();
  const clock = begins === null ? [] : clockOf(begins);
  if (clock === null) {
    say('libfaketime is missing (Debian: the package libfaketime; scripts/test.sh gets it)');
    return null;
  }
  const user =
    isOrdinaryUser && process.getuid?.() === 0
      ? ['setpriv', `--reuid=${ordinary}`, `--regid=${ordinary}`, '--clear-groups']
      : [];
  const began = performance.now();
  const words = [...user, 'env', ...(zone === '' ? [] : [`TZ=${zone}`]), ...clock];
  const test = ['scripts/test.sh', '--installed', ...(level === 'default' ? [] : [`--${level}`])];
  const busy = Array.from({ length: loops }, () =>
    spawn('sh', ['-c', 'while kill -0 "$PPID"; do :; done'], { stdio: 'ignore' }),
  );
  try {
    const { printed, exit } = await run([...words, ...test], aborted);
    const outcome = outcomeOf(printed, exit);
    if (outcome.failed > 0) {
      const file = join(mkdtempSync(join(tmpdir(), 'ridethrough-hold-')), 'printed');
      writeFileSync(file, printed);
      say(`what it printed: ${file}`);
    }
    return { name, ...outcome, seconds: (performance.now() - began) / 1000 };
  } finally {
    for (const loop of busy) loop.kill('SIGKILL');
  }
}

function run(
  [command = '', ...args]: readonly string[],
  aborted: AbortSignal,
): Promise<{ printed: string; exit: string }> {
  const child = spawn(command, args, { cwd: tree, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stop, hang] = [() => end(child, 'SIGTERM'), setTimeout(() => end(child, 'SIGKILL'), hangMs)];
  aborted.addEventListener('abort', stop);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ printed: message, exit: 'no start' }));
    child.once('close', (code, signal) => {
      clearTimeout(hang);
      aborted.removeEventListener('abort', stop);
      resolve({ printed, exit: String(signal ?? code) });
    });
  });
}

function end({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
