// Events as lines for a person: local time, who, what, the words about it. Nothing of them may steer the terminal.
import type { EventRow } from '../../../shared/http/bodies.js';
import { localTime } from '../terminal/moment.js';
import { printable } from '../terminal/printable.js';

const header = ['TIME', 'UPS', 'EVENT', 'DETAIL'] as const;

/** Lines of a table that goes on: a column that has grown stays as wide. */
export class EventTable {
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

function cellsOf({ ts, label, eventType, detail }: EventRow): readonly string[] {
  // A line break in a name would forge a row.
  return [localTime(ts), label, eventType, detail].map((cell) => printable(cell.replaceAll('\n', '?')));
}
