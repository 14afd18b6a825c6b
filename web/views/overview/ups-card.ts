// One card per UPS: its state in words, charge and runtime against their thresholds, and how old the data is.
import type { UpsRow } from '../../../shared/domain/status-model.js';
import {
  detailInWords,
  durationInWords,
  furtherFlagsInWords,
  headlineOf,
  quantity,
} from '../../../shared/domain/wording.js';
import type { Explanation, Freshness } from '../../daemon/knowledge.js';
import { make, say, setClass } from '../../ui/dom.js';
import { mark, setMark } from '../../ui/icons.js';
import { ageText } from '../../ui/phrases.js';
import { ChargeBar } from './charge-bar.js';
import { thresholdOf } from './charge-bar.js';

export class UpsCard {
  readonly root = make('article', 'card');
  readonly #mark = mark();
  readonly #link = make('a');
  readonly #headline = make('p', 'headline');
  readonly #flags = make('p', 'quiet');
  readonly #charge = new ChargeBar();
  readonly #runtime = fact('Runtime');
  readonly #load = fact('Load');
  readonly #input = fact('Input');
  readonly #age = make('p', 'age');

  constructor() {
    const list = make('dl', 'facts', this.#runtime.root, this.#load.root, this.#input.root);
    this.root.append(
      make('div', 'card-top', this.#mark, make('h2', 'card-title', this.#link)),
      make('div', 'card-state', this.#headline, this.#flags),
      this.#charge.root,
      list,
      this.#age,
    );
  }

  show(row: UpsRow, { ageSeconds, stale }: Freshness, explanation: Explanation | undefined): void {
    const headline = headlineOf(row);
    setClass(this.root, `card ${headline.tone}${stale ? ' stale' : ''}`);
    setMark(this.#mark, headline.tone);
    say(this.#link, row.label);
    this.#link.href = `#/ups/${encodeURIComponent(row.groupId)}`;
    say(this.#headline, headline.text);
    const flags = furtherFlagsInWords(row.status).join(', ');
    say(this.#flags, row.connectionDetail === 'OK' ? flags : detailInWords(row.connectionDetail));
    this.#charge.show(row.batteryCharge, thresholdOf(explanation, 'LOW_BATTERY'), 'limit');
    const limit = thresholdOf(explanation, 'CRITICAL_RUNTIME');
    this.#runtime.say(
      row.runtime === null ? 'unknown' : durationInWords(row.runtime),
      limit === null ? '' : `limit ${durationInWords(limit)}`,
    );
    this.#load.say(quantity(row.load, '%'), row.realPower === null ? '' : quantity(row.realPower, 'W'));
    const { inputVoltage, voltageState } = row.powerQuality;
    const notable = voltageState === 'LOW' || voltageState === 'HIGH';
    this.#input.say(
      inputVoltage === '' ? 'unknown' : `${inputVoltage}\u00a0V`,
      notable ? `too ${voltageState.toLowerCase()}` : '',
    );
    say(this.#age, ageText(ageSeconds, stale));
  }
}

export function fact(term: string) {
  const value = make('dd');
  const note = make('dd', 'quiet');
  const root = make('div', '', make('dt', '', term), value, note);
  return {
    root,
    say: (text: string, more = ''): void => {
      say(value, text);
      say(note, more);
      note.hidden = more === '';
    },
  };
}
