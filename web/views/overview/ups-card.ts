// The card of a UPS: its state in words, charge and runtime with their thresholds, and the age of the data.
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import { durationInWords } from '../../../shared/domain/base/duration.js';
import { headlineOf, inputInWords, notesOf, quantity } from '../../../shared/domain/status/wording.js';
import type { Explanation, Freshness } from '../../daemon/client-state.js';
import { make, setText, setClass } from '../../ui/dom.js';
import { stateIcon, setStateIcon } from '../../ui/state-icon.js';
import { ageText } from '../../ui/phrases.js';
import { ChargeBar } from './charge-bar.js';
import { thresholdOf } from './charge-bar.js';

export class UpsCard {
  readonly root = make('article', 'card');
  readonly #icon = stateIcon();
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
      make('div', 'card-top', this.#icon, make('h2', 'card-title', this.#link)),
      make('div', 'card-state', this.#headline, this.#flags),
      this.#charge.root,
      list,
      this.#age,
    );
  }

  show(row: UpsRow, { ageSeconds, stale }: Freshness, explanation: Explanation | undefined): void {
    const headline = headlineOf(row);
    setClass(this.root, `card ${headline.tone}${stale ? ' stale' : ''}`);
    setStateIcon(this.#icon, headline.tone);
    setText(this.#link, row.label);
    this.#link.href = `#/ups/${encodeURIComponent(row.groupId)}`;
    setText(this.#headline, headline.text);
    setText(this.#flags, notesOf(row));
    this.#charge.show(row.batteryCharge, thresholdOf(explanation, 'LOW_BATTERY'), 'limit');
    const limit = thresholdOf(explanation, 'CRITICAL_RUNTIME');
    this.#runtime.set(
      row.runtime === null ? 'unknown' : durationInWords(row.runtime),
      limit === null ? '' : `limit ${durationInWords(limit)}`,
    );
    this.#load.set(quantity(row.load, '%'), row.realPower === null ? '' : quantity(row.realPower, 'W'));
    const input = inputInWords(row);
    this.#input.set(input.text, input.wrong);
    setText(this.#age, ageText(ageSeconds, stale));
  }
}

export function fact(term: string) {
  const value = make('dd');
  const note = make('dd', 'quiet');
  const root = make('div', '', make('dt', '', term), value, note);
  return {
    root,
    set: (text: string, more = ''): void => {
      setText(value, text);
      setText(note, more);
      note.hidden = more === '';
    },
  };
}
