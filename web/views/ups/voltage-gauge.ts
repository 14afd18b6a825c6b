// The input voltage against its warning band, and what the UPS does about it.
import type { PowerQuality } from '../../../shared/domain/status-model.js';
import { quantity } from '../../../shared/domain/wording.js';
import type { Tone } from '../../../shared/domain/wording.js';
import { arrange, make, say, setClass } from '../../ui/dom.js';
import { mark, setMark } from '../../ui/icons.js';

/** How much of the scale lies outside the band on each side, as part of the band's width. */
const beyond = 0.5;

export class VoltageGauge {
  readonly #mark = mark();
  readonly #words = make('p', 'headline');
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
    make('div', 'film-says', this.#mark, this.#words),
    this.#gauge,
    this.#scale,
    this.#list,
  );

  constructor() {
    this.#gauge.setAttribute('aria-hidden', 'true');
  }

  show(quality: PowerQuality): void {
    const { warningLow: low, warningHigh: high, nominalVoltage } = quality;
    const volts = quality.inputVoltage === '' ? null : Number(quality.inputVoltage);
    const { tone, text } = verdictOf(quality);
    setMark(this.#mark, tone);
    say(this.#words, text);
    const known = low !== null && high !== null;
    this.#gauge.hidden = !known;
    this.#scale.hidden = !known;
    if (known) {
      const width = (high - low) * (1 + 2 * beyond);
      const from = low - (high - low) * beyond;
      const place = volts === null ? null : Math.min(1, Math.max(0, (volts - from) / width));
      this.#needle.hidden = place === null;
      this.#needle.style.left = `${String((place ?? 0) * 100)}%`;
      setClass(this.#needle, `needle ${tone}`);
      say(this.#low, quantity(low, 'V'));
      say(this.#nominal, `nominal ${quantity(nominalVoltage, 'V')}`);
      say(this.#high, quantity(high, 'V'));
    }
    const lines = linesOf(quality).map((line, index) => {
      const item = this.#list.children[index] ?? make('li');
      say(item, line);
      return item;
    });
    arrange(this.#list, lines);
  }
}

function verdictOf({ voltageState, inputVoltage }: PowerQuality): {
  readonly tone: Tone;
  readonly text: string;
} {
  const volts = inputVoltage === '' ? '' : ` at ${inputVoltage}\u00a0V`;
  switch (voltageState) {
    case 'NORMAL':
      return { tone: 'good', text: `Normal${volts}` };
    case 'LOW':
      return { tone: 'warning', text: `Too low${volts}` };
    case 'HIGH':
      return { tone: 'warning', text: `Too high${volts}` };
    case 'UNKNOWN':
      return { tone: 'unknown', text: 'Not judged now' };
  }
}

function linesOf({ avrState, bypassState, overloadState }: PowerQuality): readonly string[] {
  return [
    avrState === 'BOOST' ? 'The UPS boosts a low voltage' : '',
    avrState === 'TRIM' ? 'The UPS trims a high voltage' : '',
    bypassState === 'ACTIVE' ? 'On bypass: the load is not protected' : '',
    overloadState === 'ACTIVE' ? 'Overloaded: more is drawn than it can carry' : '',
  ].filter((line) => line !== '');
}
