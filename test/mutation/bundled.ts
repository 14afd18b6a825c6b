// Tests mutants of what runs in processes of its own, by integration tests: a private copy of the tree is bundled with each.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutants.js';
import { compiled } from './mutants.js';
import type { Outcome } from './pool.js';
import { sourceOf } from './pool.js';
import { Sandbox } from './sandbox.js';

/** What the programs are bundled from. */
const sources = ['scripts', 'shared', 'supervisor', 'workers'];
/** The longest of the tests takes half a minute on two busy processors; a mutant may hang it. */
const limitMs = 5 * 60_000;

/** Integration tests judge it: `integration/nut/role.test.ts: words of the title`. */
export function isBundled({ lastCaughtBy }: Mutant): boolean {
  return lastCaughtBy?.startsWith('integration/') === true;
}

/** Reports the outcomes in their order. Throws when a test fails without a mutant: it would prove nothing. */
export async function tryBundled(
  mutants: readonly Mutant[],
  onOutcome: (outcome: Outcome) => void,
): Promise<void> {
  const place = new Sandbox(sources);
  try {
    // The workers of a daemon that runs as root have other users.
    chmodSync(place.root, 0o755);
    await bundle(place);
    for (const test of new Set(mutants.map(({ lastCaughtBy }) => lastCaughtBy ?? ''))) {
      const failed = await failingTest(place, test);
      if (failed !== null) throw new Error(`without any mutant ${test} fails: ${failed}`);
    }
    for (const mutant of mutants) onOutcome({ mutant, caughtBy: await tryOne(place, mutant) });
  } finally {
    place.remove();
  }
}

async function tryOne(place: Sandbox, { file, source, lastCaughtBy }: Mutant): Promise<string | null> {
  const before = readFileSync(place.compiled(file), 'utf8');
  place.writeSource(file, source);
  place.write(file, compiled(source));
  await bundle(place);
  const failed = await failingTest(place, lastCaughtBy ?? '');
  place.writeSource(file, sourceOf(file));
  place.write(file, before);
  return failed === null ? null : `${lastCaughtBy ?? ''}: ${failed}`;
}

/** The last step of the build, in the copy. */
async function bundle(place: Sandbox): Promise<void> {
  const code = await run(place, [place.compiled('scripts/bundle.ts')]);
  if (code !== 0) throw new Error('the broken program cannot be bundled');
}

/** The title of the first test that fails; null when all pass. Throws when the name is that of no test. */
async function failingTest(place: Sandbox, name: string): Promise<string | null> {
  const [file = '', ...words] = name.split(': ');
  const report = join(place.root, 'report.json');
  await run(place, [
    'node_modules/mocha/bin/mocha.js',
    ...['--exit', '--bail', '--reporter', 'json', '--reporter-option', `output=${report}`],
    ...(words.length === 0 ? [] : ['--fgrep', words.join(': ')]),
    place.compiled(`test/${file}`),
  ]);
  if (!existsSync(report)) return 'it never ends';
  const { stats, failures } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  rmSync(report);
  if (stats.tests === 0 && failures.length === 0) throw new Error(`there is no test ${name}`);
  return failures[0]?.fullTitle ?? null;
}

interface Report {
  readonly stats: { readonly tests: number };
  readonly failures: readonly { readonly fullTitle: string }[];
}

/** Resolves to the exit code. Nothing of the copy runs on, also not what a mutant has let escape. */
async function run(place: Sandbox, args: readonly string[]): Promise<number | null> {
  const child = spawn(process.execPath, args, { cwd: place.root, stdio: 'ignore' });
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(timer);
  processesOf(place.root).forEach(kill);
  return code;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

/** Those with a file of the folder in their command line. */
function processesOf(folder: string): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return (
          pid !== process.pid && readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').includes(`${folder}/`)
        );
      } catch {
        // No process, or one that has just ended.
        return false;
      }
    });
}
