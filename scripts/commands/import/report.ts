// The texts of an import: what was added, what was not and why, or what is wrong with the source.
import { localTime } from '../../../shared/domain/base/local-calendar.js';
import type { CheckedFile } from './checking.js';
import type { Filled } from './filling.js';

export interface ImportedHistory extends Filled {
  readonly file: string;
  readonly ups: string;
  readonly label: string;
  readonly source: string;
  readonly isDryRun: boolean;
  readonly unit: string;
}

/** `destination`: "the running daemon". */
export function importedText(imported: ImportedHistory, destination: string): string {
  const { file, ups, label, isDryRun, unit, read, from, to, added, present, leftOut } = imported;
  const span = from === null || to === null ? '' : `, ${localTime(from)} to ${localTime(to)}`;
  const name = label === ups ? ups : `${label} (${ups})`;
  const lines = [
    `${file}: ${countText(read)} ${unit}${span}`,
    `  into the history of ${name}, by ${destination}`,
    `  ${isDryRun ? 'would add' : 'added'}: ${list([
      [added.readings, 'readings'],
      [added.fiveMinute, '5-minute means'],
      [added.hourly, 'hourly means'],
      [added.events, 'events'],
      [added.outages, 'outages'],
    ])}`,
    ...row(present, 'buckets, events and outages are in the history already'),
    ...row(leftOut.older, `${unit} are older than the history is kept`),
    ...row(leftOut.future, `${unit} are in the future`),
    ...row(
      leftOut.repeated,
      `${unit} repeat a time that came before: a line came twice, or the clock was set back`,
    ),
    ...row(leftOut.foreign, `${unit} are of another UPS`),
    ...row(leftOut.damaged, `${unit} are damaged and left out`),
    ...row(leftOut.omitted, `${unit} are of a kind that is not imported, or not complete`),
    ...row(leftOut.refused, 'events and outages are above the limit of imported ones, or in the future'),
  ];
  return `${lines.join('\n')}\n`;
}

export function problemText(
  { path, kind }: { readonly path: string; readonly kind: 'upslog' | 'eneru' },
  { count, problems, hasGood, isCut }: CheckedFile,
): string {
  const lines = problems.map(({ where, message }) => `  ${where}: ${message}`);
  const more = count > problems.length ? [`  and ${countText(count - problems.length)} more`] : [];
  const noneFits =
    kind === 'upslog' ? 'No line matches the format; give the right one with --format.' : 'No row is valid.';
  const advice = hasGood ? '--skip-damaged leaves these out.' : noneFits;
  const head = `${path}: ${isCut ? 'at least ' : ''}${countText(count)} damaged:`;
  return [head, ...lines, ...more, `Nothing was added. ${advice}`].join('\n');
}

/** Every line is of another UPS. */
export function foreignText(path: string, names: readonly string[]): string {
  return `${path}: no line is of this UPS; its lines name ${names.join(', ')}. Nothing was added. If one of them is this UPS under another name: --ups-host ${names[0] ?? ''}`;
}

function row(count: number, text: string): readonly string[] {
  return count === 0 ? [] : [`  not added: ${countText(count)} ${text}`];
}

function list(items: readonly (readonly [number, string])[]): string {
  const some = items.filter(([count]) => count > 0);
  return some.length === 0
    ? 'nothing'
    : some.map(([count, name]) => `${countText(count)} ${name}`).join(', ');
}

function countText(count: number): string {
  return count.toLocaleString('en-US');
}
