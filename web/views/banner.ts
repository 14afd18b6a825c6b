// The banner: the one thing that matters now and what happens next. Its title is read out by screen readers, so it
// holds nothing that ticks; what ticks stands in the lines below it.
import type { Knowledge } from '../daemon/knowledge.js';
import { inOutage } from '../daemon/knowledge.js';
import { arrange, make, say, setClass } from '../ui/dom.js';
import { alertOf } from './alert.js';
import { SequenceProgress } from './sequence-progress.js';
import type { Tools } from './view.js';

export class Banner {
  readonly #title = make('p', 'banner-title');
  readonly #lines = make('div', 'banner-lines');
  readonly #progress = new SequenceProgress();

  constructor(
    readonly root: HTMLElement,
    readonly tools: Tools,
  ) {
    this.#title.setAttribute('aria-live', 'assertive');
    root.append(this.#title, this.#lines, this.#progress.root);
  }

  show(): void {
    const { known, details } = this.tools;
    if (inOutage(known)) details.want(concerned(known), []);
    const alert = alertOf(known);
    this.root.hidden = alert === null;
    this.#progress.show(known);
    if (alert === null) {
      say(this.#title, '');
      return;
    }
    setClass(this.root, `banner ${alert.tone}`);
    say(this.#title, alert.title);
    const lines = alert.lines.map((text, index) => {
      const line = this.#lines.children[index] ?? make('p');
      say(line, text);
      return line;
    });
    arrange(this.#lines, lines);
  }
}

/** The worst are explained, the rest is counted: a room of a hundred that fails together is one event. */
const mostExplained = 8;

function concerned({ status }: Knowledge): readonly string[] {
  const rows = status?.ups.filter(
    (row) => row.triggerActive || row.timeOnBattery > 0 || row.status.includes('OB'),
  );
  const groups = status?.redundancyGroups.filter(({ quorumLost }) => quorumLost) ?? [];
  return [...groups, ...(rows ?? [])].slice(0, mostExplained).map(({ groupId }) => groupId);
}
