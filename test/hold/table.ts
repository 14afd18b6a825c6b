// The results of the conditions as a table. Pure.
import type { Result } from './ledger.js';

export function table(results: readonly Result[]): string {
  const width = Math.max(...results.map(({ name }) => name.length), 'condition'.length);
  const row = (name: string, ...figures: readonly (string | number)[]): string =>
    `${name.padEnd(width)}${figures.map((figure) => String(figure).padStart(9)).join('')}`;
  return [
    row('condition', 'passed', 'failed', 'skipped', 'seconds'),
    ...results.flatMap(({ name, passed, failed, skipped, seconds, failures }) => [
      row(name, passed, failed, skipped, Math.round(seconds)),
      ...failures.map((title) => `  FAILED: ${title}`),
    ]),
  ].join('\n');
}
