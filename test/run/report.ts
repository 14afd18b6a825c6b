// What is printed: a line for each job as it ends, and at the end what went wrong and the totals.
import type { Cost } from './cost.js';
import type { Ended } from './job-process.js';
import type { RunJob } from './jobs.js';
import { sourceOf } from './jobs.js';
import type { Failure, TestMessage } from './messages.js';

/** Conditions of this run that a repetition of a test needs too. */
const conditions = ['TZ', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC', 'LD_PRELOAD'];

export class JobReport {
  passed = 0;
  failed = 0;
  skipped = 0;
  readonly measured = new Map<string, Cost>();
  /** Each of several lines. */
  readonly blocks: string[] = [];
  /** With the reasons that the tests print. */
  readonly skips: string[] = [];
  readonly #job: RunJob;
  #isOver = false;
  #last = 'nothing';

  constructor(job: RunJob) {
    this.#job = job;
  }

  note(message: TestMessage): void {
    if (message.kind === 'over') this.#isOver = true;
    if (message.kind === 'began') this.#last = message.title;
    if (message.kind === 'passed') this.passed += 1;
    if (message.kind === 'measured') this.measured.set(message.file, message.cost);
    if (message.kind === 'skipped') {
      this.skipped += 1;
      this.skips.push(`${sourceOf(message.file)}: ${message.title}`);
    }
    if (message.kind === 'failed') {
      this.failed += 1;
      this.blocks.push(failureBlock(message.file, message.failure));
    }
  }

  end({ problem, output }: Ended): void {
    const reasons = new Set(output.split('\n').flatMap((line) => /SKIPPED: .*/.exec(line)?.[0] ?? []));
    this.skips.push(...reasons);
    if (this.#job.kind === 'check' && problem === null) this.passed += 1;
    if (this.#job.kind === 'tests' && !this.#isOver) {
      this.failed += 1;
      this.blocks.push(
        block(this.#job.name, [`${problem ?? 'it ended early'}; what ran last: ${this.#last}`, output]),
      );
    } else if (problem !== null) {
      if (this.#job.kind === 'check') this.failed += 1;
      this.blocks.push(block(`${this.#job.name}, what it printed`, [output]));
    }
  }

  line(seconds: number): string {
    const { passed, failed, skipped } = this;
    const counts = this.#job.kind === 'check' ? '' : `, ${totals({ passed, failed, skipped })}`;
    return `${failed === 0 ? 'passed' : 'FAILED'} in ${seconds.toFixed(1)} s: ${this.#job.name}${counts}\n`;
  }
}

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function totals({ passed, failed, skipped }: Totals): string {
  return `${String(passed)} passed, ${String(failed)} failed${skipped === 0 ? '' : `, ${String(skipped)} skipped`}`;
}

function failureBlock(file: string, { title, error, began, failed, logs }: Failure): string {
  const source = sourceOf(file);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const seconds = (ms: number): string => (ms / 1000).toFixed(3);
  const seed = /\bseed\W{0,3}(-?\d+)/.exec(error)?.[1];
  return block(title, [
    `file: ${source}`,
    ...(seed === undefined ? [] : [`seed: ${seed}`]),
    `clock: ${began.wall} to ${failed.wall}, TZ=${process.env['TZ'] ?? ''} (${zone}); ` +
      `${seconds(began.monotonicMs)} to ${seconds(failed.monotonicMs)} s of its process`,
    `alone: ${alone(source)}`,
    error,
    ...logs,
  ]);
}

function alone(source: string): string {
  const set = conditions.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [`${name}='${value}'`];
  });
  return [...set, 'scripts/test.sh --installed', source].join(' ');
}

function block(title: string, parts: readonly string[]): string {
  const lines = parts.flatMap((part) => part.trimEnd().split('\n'));
  return `FAILED: ${title}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
