// The numbers of one UPS as they are now. What it does not say is left out, but for the three everybody looks for.
import type { UpsRow } from '../../../shared/domain/status-model.js';
import { durationInWords, quantity } from '../../../shared/domain/wording.js';
import type { Explanation } from '../../daemon/knowledge.js';
import { arrange, make, say } from '../../ui/dom.js';
import { ChargeBar, thresholdOf } from '../overview/charge-bar.js';

/** Term, value, and what is worth adding. */
type Value = readonly [term: string, text: string, note: string];

export class LiveValues {
  readonly #charge = new ChargeBar();
  readonly #list = make('dl', 'facts values');
  readonly root = make('section', 'panel', this.#charge.root, this.#list);

  constructor() {
    this.root.setAttribute('aria-label', 'Now');
  }

  show(row: UpsRow, explanation: Explanation | undefined): void {
    this.#charge.show(row.batteryCharge, thresholdOf(explanation, 'LOW_BATTERY'));
    const items = valuesOf(row, thresholdOf(explanation, 'CRITICAL_RUNTIME')).map((value, index) => {
      const item = this.#list.children[index] ?? make('div', '', make('dt'), make('dd'), make('dd', 'quiet'));
      value.forEach((text, place) => {
        const part = item.children[place];
        if (part !== undefined) say(part, text);
      });
      return item;
    });
    arrange(this.#list, items);
  }
}

function valuesOf(row: UpsRow, runtimeLimit: number | null): readonly Value[] {
  const { powerQuality: quality } = row;
  const said = (term: string, text: string, unit: string, note = ''): readonly Value[] =>
    text === '' ? [] : [[term, `${text}\u00a0${unit}`, note]];
  return [
    [
      'Runtime left',
      row.runtime === null ? 'unknown' : durationInWords(row.runtime),
      runtimeLimit === null ? '' : `shutdown below ${durationInWords(runtimeLimit)}`,
    ],
    ['Load', quantity(row.load, '%'), row.realPower === null ? '' : quantity(row.realPower, 'W')],
    ...(row.timeOnBattery > 0
      ? [['On battery for', durationInWords(row.timeOnBattery), losing(row.depletionRate)] as const]
      : []),
    ['Input', quality.inputVoltage === '' ? 'unknown' : `${quality.inputVoltage}\u00a0V`, ''],
    ...said('Output', quality.outputVoltage, 'V'),
    ...said('Battery', quality.batteryVoltage, 'V'),
    ...said('Input frequency', quality.inputFrequency, 'Hz'),
    ...said('Output frequency', quality.outputFrequency, 'Hz'),
    ...said('Temperature', quality.temperature, '°C'),
  ];
}

function losing(rate: number | null): string {
  return (rate ?? 0) > 0 ? `losing ${quantity(rate, '% a minute')}` : '';
}
