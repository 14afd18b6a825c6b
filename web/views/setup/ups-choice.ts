// One UPS of the daemon: whether the text has it, and whether it powers the machine of the daemon.
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import { triggersOnByDefault } from '../../../shared/domain/triggers/table.js';
import { triggerInWords } from '../../../shared/domain/status/wording.js';
import { make, setText, uniqueId } from '../../ui/dom.js';

export class UpsChoice {
  readonly root = make('li');
  readonly #watched: HTMLInputElement;
  readonly #local: HTMLInputElement;

  constructor(row: UpsRow, changed: () => void) {
    const { name, label, isLocal, unavailableTriggers } = row;
    const box = (text: string, checked: boolean) => {
      const input = make('input');
      Object.assign(input, { type: 'checkbox', checked, id: uniqueId() });
      input.addEventListener('change', changed);
      const words = make('label', '', text);
      words.htmlFor = input.id;
      return { input, row: make('div', 'field inline', input, words) };
    };
    const watched = box(label === name ? name : `${label} (${name})`, true);
    const local = box(`${label} powers the machine of the daemon`, isLocal);
    [this.#watched, this.#local] = [watched.input, local.input];
    const feeds = make('p', 'quiet');
    const fed = triggersOnByDefault.filter((trigger) => !unavailableTriggers.includes(trigger.name));
    const lacking = unavailableTriggers.map(triggerInWords).join(', ');
    const can = `It reports what these triggers need: ${fed.map((trigger) => triggerInWords(trigger.name)).join(', ')}.`;
    setText(feeds, lacking === '' ? can : `${can} It does not report what these need: ${lacking}.`);
    this.root.append(watched.row, feeds, local.row);
  }

  get isWatched(): boolean {
    return this.#watched.checked;
  }

  get isLocal(): boolean {
    return this.#watched.checked && this.#local.checked;
  }
}
