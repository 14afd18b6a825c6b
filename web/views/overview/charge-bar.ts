// The charge as a bar with the threshold. An unknown charge is hatched and has no number, so that it does not look empty.
import type { TriggerName } from '../../../shared/domain/status/states.js';
import { quantity } from '../../../shared/domain/status/wording.js';
import type { Explanation } from '../../daemon/client-state.js';
import { make, setText, setAttribute, setClass } from '../../ui/dom.js';

export class ChargeBar {
  readonly #text = make('span', 'charge-text');
  readonly #limit = make('span', 'quiet');
  readonly #fill = make('div', 'fill');
  readonly #threshold = make('div', 'threshold');
  readonly #bar = make('div', 'bar', this.#fill, this.#threshold);
  readonly root = make('div', 'charge', this.#text, this.#limit, this.#bar);

  /** `limit`: the words before the threshold. */
  show(percent: number | null, threshold: number | null, limit = 'shutdown below'): void {
    setText(this.#text, percent === null ? 'Charge unknown' : `Charge ${quantity(percent, '%')}`);
    setText(this.#limit, threshold === null ? '' : `${limit} ${quantity(threshold, '%')}`);
    const low = percent !== null && threshold !== null && percent < threshold;
    setClass(this.#bar, `bar${percent === null ? ' missing' : ''}${low ? ' low' : ''}`);
    this.#fill.style.width = `${String(percent ?? 0)}%`;
    this.#threshold.hidden = threshold === null;
    this.#threshold.style.left = `${String(threshold ?? 0)}%`;
    // The role `meter` requires a value; an unknown charge is an image.
    const known = percent === null ? null : String(percent);
    setAttribute(this.#bar, 'role', known === null ? 'img' : 'meter');
    setAttribute(this.#bar, 'aria-label', known === null ? 'Charge unknown' : 'Charge');
    setAttribute(this.#bar, 'aria-valuemin', known === null ? null : '0');
    setAttribute(this.#bar, 'aria-valuemax', known === null ? null : '100');
    setAttribute(this.#bar, 'aria-valuenow', known);
  }
}

export function thresholdOf(explanation: Explanation | undefined, name: TriggerName): number | null {
  return explanation?.triggers.find((trigger) => trigger.name === name)?.threshold ?? null;
}
