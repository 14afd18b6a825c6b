// Events as lines: local time, UPS, type, detail. Their text must not control the terminal.
import type { EventRow } from '../../../shared/http/bodies.js';
import { eventClockNote } from '../../../shared/domain/outage/outage-wording.js';
import { localTime } from '../../../shared/domain/base/local-calendar.js';
import { printable } from '../terminal/printable.js';

const header = ['TIME', 'UPS', 'EVENT', 'DETAIL'] as const;

/** The lines of a growing table: a column never becomes narrower. */
export class EventLines {
  readonly #widths: number[] = [];

  /** The header and these rows; the header alone without any. */
  begin(rows: readonly EventRow[]): string {
    return this.#lines([header, ...rows.map(cellsOf)]);
  }

  more(rows: readonly EventRow[]): string {
    return this.#lines(rows.map(cellsOf));
  }

  #lines(rows: readonly (readonly string[])[]): string {
    for (const cells of rows)
      for (const [column, cell] of cells.entries())
        this.#widths[column] = Math.max(this.#widths[column] ?? 0, cell.length);
    return rows.map((cells) => `${this.#line(cells)}\n`).join('');
  }

  #line(cells: readonly string[]): string {
    const padded = cells.map((cell, column) => cell.padEnd(this.#widths[column] ?? 0));
    return padded.join('   ').trimEnd();
  }
}

function cellsOf(row: EventRow): readonly string[] {
  const { ts, label, eventType, detail } = row;
  const note = eventClockNote(row, localTime);
  // A line break in a name would look like a new row.
  return [localTime(ts), label, eventType, note === '' ? detail : `${detail} (${note})`].map((cell) =>
    printable(cell.replaceAll('\n', '?')),
  );
}
