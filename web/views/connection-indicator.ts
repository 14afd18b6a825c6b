// How the page stands with the daemon: live, asking, or cut off since when. Always in sight.
import { durationInWords } from '../../shared/domain/wording.js';
import { inOutage, silentSeconds } from '../daemon/knowledge.js';
import { byId, say, setClass } from '../ui/dom.js';
import type { Tools } from './view.js';

export class ContactLine {
  readonly #element = byId('contact');
  readonly #state = byId('contact-state');
  readonly #age = byId('contact-age');
  readonly #rehearsal = byId('rehearsal');

  constructor(readonly tools: Tools) {}

  /** Stands before the title in the browser's tab: what a person sees who looks elsewhere. */
  get sign(): string {
    const { known } = this.tools;
    if (known.contact === 'lost') return '? ';
    return inOutage(known) ? '! ' : '';
  }

  show(): void {
    const { known } = this.tools;
    const lost = known.contact === 'lost' && known.answeredMs !== null;
    setClass(this.#element, `contact ${known.contact}`);
    say(this.#state, this.#text());
    // Apart from the state, so that no screen reader reads every second aloud.
    say(this.#age, lost ? ` for ${durationInWords(silentSeconds(known))}` : '');
    this.#rehearsal.hidden = ![...known.plans.values()].some(({ dryRun }) => dryRun);
  }

  #text(): string {
    const { known } = this.tools;
    switch (known.contact) {
      case 'connecting':
        return 'Connecting';
      case 'streaming':
        return 'Live';
      case 'polling':
        return 'Live, by polling';
      case 'locked':
        return 'Sign in to see anything';
      case 'lost':
        return 'No contact';
    }
  }
}
