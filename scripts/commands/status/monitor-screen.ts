// The output of `ridethrough monitor`: on a terminal one screen that is redrawn, otherwise lines.
import { headlineOf } from '../../../shared/domain/status/wording.js';
import type { EventRow, StatusBody } from '../../../shared/http/bodies.js';
import { EventLines } from '../events/event-table.js';
import { printable } from '../terminal/printable.js';
import type { StatusFacts } from './status-report.js';
import { statusReport } from './status-report.js';

export interface Screen {
  /** Called after a change of the state, and once a second. */
  draw(facts: StatusFacts): void;
  events(rows: readonly EventRow[]): void;
  /** The daemon does not answer; null: it answers again. */
  trouble(message: string | null): void;
  close(): void;
}

export interface Terminal {
  write(text: string): void;
  rows(): number;
  columns(): number;
}

/** As many as the tallest terminal shows. */
const maxEvents = 200;

/** Uses the alternate screen: the terminal shows its former content again afterwards. */
export function fullScreen(terminal: Terminal): Screen {
  let facts: StatusFacts | null = null;
  let trouble: string | null = null;
  let recent: readonly EventRow[] = [];
  const redraw = (): void => {
    const state = facts === null ? 'Waiting for the daemon.\n' : statusReport(facts);
    const top = trouble === null ? state : `${state}\n${printable(trouble)}\n`;
    const upper = [...top.trimEnd().split('\n'), ''];
    const room = Math.max(0, terminal.rows() - upper.length - 1);
    const lower =
      room < 2
        ? []
        : new EventLines()
            .begin(recent.slice(-(room - 1)))
            .trimEnd()
            .split('\n');
    const lines = [...upper, ...lower].slice(0, terminal.rows() - 1);
    const width = terminal.columns();
    // Cursor home, clear each line to its end, clear everything below the last line.
    terminal.write(`\u001b[H${lines.map((line) => `${line.slice(0, width)}\u001b[K\n`).join('')}\u001b[J`);
  };
  terminal.write('\u001b[?1049h\u001b[?25l\u001b[2J');
  return {
    draw: (next) => {
      facts = next;
      redraw();
    },
    events: (rows) => {
      recent = [...recent, ...rows].slice(-maxEvents);
      redraw();
    },
    trouble: (message) => {
      trouble = message;
      redraw();
    },
    close: () => terminal.write('\u001b[?25h\u001b[?1049l'),
  };
}

/** For a pipe or a file: the table when the state of a UPS changes, and each event as a line. */
export function plainLines(write: (text: string) => void): Screen {
  const table = new EventLines();
  let shown = '';
  return {
    draw: (facts) => {
      const state = headlines(facts.status);
      if (state === shown) return;
      shown = state;
      write(`${statusReport(facts)}\n`);
    },
    events: (rows) => write(table.more(rows)),
    trouble: (message) => write(message === null ? 'The daemon answers again.\n' : `${printable(message)}\n`),
    close: () => undefined,
  };
}

function headlines({ ups }: StatusBody): string {
  return ups.map((row) => `${row.groupId} ${headlineOf(row).text} ${row.triggerReason}`).join('\n');
}
