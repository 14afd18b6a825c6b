// Runs one case in its own namespaces for processes, mounts and the network: with a private loopback and private mounts,
// and all its processes end with it.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { descendants } from '../fixtures/processes.js';
import type { Case } from './fault.js';
import type { CaseResult } from './checker.js';

const program = fileURLToPath(new URL('case-program.js', import.meta.url));
const namespace = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'] as const;
/** Private loopback, and private shared memory: libfaketime names its semaphores by PID. */
const prepare = 'ip link set lo up && mount -t tmpfs tmpfs /dev/shm && exec "$@"';
/** The longest regular case (a hung NUT server on battery, then a complete plan) takes half of it; its patience multiplies it. */
const longestCaseMs = 150_000;
/** Time for healing after SIGTERM: a frozen disk would outlive the case. */
const healWithinMs = 8_000;

/** Why no case can run here; null when one can. */
export function namespaceProblem(): string | null {
  if (process.getuid?.() !== 0)
    return 'it starts the daemon as root and gives each case its own network: run it as root';
  const tried = spawnSync('unshare', [...namespace, 'sh', '-c', prepare, 'sh', 'true'], { encoding: 'utf8' });
  if (tried.error !== undefined) return tried.error.message;
  return tried.status === 0 ? null : `no namespaces can be made here: ${tried.stderr.trim()}`;
}

export interface NamespaceOptions {
  readonly keepsLog: boolean;
  /** Receives the standard error of the case. */
  readonly warn: (text: string) => void;
  /** Aborting it ends the case without a result. */
  readonly ended: AbortSignal | undefined;
}

/** Null: aborted. */
export async function runInNamespaces(of: Case, options: NamespaceOptions): Promise<CaseResult | null> {
  const { result, code, errors } = await run(of, options);
  if (options.ended?.aborted === true) return null;
  return result !== null && code === 0 ? result : failed(of, errors);
}

interface Run {
  readonly result: CaseResult | null;
  readonly code: number | null;
  readonly errors: string;
}

async function run(of: Case, { keepsLog, warn, ended }: NamespaceOptions): Promise<Run> {
  const place = mkdtempSync(join(tmpdir(), 'torture-'));
  // The workers run as other users and must be able to enter.
  chmodSync(place, 0o711);
  const line = [process.execPath, program, JSON.stringify(of), ...(keepsLog ? ['--log'] : [])];
  const caseWithinMs = longestCaseMs * (of.patience ?? 1);
  const child = spawn('unshare', [...namespace, 'sh', '-c', prepare, 'sh', ...line], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: place },
  });
  let out = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const kill = (): void => void child.kill('SIGKILL');
  const timers: NodeJS.Timeout[] = [];
  const end = (): void => {
    endCase(child.pid);
    timers.push(setTimeout(kill, healWithinMs));
  };
  const late = (): void => {
    errors = `not over within ${String(caseWithinMs / 1000)} s\n${errors}`;
    end();
  };
  timers.push(setTimeout(late, caseWithinMs));
  ended?.addEventListener('abort', end);
  // The namespaces end with this program.
  process.once('exit', kill);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  for (const timer of timers) clearTimeout(timer);
  ended?.removeEventListener('abort', end);
  process.removeListener('exit', kill);
  rmSync(place, { recursive: true, force: true });
  if (keepsLog && errors !== '') warn(errors);
  const lastLine = out.trimEnd().split('\n').at(-1) ?? '';
  const result = lastLine.startsWith('{') ? (JSON.parse(lastLine) as CaseResult) : null;
  return { result, code, errors };
}

/** unshare(1) forwards no signal; its only child is the case. */
function endCase(unsharePid: number | undefined): void {
  const [program] = unsharePid === undefined ? [] : descendants(unsharePid);
  try {
    if (program !== undefined) process.kill(program.pid, 'SIGTERM');
  } catch {
    // It has ended meanwhile.
  }
}

/** A case without a result counts as a broken promise. */
function failed(of: Case, errors: string): CaseResult {
  return {
    of,
    broken: [`the case itself failed: ${firstError(errors)}`],
    pollGapMs: NaN,
    firstCommandMs: null,
    sequence: null,
    api: { slowestMs: NaN, awayMs: NaN },
    recoveryMs: null,
  };
}

/** The first line with an error message. */
function firstError(errors: string): string {
  const lines = errors.split('\n').filter((line) => /Error|last seen|not /.test(line));
  return lines.slice(0, 3).join(' ').slice(0, 600);
}
