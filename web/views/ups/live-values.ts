// The current values of a UPS. Omits missing values, except runtime, load and input, which are shown as unknown.
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import { durationInWords } from '../../../shared/domain/base/duration.js';
import { inputInWords, quantity } from '../../../shared/domain/status/wording.js';
import type { Explanation } from '../../daemon/client-state.js';
import { make } from '../../ui/dom.js';
import { showFacts } from '../../ui/facts.js';
import { PhaseTable } from './phase-table.js';
import { ChargeBar, thresholdOf } from '../overview/charge-bar.js';

type Value = readonly [term: string, text: string, note: string];

export class LiveValues {
  readonly #charge = new ChargeBar();
  readonly #list = make('dl', 'facts values');
  readonly #phases = new PhaseTable();
  readonly root = make('section', 'panel', this.#charge.root, this.#list, this.#phases.root);

  constructor() {
    this.root.setAttribute('aria-label', 'Now');
  }

  show(row: UpsRow, explanation: Explanation | undefined): void {
    this.#charge.show(row.batteryCharge, thresholdOf(explanation, 'LOW_BATTERY'));
    this.#phases.show(row.phases);
    showFacts(this.#list, valuesOf(row, thresholdOf(explanation, 'CRITICAL_RUNTIME')));
  }
}

function valuesOf(row: UpsRow, runtimeLimit: number | null): readonly Value[] {
  const { powerQuality: quality } = row;
  const input = inputInWords(row);
  const reported = (term: string, text: string, unit: string, note = ''): readonly Value[] =>
    text === '' ? [] : [[term, `${text}\u00a0${unit}`, note]];
  return [
    [
      'Runtime left',
      row.runtime === null ? 'unknown' : durationInWords(row.runtime),
      runtimeLimit === null ? '' : `shutdown below ${durationInWords(runtimeLimit)}`,
    ],
    ...(row.runtime !== null || row.runtimeEstimate === null
      ? []
      : [
          [
            'Estimated runtime',
            durationInWords(row.runtimeEstimate.seconds),
            band(row.runtimeEstimate),
          ] as const,
        ]),
    ['Load', quantity(row.load, '%'), row.realPower === null ? '' : quantity(row.realPower, 'W')],
    ...(row.timeOnBattery > 0
      ? [['On battery for', durationInWords(row.timeOnBattery), losing(row.depletionRate)] as const]
      : []),
    ['Input', input.text, input.wrong],
    ...reported('Output', quality.outputVoltage, 'V'),
    ...reported('Battery', quality.batteryVoltage, 'V'),
    ...reported('Input frequency', quality.inputFrequency, 'Hz'),
    ...reported('Output frequency', quality.outputFrequency, 'Hz'),
    ...reported('Temperature', quality.temperature, '°C'),
  ];
}

function band({ errorSeconds }: NonNullable<UpsRow['runtimeEstimate']>): string {
  return `give or take ${durationInWords(errorSeconds)}, by earlier discharges`;
}

function losing(rate: number | null): string {
  return (rate ?? 0) > 0 ? `losing ${quantity(rate, '% a minute')}` : '';
}
