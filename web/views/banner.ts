// The banner: the most important fact and the next step. Screen readers read its title aloud, so the title has no values that
// change every second; the lines below it have them.
import { onBattery } from '../../shared/domain/status/wording.js';
import type { ClientState } from '../daemon/client-state.js';
import { inOutage } from '../daemon/client-state.js';
import { setChildren, make, setText, setClass } from '../ui/dom.js';
import { alertOf } from './alert.js';
import { SequenceProgress } from './sequence-progress.js';
import type { ViewContext } from './view.js';

export class Banner {
  readonly #title = make('p', 'banner-title');
  readonly #lines = make('div', 'banner-lines');
  readonly #progress = new SequenceProgress();

  constructor(
    readonly root: HTMLElement,
    readonly context: ViewContext,
  ) {
    this.#title.setAttribute('aria-live', 'assertive');
    root.append(this.#title, this.#lines, this.#progress.root);
  }

  show(): void {
    const { clientState, details, outages } = this.context;
    if (inOutage(clientState)) details.request(groupsToExplain(clientState), []);
    const alert = alertOf(clientState, outages.paceWarnings());
    this.root.hidden = alert === null;
    this.#progress.show(clientState);
    if (alert === null) {
      setText(this.#title, '');
      return;
    }
    setClass(this.root, `banner ${alert.tone}`);
    setText(this.#title, alert.title);
    const lines = alert.lines.map((text, index) => {
      const line = this.#lines.children[index] ?? make('p');
      setText(line, text);
      return line;
    });
    setChildren(this.#lines, lines);
  }
}

/** Explanations are loaded for this many; the banner counts the rest. */
const maxExplained = 8;

function groupsToExplain({ status }: ClientState): readonly string[] {
  const rows = status?.ups.filter((row) => row.triggerActive || row.timeOnBattery > 0 || onBattery(row));
  const groups = status?.redundancyGroups.filter(({ quorumLost }) => quorumLost) ?? [];
  return [...groups, ...(rows ?? [])].slice(0, maxExplained).map(({ groupId }) => groupId);
}
