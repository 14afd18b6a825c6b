// The triggers with the daemon's sentence about each, and its sentence about the next step.
import type { TriggerExplanation } from '../../../shared/domain/status/status-model.js';
import {
  capitalise,
  plainTriggers,
  forecastLines,
  triggerInWords,
} from '../../../shared/domain/status/wording.js';
import type { Explanation } from '../../daemon/client-state.js';
import { setChildren, make, setText, setClass } from '../../ui/dom.js';

export class TriggerList {
  readonly #next = make('p');
  readonly #list = make('ul', 'triggers');
  readonly #doubts = make('p', 'quiet');
  readonly root = make(
    'section',
    'panel',
    make('h2', '', 'Shutdown triggers'),
    this.#next,
    this.#list,
    this.#doubts,
  );

  /** `text`: the daemon's explanation, undefined when it is of an earlier state. */
  show(explanation: Explanation | undefined, text: string | undefined): void {
    if (explanation === undefined) {
      setText(this.#next, 'Loading.');
      this.#list.replaceChildren();
      setText(this.#doubts, '');
      return;
    }
    setText(this.#next, plainTriggers(forecastLines(text ?? '')[0] ?? ''));
    setText(this.#doubts, forecastLines(explanation.text).slice(2).join(' '));
    const items = explanation.triggers.map((trigger, index) => {
      const item =
        this.#list.children[index] ??
        make('li', '', make('strong'), make('span', 'state'), make('span', 'quiet'));
      setClass(item, trigger.active ? 'active' : trigger.armed ? 'armed' : 'off');
      const [name, state, sentence] = [...item.children];
      if (name !== undefined) setText(name, capitalise(triggerInWords(trigger.name)));
      if (state !== undefined) setText(state, stateOf(trigger));
      if (sentence !== undefined) setText(sentence, trigger.text);
      return item;
    });
    setChildren(this.#list, items);
  }
}

function stateOf({ active, armed }: TriggerExplanation): string {
  return active ? 'met' : armed ? 'armed' : 'not armed';
}
