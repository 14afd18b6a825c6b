// Text as CSV (RFC 4180), and the choice between it and JSON.
import { oneOf } from '../../../shared/domain/base/units.js';
import { wordOf } from './query.js';
import type { Reply, Request } from './route.js';

export const ListFormat = oneOf('json', 'csv');

/** By the parameter `format`, else by the Accept header. */
export function listFormat(request: Pick<Request, 'query' | 'accepted'>): 'json' | 'csv' {
  const isCsv = (): boolean => request.accepted(['application/json', 'text/csv']) === 'text/csv';
  return wordOf(request.query, 'format', ListFormat, null) ?? (isCsv() ? 'csv' : 'json');
}

export function csvReply(rows: Parameters<typeof csv>[0], file: string): Reply {
  const headers = { 'Content-Disposition': `attachment; filename="${file}"` };
  return { status: 200, type: 'text/csv; charset=utf-8', body: csv(rows), headers };
}

/** ISO 8601 in UTC. */
export function timeOf(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString();
}

/** Lines of cells with the header first. A null is an empty cell. */
export function csv(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

/** Quoted where needed. A spreadsheet runs text that begins like a formula: an apostrophe makes it text. */
function cellOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) && !/^[+-]?\d+(\.\d+)?$/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
