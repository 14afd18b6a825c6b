// The loaded events: each once, in order, and the cursor to older ones. Pure.
import type { EventRow } from '../../../shared/http/bodies.js';

/** Source and id together are the key of a row (specification/events.md#event-row). */
export function keyOf({ source, id }: Pick<EventRow, 'source' | 'id'>): string {
  return `${source}\n${String(id)}`;
}

export interface EventFilter {
  readonly ups: string;
  /** Lower case; every word must occur. */
  readonly words: readonly string[];
}

/** Searches the text that the table shows. */
export function matches(row: EventRow, { ups, words }: EventFilter): boolean {
  if (ups !== '' && row.source !== ups) return false;
  const text =
    `${row.eventType} ${row.eventType.replaceAll('_', ' ')} ${row.detail} ${row.label} ${row.ups}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

export class EventList {
  readonly #rows = new Map<string, EventRow>();
  #sorted: readonly EventRow[] | null = null;

  add(rows: readonly EventRow[]): void {
    for (const row of rows) this.#rows.set(keyOf(row), row);
    if (rows.length > 0) this.#sorted = null;
  }

  has(row: EventRow): boolean {
    return this.#rows.has(keyOf(row));
  }

  clear(): void {
    this.#rows.clear();
    this.#sorted = null;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Newest first. */
  rows(): readonly EventRow[] {
    this.#sorted ??= [...this.#rows.values()].sort(newestFirst);
    return this.#sorted;
  }

  /** The query for events older than the oldest row; empty when nothing is loaded. */
  cursor(): string {
    const oldest = this.rows().at(-1);
    if (oldest === undefined) return '';
    const { ts, source, id } = oldest;
    return `&before=${String(ts)}&beforeSource=${encodeURIComponent(source)}&beforeId=${String(id)}`;
  }
}

/** The order of the API (ts, source, id), reversed. */
function newestFirst(a: EventRow, b: EventRow): number {
  return b.ts - a.ts || (a.source < b.source ? 1 : a.source > b.source ? -1 : b.id - a.id);
}
