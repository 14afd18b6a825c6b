// When it would shut down, trigger by trigger, in the daemon's own words, with a bar of how near each is.
import type { TriggerExplanation } from '../../../shared/domain/status-model.js';
import { capitalised, plainTriggers, prospectOf, triggerInWords } from '../../../shared/domain/wording.js';
import type { Explanation } from '../../daemon/knowledge.js';
import { arrange, make, say, setClass } from '../../ui/dom.js';

export class TriggerList {
  readonly #next = make('p');
  readonly #list = make('ul', 'triggers');
  readonly root = make(
    'section',
    'panel',
    make('h2', '', 'When would it shut down?'),
    this.#next,
    this.#list,
  );

  /** `account`: the daemon's sentences, where they belong to what is shown. */
  show(explanation: Explanation | undefined, account: string | undefined): void {
    if (explanation === undefined) {
      say(this.#next, 'Not asked yet.');
      this.#list.replaceChildren();
      return;
    }
    say(this.#next, plainTriggers(prospectOf(account ?? '')[0] ?? ''));
    const items = explanation.triggers.map((trigger, index) => {
      const item =
        this.#list.children[index] ??
        make('li', '', make('strong'), make('span', 'state'), make('span', 'quiet'));
      setClass(item, trigger.active ? 'active' : trigger.armed ? 'armed' : 'off');
      const [name, state, text] = [...item.children];
      if (name !== undefined) say(name, capitalised(triggerInWords(trigger.name)));
      if (state !== undefined) say(state, stateOf(trigger));
      if (text !== undefined) say(text, trigger.text);
      return item;
    });
    arrange(this.#list, items);
  }
}

function stateOf({ active, armed }: TriggerExplanation): string {
  return active ? 'met' : armed ? 'armed' : 'not armed';
}
