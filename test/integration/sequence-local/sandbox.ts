// Private namespaces: mounts, processes and network interfaces of a sandbox end with it, and nothing of this machine is reached.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommandLine } from '../../../shared/domain/commands/command-line.js';
import type { StepAction } from '../../../shared/domain/actions/table.js';
import type { CommandOutcome } from '../../../supervisor/host/run-command.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import type { Account } from '../../../supervisor/host/accounts.js';
import { skipFor } from '../../fixtures/skip.js';

const program = fileURLToPath(new URL('perform-program.js', import.meta.url));
const hungProgram = fileURLToPath(
  new URL('../../../../test/integration/sequence-local/hung-file-system.py', import.meta.url),
);
const isolated = ['-m', '-n', '--pid', '--fork', '--kill-child', '--mount-proc'];
/** The program that thaws a disk must outlive the process namespace, which would kill it and then wait forever. */
const openEnded = ['-m'];
/** Longer than any budget of these tests, shorter than the limit of mocha. */
const patienceMs = 200_000;

export type Order = {
  readonly budgetSeconds: number;
  /** A user who may have rootless containers. */
  readonly users?: readonly (readonly [string, Account])[];
} & ({ readonly action: StepAction } | { readonly command: CommandLine });

export interface Report {
  readonly outcome: StepOutcome | CommandOutcome;
  /** Turns of the event loop, 20 ms apart, until the end of the budget or of the work. */
  readonly turns: number;
  /** The same from the end of the budget to that of the work; null if the work ended first. */
  readonly turnsAfterBudget: number | null;
  readonly warnings: readonly string[];
  readonly mountsPrefix: CommandLine;
}

export class Sandbox {
  readonly directory = mkdtempSync(join(tmpdir(), 'ridethrough-local-'));

  /**
   * Runs shell text and then the order inside. Returns the output of `after`, also shell text; `$D` is the directory in
   * both.
   */
  async perform(
    before: string,
    order: Order,
    after = '',
    isolate = isolated,
  ): Promise<Report & { readonly after: string }> {
    const script = `D=${this.directory}\n${before}\n"$@"\necho\n${after}`;
    const line = [process.execPath, program, JSON.stringify(order)];
    const child = spawn('unshare', [...isolate, 'sh', '-c', script, 'sh', ...line], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    const overdue = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    await new Promise((resolve) => child.once('close', resolve));
    clearTimeout(overdue);
    const [line1 = '', ...rest] = output.split('\n');
    if (!line1.startsWith('{')) throw new Error(`the sandbox said: ${output}${errors}`);
    return { ...(JSON.parse(line1) as Report), after: rest.join('\n').trim() };
  }

  /** The same with a disk at `$D/disk` that is frozen until `after` has run. */
  withFrozenDisk(order: Order, after: string): ReturnType<Sandbox['perform']> {
    return this.perform(frozenDisk, order, `${after}\n${thawed}`, openEnded);
  }

  remove(): void {
    // What an engine that was killed has left: control groups are of no namespace.
    for (const root of ['/sys/fs/cgroup', '/sys/fs/cgroup/unified']) {
      const group = join(root, basename(this.directory));
      if (existsSync(group)) spawnSync('find', [group, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';']);
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Shell text: a file system at `$D/hung` that never answers. */
export const hung = `mkdir -p $D/hung; python3 ${hungProgram} $D/hung >$D/ready &
until grep -qs ready $D/ready; do sleep 0.05; done`;

/** Shell text: one at `$D/hung` whose unmount does not end either. The loop device goes with it. */
export const hungBlockDevice = `mkdir -p $D/hung; truncate -s 1M $D/image; L=$(losetup -f --show $D/image)
python3 ${hungProgram} $D/hung $L >$D/ready &
until grep -qs ready $D/ready || ! kill -0 $!; do sleep 0.05; done; losetup -d $L; kill -0 $!`;

/** Shell text: a frozen file system at `$D/disk`, which thaws on `thawed` or after half a minute. */
const frozenDisk = `mkdir $D/disk; truncate -s 32M $D/image; mkfs.ext4 -q $D/image; mount -o loop $D/image $D/disk; rm $D/image
fsfreeze -f $D/disk; (n=0; until [ -e $D/thaw ] || [ $n -ge 600 ]; do n=$((n + 1)); sleep 0.05; done
fsfreeze -u $D/disk) >/dev/null 2>&1 &`;
const thawed = 'touch $D/thaw\nwait';

/** An engine starts within seconds, also beside other tests. */
const startMs = 60_000;
/** One try for each script, since an engine takes seconds. */
const refusals = new Map<string, string | null>();

/** Why there is no sandbox here, or null. Skipped tests print it. */
function refusalOf(script: string, isolate: readonly string[]): string | null {
  const key = `${isolate.join(' ')} ${script}`;
  const known = refusals.get(key);
  if (known !== undefined) return known;
  const sandbox = new Sandbox();
  const tried = spawnSync('unshare', [...isolate, 'sh', '-ec', `D=${sandbox.directory}\n${script}`], {
    encoding: 'utf8',
    timeout: startMs,
    // unshare leaves SIGTERM to what it runs.
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const log = join(sandbox.directory, 'log');
  const lines = `${existsSync(log) ? readFileSync(log, 'utf8') : ''}\n${tried.stderr}`.trim().split('\n');
  sandbox.remove();
  const isLate = tried.signal === 'SIGKILL';
  const late = `nothing within ${String(startMs / 1000)} s, at last: ${lines.at(-1) ?? ''}`;
  const refusal = isLate ? late : (tried.error?.message ?? (tried.status === 0 ? null : tried.stderr.trim()));
  refusals.set(key, refusal);
  return refusal;
}

/** Skips the test or suite, with a message, without a sandbox. */
export function needs(context: Mocha.Context, what: string, script: string, isolate = isolated): void {
  const refusal = refusalOf(script, isolate);
  skipFor(context, refusal !== null && `${what}: ${refusal}`);
}

/** The same without a disk that can be frozen. */
export function needsFrozenDisk(context: Mocha.Context): void {
  needs(context, 'no disk that can be frozen', `${frozenDisk}\n${thawed}`, openEnded);
}
