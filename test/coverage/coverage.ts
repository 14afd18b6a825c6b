// `npm run coverage:policy`: what the unit tests leave out of supervisor/policy, by lines and branches of the source.
// Nothing may be left out but what no input can reach: the `unreachable` ends of closed unions.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Where c8 has put its report. */
const report = 'coverage/policy/coverage-final.json';

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

/** What lies in a place that no test has passed. */
const excused = /^(default:|(return )?unreachable\([\w.]+\);)$/;

const files = Object.values(JSON.parse(readFileSync(report, 'utf8')) as Record<string, FileCoverage>);
const counts = { places: 0, passed: 0, excused: 0 };
const gaps: string[] = [];
for (const file of files) {
  const lines = readFileSync(file.path, 'utf8').split('\n');
  const judge = (what: string, times: number, { start, end }: Range) => {
    counts.places += 1;
    if (times > 0) {
      counts.passed += 1;
      return;
    }
    const text = lines.slice(start.line - 1, end.line).map((line) => line.trim());
    if (text.every((line) => excused.test(line))) counts.excused += 1;
    else
      gaps.push(
        `${relative('.', file.path)}:${String(start.line)} ${what} never passed: ${text.join(' ').slice(0, 100)}`,
      );
  };
  for (const [place, times] of Object.entries(file.s)) {
    const range = file.statementMap[place];
    if (range !== undefined) judge('line', times, range);
  }
  for (const [place, times] of Object.entries(file.b)) {
    const branch = file.branchMap[place];
    if (branch !== undefined) judge('branch', times[0] ?? 0, branch.loc);
  }
}

for (const gap of gaps) process.stdout.write(`${gap}\n`);
const { places, passed } = counts;
process.stdout.write(
  `supervisor/policy: ${String(files.length)} files, ${String(places)} lines and branches, ${String(passed)} passed, ` +
    `${String(counts.excused)} unreachable, ${String(gaps.length)} left out\n`,
);
if (gaps.length > 0 || files.length === 0) process.exitCode = 1;
