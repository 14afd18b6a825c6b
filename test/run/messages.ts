// What a process of tests tells the runner, over the channel between them.
import type { Cost } from './cost.js';

export interface Clock {
  /** The wall clock of the process, which a test or the caller may have set: RFC 3339. */
  readonly wall: string;
  /** Since the start of the process. */
  readonly monotonicMs: number;
}

export interface Failure {
  readonly title: string;
  readonly error: string;
  readonly began: Clock;
  readonly failed: Clock;
  /** Of the daemons that ran during the test. */
  readonly logs: readonly string[];
}

export type TestMessage =
  | { readonly kind: 'began'; readonly file: string; readonly title: string }
  | { readonly kind: 'passed'; readonly file: string }
  | { readonly kind: 'skipped'; readonly file: string; readonly title: string }
  | { readonly kind: 'failed'; readonly file: string; readonly failure: Failure }
  /** Every test of the file has ended. */
  | { readonly kind: 'measured'; readonly file: string; readonly cost: Cost }
  | { readonly kind: 'over' };
