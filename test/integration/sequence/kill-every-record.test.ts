import { spawn } from 'node:child_process';
import { mkdtempSync, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { build } from 'esbuild';
import { processes } from '../../fixtures/processes.js';
import { until } from '../../fixtures/until.js';
import type { JournalEntry } from '../../../supervisor/sequence/journal/entries.js';

const source = fileURLToPath(new URL('./dying-sequencer.js', import.meta.url));
/** The same as one file, which starts in a third of the time: it is started a hundred times. */
const built = mkdtempSync(join(tmpdir(), 'ridethrough-sequencer-'));
const program = join(built, 'dying-sequencer.mjs');
const servers = ['early', 'nas', 'host', 'db', 'last', 'cold'].map((name) => `remote_servers/${name}`);
const powerOff = 'local_poweroff/host';

/** One run: to the end (0), or to its record of this number. True when it was killed. */
function live(directory: string, lastRecord: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, directory, String(lastRecord)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.on('exit', (code, signal) => {
      if (signal === 'SIGKILL') resolve(true);
      else if (code === 0) resolve(false);
      else reject(new Error(`exit ${String(code)}: ${said}`));
    });
  });
}

/** How often each step started. */
function begun(directory: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  if (!existsSync(join(directory, 'ran'))) return counts;
  for (const line of readFileSync(join(directory, 'ran'), 'utf8').split('\n')) {
    const step = line.startsWith('begin ') ? line.slice(6) : null;
    if (step !== null) counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  return counts;
}

function records(directory: string): readonly JournalEntry[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.journal'))
    .flatMap((file) => readFileSync(join(directory, file), 'utf8').trim().split('\n').slice(1))
    .map((line) => JSON.parse(line) as JournalEntry);
}

/** Steps with a recorded end; the power-off also by its try. */
function ended(directory: string): ReadonlySet<string> {
  return new Set(
    records(directory).flatMap((record) => {
      if (record.kind === 'stepEnded') return [record.step];
      return record.kind === 'tryEnded' ? [powerOff] : [];
    }),
  );
}

async function inDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'ridethrough-dying-'));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Killed after record `number`, then resumed to the end. False when it ended before that record. */
function killedAfter(number: number): Promise<boolean> {
  return inDirectory(async (directory) => {
    if (!(await live(directory, number))) return false;
    // A running command is a separate process, which outlives the daemon.
    await until(() => processes().every(({ command }) => !command.includes(directory)));
    const before = begun(directory);
    const finished = ended(directory);
    expect(await live(directory, 0), `record ${String(number)}`).to.equal(false);
    const after = begun(directory);
    for (const step of finished) {
      const again = (after.get(step) ?? 0) - (before.get(step) ?? 0);
      expect(again, `${step} ran again after record ${String(number)}, though its end was written`).to.equal(
        0,
      );
    }
    for (const step of [...servers, powerOff]) {
      expect(after.get(step) ?? 0, `${step}, killed after record ${String(number)}`).to.be.within(1, 2);
    }
    expect(records(directory).filter(({ kind }) => kind === 'over')).to.have.length(3);
    return true;
  });
}

describe('a sequence whose daemon is killed', () => {
  before(() =>
    build({ entryPoints: [source], bundle: true, platform: 'node', format: 'esm', outfile: program }),
  );
  after(() => rmSync(built, { recursive: true, force: true }));

  it('resumes after every record of its journal: no finished step runs again, every command is sent', async () => {
    let killed = 0;
    let next = 1;
    const worker = async () => {
      for (;;) {
        const number = next;
        next += 1;
        if (!(await killedAfter(number))) return;
        killed += 1;
      }
    };
    await Promise.all([worker(), worker()]);
    // Two decisions in one write and one later, fifteen steps with start and end, their phases, the try of the power-off, ends.
    expect(killed).to.be.greaterThan(45);
  });

  it('finishes even if the daemon is killed repeatedly', () =>
    inDirectory(async (directory) => {
      let lives = 1;
      while (await live(directory, 12)) {
        lives += 1;
        expect(lives).to.be.lessThan(20);
      }
      expect(lives).to.be.greaterThan(3);
      const counts = begun(directory);
      for (const step of [...servers, powerOff]) expect(counts.get(step) ?? 0, step).to.be.at.least(1);
    }));
});
