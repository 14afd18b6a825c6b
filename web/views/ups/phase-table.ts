// What the driver shows of each phase; hidden for a UPS of one phase.
import type { PhaseRow } from '../../../shared/domain/status/status-model.js';
import { quantity } from '../../../shared/domain/status/wording.js';
import { make, setChildren, setClass, setText } from '../../ui/dom.js';
import { headCells, scrolling } from '../../ui/table.js';

export class PhaseTable {
  readonly #body = make('tbody');
  readonly root = scrolling(
    'Phases',
    make(
      'table',
      'phases',
      make('thead', '', make('tr', '', ...headCells(['Phase', 'Input', 'Output', 'Load', 'Power']))),
      this.#body,
    ),
  );

  show(phases: readonly PhaseRow[]): void {
    this.root.hidden = phases.length < 2;
    const rows = phases.map((phase, place) => {
      const row = this.#body.children[place] ?? make('tr', '', ...cellsOf(phase).map(() => make('td')));
      setClass(row, phase.lost ? 'warning' : '');
      cellsOf(phase).forEach((text, column) => {
        const cell = row.children[column];
        if (cell !== undefined) setText(cell, text);
      });
      return row;
    });
    setChildren(this.#body, rows);
  }
}

function cellsOf(row: PhaseRow): readonly string[] {
  const { phase, inputAt, inputVoltage, outputAt, outputVoltage, load, realPower, lost } = row;
  return [
    lost ? `${phase}, lost` : phase,
    voltage(inputVoltage, inputAt, phase),
    voltage(outputVoltage, outputAt, phase),
    quantity(load, '%', ''),
    quantity(realPower, 'W', ''),
  ];
}

/** Where it is not measured to neutral the text says so. */
function voltage(volts: number | null, at: string, phase: string): string {
  return quantity(volts, 'V', '') + (at === '' || at === phase || at.endsWith('-N') ? '' : ` (${at})`);
}
