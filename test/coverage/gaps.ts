// What no test has passed, by lines and branches of the source, from the report of c8.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

interface Range {
  readonly start: { readonly line: number };
  readonly end: { readonly line: number };
}

/** As istanbul writes it: places by number, and how often each was passed. */
interface FileCoverage {
  readonly path: string;
  readonly statementMap: Readonly<Record<string, Range>>;
  readonly s: Readonly<Record<string, number>>;
  readonly branchMap: Readonly<Record<string, { readonly loc: Range }>>;
  readonly b: Readonly<Record<string, readonly number[]>>;
}

export interface Covered {
  readonly file: string;
  readonly places: number;
  readonly passed: number;
  /** Ends of closed unions, which no input can reach. */
  readonly unreachable: number;
  readonly gaps: readonly string[];
}

/** What lies in a place that no test has passed. */
const excused = /^(default:|(return )?unreachable\([\w.]+\);)$/;

/** By file, in the order of the report. */
export function coveredIn(report: string): readonly Covered[] {
  const files = JSON.parse(readFileSync(report, 'utf8')) as Record<string, FileCoverage>;
  return Object.values(files).map(coveredOf);
}

function coveredOf(coverage: FileCoverage): Covered {
  const file = relative('.', coverage.path);
  const lines = readFileSync(coverage.path, 'utf8').split('\n');
  const counts = { places: 0, passed: 0, unreachable: 0 };
  const gaps: string[] = [];
  const judge = (what: string, times: number, { start, end }: Range) => {
    counts.places += 1;
    if (times > 0) {
      counts.passed += 1;
      return;
    }
    const text = lines.slice(start.line - 1, end.line).map((line) => line.trim());
    if (text.every((line) => excused.test(line))) counts.unreachable += 1;
    else gaps.push(`${file}:${String(start.line)} ${what} never passed: ${text.join(' ').slice(0, 100)}`);
  };
  for (const [place, times] of Object.entries(coverage.s)) {
    const range = coverage.statementMap[place];
    if (range !== undefined) judge('line', times, range);
  }
  for (const [place, times] of Object.entries(coverage.b)) {
    const branch = coverage.branchMap[place];
    if (branch !== undefined) judge('branch', times[0] ?? 0, branch.loc);
  }
  return { file, ...counts, gaps };
}
