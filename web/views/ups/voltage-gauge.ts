// The input voltage with its warning band, and whether the UPS boosts, trims or bypasses.
import type { PowerQuality, UpsRow } from '../../../shared/domain/status/status-model.js';
import { inputInWords, quantity } from '../../../shared/domain/status/wording.js';
import type { Tone } from '../../../shared/domain/status/wording.js';
import { setChildren, make, setText, setClass } from '../../ui/dom.js';
import { stateIcon, setStateIcon } from '../../ui/state-icon.js';

/** The part of the scale outside the band on each side, as a fraction of the band's width. */
const marginFactor = 0.5;

export class VoltageGauge {
  readonly #icon = stateIcon();
  readonly #text = make('p', 'headline');
  readonly #needle = make('div', 'needle');
  readonly #low = make('span', 'gauge-low');
  readonly #nominal = make('span', 'gauge-nominal');
  readonly #high = make('span', 'gauge-high');
  readonly #gauge = make('div', 'gauge', make('div', 'gauge-band'), this.#needle);
  readonly #scale = make('div', 'gauge-scale quiet', this.#low, this.#nominal, this.#high);
  readonly #list = make('ul', 'plain-list');
  readonly root = make(
    'section',
    'panel',
    make('h2', '', 'Power quality'),
    make('div', 'icon-and-text', this.#icon, this.#text),
    this.#gauge,
    this.#scale,
    this.#list,
  );

  constructor() {
    this.#gauge.setAttribute('aria-hidden', 'true');
  }

  show(row: Pick<UpsRow, 'powerQuality' | 'phases'>): void {
    const { powerQuality: quality } = row;
    const { warningLow: low, warningHigh: high, nominalVoltage } = quality;
    const volts = shownVolts(row);
    const { tone, text } = voltageSummary(row);
    setStateIcon(this.#icon, tone);
    setText(this.#text, text);
    const known = low !== null && high !== null;
    this.#gauge.hidden = !known;
    this.#scale.hidden = !known;
    if (known) {
      const width = (high - low) * (1 + 2 * marginFactor);
      const from = low - (high - low) * marginFactor;
      const place = volts === null ? null : Math.min(1, Math.max(0, (volts - from) / width));
      this.#needle.hidden = place === null;
      this.#needle.style.left = `${String((place ?? 0) * 100)}%`;
      setClass(this.#needle, `needle ${tone}`);
      setText(this.#low, quantity(low, 'V'));
      setText(this.#nominal, `nominal ${quantity(nominalVoltage, 'V')}`);
      setText(this.#high, quantity(high, 'V'));
    }
    const lines = linesOf(quality).map((line, index) => {
      const item = this.#list.children[index] ?? make('li');
      setText(item, line);
      return item;
    });
    setChildren(this.#list, lines);
  }
}

/** For the needle: of three phases the one that the state is about. */
function shownVolts({ powerQuality, phases }: Pick<UpsRow, 'powerQuality' | 'phases'>): number | null {
  const all = phases.flatMap(({ inputVoltage, lost }) => (lost ? [] : (inputVoltage ?? [])));
  if (all.length > 1) return powerQuality.voltageState === 'LOW' ? Math.min(...all) : Math.max(...all);
  return powerQuality.inputVoltage === '' ? null : Number(powerQuality.inputVoltage);
}

function voltageSummary(row: Pick<UpsRow, 'powerQuality' | 'phases'>): {
  readonly tone: Tone;
  readonly text: string;
} {
  const input = inputInWords(row).text;
  const volts = input === 'unknown' ? '' : ` at ${input}`;
  switch (row.powerQuality.voltageState) {
    case 'NORMAL':
      return { tone: 'good', text: `Normal${volts}` };
    case 'LOW':
      return { tone: 'warning', text: `Too low${volts}` };
    case 'HIGH':
      return { tone: 'warning', text: `Too high${volts}` };
    case 'PHASE_LOST':
      return { tone: 'warning', text: `A phase is lost${volts}` };
    case 'UNKNOWN':
      return { tone: 'unknown', text: 'Not evaluated now' };
  }
}

function linesOf({ avrState, bypassState, overloadState }: PowerQuality): readonly string[] {
  return [
    avrState === 'BOOST' ? 'The UPS boosts a low voltage' : '',
    avrState === 'TRIM' ? 'The UPS trims a high voltage' : '',
    bypassState === 'ACTIVE' ? 'On bypass: the load is not protected' : '',
    overloadState === 'ACTIVE' ? 'Overloaded: the load exceeds the rating of the UPS' : '',
  ].filter((line) => line !== '');
}
