// The connection to the daemon in the header: live, connecting, or lost with its time; and whether the daemon is in a dry run.
import { durationInWords } from '../../shared/domain/base/duration.js';
import { groupOf, inOutage, isDisconnected, secondsSinceAnswer } from '../daemon/client-state.js';
import { byId, setText, setClass } from '../ui/dom.js';
import type { ViewContext } from './view.js';

export class ConnectionIndicator {
  readonly #element = byId('connection');
  readonly #state = byId('connection-state');
  readonly #age = byId('connection-age');
  readonly #dryRun = byId('dry-run');

  constructor(readonly context: ViewContext) {}

  /** The first characters of the browser tab's title, visible while another tab is open. */
  get titlePrefix(): string {
    const { clientState } = this.context;
    if (clientState.connection === 'lost') return '? ';
    return inOutage(clientState) ? '! ' : '';
  }

  show(): void {
    const { clientState, details } = this.context;
    const lost = clientState.connection === 'lost' && clientState.lastAnswer !== null;
    setClass(this.#element, `connection ${clientState.connection}`);
    setText(this.#state, this.#text());
    // Not in the element of the state: a screen reader would read it aloud every second.
    setText(this.#age, lost ? ` for ${durationInWords(secondsSinceAnswer(clientState))}` : '');
    this.#dryRun.hidden = clientState.dryRun !== true;
    // Every plan says it; a reload may have changed it while the view shows none.
    const [first] = clientState.status?.ups ?? [];
    if (first !== undefined && !isDisconnected(clientState))
      details.request([], [groupOf(clientState, first)]);
  }

  #text(): string {
    const { clientState } = this.context;
    switch (clientState.connection) {
      case 'connecting':
        return 'Connecting';
      case 'streaming':
        return 'Live';
      case 'polling':
        return 'Live, by polling';
      case 'locked':
        return 'Sign-in required';
      case 'lost':
        return 'No connection';
    }
  }
}
