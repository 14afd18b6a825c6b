// One card per UPS: its state in words, charge and runtime against their thresholds, and how old the data is.
import type { TriggerExplanation, UpsRow } from '../shared/domain/status-model.js';
import {
  capitalised,
  detailInWords,
  durationInWords,
  furtherFlagsInWords,
  headlineOf,
  onBattery,
  quantity,
  triggerInWords,
} from '../shared/domain/wording.js';
import type { ExplainBody } from '../shared/http/bodies.js';
import { arrange, make, say, setClass } from './dom.js';

export interface UpsFacts {
  readonly row: UpsRow;
  readonly explanation: ExplainBody | undefined;
  /** Seconds since the last good reading, null before any. */
  readonly ageSeconds: number | null;
  /** The daemon itself is out of reach: everything here is old. */
  readonly cutOff: boolean;
}

/** A reading this old is no longer "now": a healthy daemon polls every second, and at most every 30. */
const agedSeconds = 35;

export class UpsCard {
  readonly root = make('article', 'card');
  readonly #title = make('h3');
  readonly #name = make('p', 'quiet');
  readonly #headline = make('p', 'headline');
  readonly #flags = make('p', 'quiet flags');
  readonly #chargeText = make('span');
  readonly #chargeLimit = make('span', 'quiet');
  #outage = false;
  readonly #bar = make('div', 'bar');
  readonly #fill = make('div', 'fill');
  readonly #mark = make('div', 'mark');
  readonly #facts = new Map<string, HTMLElement>();
  readonly #runtimeLimit = make('dd', 'limit');
  readonly #age = make('p', 'age');
  readonly #triggers = make('ul', 'triggers');
  readonly #more = make('details', '', make('summary', '', 'When would it shut down?'), this.#triggers);

  constructor() {
    this.#bar.append(this.#fill, this.#mark);
    this.#bar.setAttribute('role', 'meter');
    this.#bar.setAttribute('aria-valuemin', '0');
    this.#bar.setAttribute('aria-valuemax', '100');
    const list = make('dl', 'facts');
    for (const term of ['Runtime left', 'Load', 'Input', 'On battery for']) {
      const value = make('dd');
      this.#facts.set(term, value);
      list.append(make('div', '', make('dt', '', term), value));
    }
    this.#facts.get('Runtime left')?.after(this.#runtimeLimit);
    this.root.append(
      make('div', 'card-top', this.#title, this.#name),
      this.#headline,
      this.#flags,
      make('div', 'charge', this.#chargeText, this.#chargeLimit),
      this.#bar,
      list,
      this.#age,
      this.#more,
    );
  }

  show({ row, explanation, ageSeconds, cutOff }: UpsFacts): void {
    const headline = headlineOf(row);
    const stale = cutOff || row.connectionState !== 'OK' || (ageSeconds ?? 0) > agedSeconds;
    setClass(this.root, `card ${cutOff ? 'unknown' : headline.tone}${stale ? ' stale' : ''}`);
    say(this.#title, row.label);
    say(this.#name, row.name === row.label ? '' : row.name);
    say(this.#headline, headline.text);
    say(
      this.#flags,
      row.connectionDetail === 'OK'
        ? furtherFlagsInWords(row.status).join(', ')
        : detailInWords(row.connectionDetail),
    );
    this.#showCharge(row.batteryCharge, thresholdOf(explanation, 'LOW_BATTERY'));
    const runtimeLimit = thresholdOf(explanation, 'CRITICAL_RUNTIME');
    this.#fact('Runtime left', row.runtime === null ? 'unknown' : durationInWords(row.runtime));
    say(this.#runtimeLimit, runtimeLimit === null ? '' : `shutdown below ${durationInWords(runtimeLimit)}`);
    const watts = row.realPower === null ? '' : `, ${quantity(row.realPower, 'W')}`;
    this.#fact('Load', `${quantity(row.load, '%')}${watts}`);
    const volts = row.powerQuality.inputVoltage;
    this.#fact('Input', volts === '' ? 'unknown' : `${volts} V`);
    this.#fact(
      'On battery for',
      row.timeOnBattery > 0 ? durationInWords(row.timeOnBattery) : 'not on battery',
    );
    say(this.#age, ageText(ageSeconds, stale));
    this.#more.hidden = explanation === undefined;
    // An outage opens the answer to the question everybody has then; who closes it again is left in peace.
    const outage = onBattery(row);
    if (outage && !this.#outage) this.#more.open = true;
    this.#outage = outage;
    if (explanation !== undefined) this.#showTriggers(explanation.triggers);
  }

  #fact(term: string, text: string): void {
    const value = this.#facts.get(term);
    if (value !== undefined) say(value, text);
  }

  #showCharge(percent: number | null, threshold: number | null): void {
    say(this.#chargeText, percent === null ? 'Charge unknown' : `Charge ${quantity(percent, '%')}`);
    say(this.#chargeLimit, threshold === null ? '' : `shutdown below ${quantity(threshold, '%')}`);
    const low = percent !== null && threshold !== null && percent < threshold;
    setClass(this.#bar, `bar${percent === null ? ' missing' : ''}${low ? ' low' : ''}`);
    this.#fill.style.width = `${String(percent ?? 0)}%`;
    this.#mark.hidden = threshold === null;
    this.#mark.style.left = `${String(threshold ?? 0)}%`;
    if (percent === null) this.#bar.removeAttribute('aria-valuenow');
    else this.#bar.setAttribute('aria-valuenow', String(percent));
    this.#bar.setAttribute('aria-label', `Charge ${quantity(percent, 'percent')}`);
  }

  #showTriggers(triggers: readonly TriggerExplanation[]): void {
    const items = triggers.map((trigger, index) => {
      const item = this.#triggers.children[index] ?? make('li', '', make('strong'), make('span'));
      setClass(item, trigger.active ? 'active' : trigger.armed ? 'armed' : '');
      if (item.firstElementChild !== null)
        say(item.firstElementChild, capitalised(triggerInWords(trigger.name)));
      if (item.lastElementChild !== null) say(item.lastElementChild, trigger.text);
      return item;
    });
    arrange(this.#triggers, items);
  }
}

function thresholdOf(explanation: ExplainBody | undefined, name: string): number | null {
  return explanation?.triggers.find((trigger) => trigger.name === name)?.threshold ?? null;
}

function ageText(seconds: number | null, stale: boolean): string {
  if (seconds === null) return 'No reading yet';
  if (!stale && seconds < 3) return 'Read just now';
  return `${stale ? 'Old data: last reading' : 'Read'} ${durationInWords(seconds)} ago`;
}
