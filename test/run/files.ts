// `node files.js FILE...`: runs these files of tests in one process, one after another, and tells the runner of each test.
// It ends with the runner, also when that is killed.
import Mocha from 'mocha';
import { tmpdir } from 'node:os';
import { logsSince } from '../fixtures/daemon-logs.js';
import { spent } from './cost.js';
import { removeFolder } from './folder.js';
import type { Clock, TestMessage } from './messages.js';

/** For the command line of mocha it is in package.json. */
const hangMs = 600_000;

const { EVENT_RUN_END, EVENT_SUITE_BEGIN, EVENT_SUITE_END } = Mocha.Runner.constants;
const { EVENT_TEST_BEGIN, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Mocha.Runner.constants;

// Only a runner that was killed lets go of the channel: what it cannot remove any more is removed here.
process.once('disconnect', () => {
  removeFolder(tmpdir());
  process.kill(-process.pid, 'SIGKILL');
});

class Reporter {
  #file = '';
  #before = spent();
  #began = now();

  constructor(runner: Mocha.Runner) {
    runner.on(EVENT_SUITE_BEGIN, (suite) => {
      if (suite.file !== undefined && suite.file !== this.#file) this.#next(suite.file);
      this.#start(`before the tests of ${suite.fullTitle()}`);
    });
    runner.on(EVENT_SUITE_END, (suite) => this.#start(`after the tests of ${suite.fullTitle()}`));
    runner.on(EVENT_TEST_BEGIN, (test) => this.#start(test.fullTitle()));
    runner.on(EVENT_TEST_PASS, () => tell({ kind: 'passed', file: this.#file }));
    runner.on(EVENT_TEST_PENDING, (test) =>
      tell({ kind: 'skipped', file: test.file ?? this.#file, title: test.fullTitle() }),
    );
    runner.on(EVENT_TEST_FAIL, (test, error: unknown) => {
      const logs = logsSince(this.#began.monotonicMs);
      const failure = {
        title: test.fullTitle(),
        error: textOf(error),
        began: this.#began,
        failed: now(),
        logs,
      };
      tell({ kind: 'failed', file: test.file ?? this.#file, failure });
    });
    runner.on(EVENT_RUN_END, () => this.#next(''));
  }

  #start(title: string): void {
    this.#began = now();
    tell({ kind: 'began', file: this.#file, title });
  }

  #next(file: string): void {
    const { wall, cpu } = spent();
    const cost = { wall: wall - this.#before.wall, cpu: cpu - this.#before.cpu };
    if (this.#file !== '') tell({ kind: 'measured', file: this.#file, cost });
    this.#before = { wall, cpu };
    this.#file = file;
  }
}

function tell(message: TestMessage): void {
  process.send?.(message);
}

function now(): Clock {
  return { wall: new Date().toISOString(), monotonicMs: performance.now() };
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? error.message;
  if (!('actual' in error) || !('expected' in error)) return text;
  const [actual, expected] = [error.actual, error.expected].map((value) => Mocha.utils.stringify(value));
  return `${text}\n${Mocha.reporters.Base.generateDiff(actual ?? '', expected ?? '')}`;
}

const mocha = new Mocha({ timeout: hangMs, reporter: Reporter as unknown as Mocha.ReporterConstructor });
for (const file of process.argv.slice(2)) mocha.addFile(file);
await mocha.loadFilesAsync();
mocha.run((failures) => {
  // A failing test may leave something open that keeps the process alive: it is ended, once all is told.
  const end = () => process.exit(failures === 0 ? 0 : 1);
  if (process.send === undefined) end();
  else process.send({ kind: 'over' } satisfies TestMessage, end);
});
