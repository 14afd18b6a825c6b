// The fleet at one glance: a sentence, the UPSes, what feeds what, and in an outage its film strip.
import type { UpsRow } from '../../../shared/domain/status-model.js';
import type { Tone } from '../../../shared/domain/wording.js';
import { headlineOf, onBattery } from '../../../shared/domain/wording.js';
import { FilmStrip } from '../../charts/film-strip.js';
import { cutOff, freshnessOf, groupOf } from '../../daemon/knowledge.js';
import { Kept, arrange, make, say, setClass } from '../../ui/dom.js';
import { mark, setMark } from '../../ui/icons.js';
import type { Tools, View } from '../view.js';
import { FeedPicture } from './feed-picture.js';
import { fleetSentence } from './fleet-sentence.js';
import { UpsCard } from './ups-card.js';

/** Up to this many every UPS has a full card; beyond, those that are fine shrink. A phone shows two at once. */
const mostFullCards = { wide: 6, narrow: 2 };
const narrow = matchMedia('(max-width: 40rem)');
/** In an outage the first of those on battery; the others' strips are on their own pages. */
const mostStrips = 2;
/** Thresholds on the cards: the daemon is asked about so many, and about the others when they are opened. */
const mostExplained = 30;

export class Overview implements View {
  readonly root = make('div');
  readonly #mark = mark();
  readonly #sentence = make('h1', 'sentence');
  readonly #detail = make('p', 'quiet');
  readonly #strips = make('div', 'strips');
  readonly #cards = make('div', 'cards');
  readonly #fine = make('div', 'cards small');
  readonly #feedsTitle = make('h2', '', 'What feeds what');
  readonly #feeds = make('div', 'feeds');
  readonly #views: {
    readonly strips: Kept<FilmStrip>;
    readonly cards: Kept<UpsCard>;
    readonly groups: Kept<FeedPicture>;
  };

  constructor(readonly tools: Tools) {
    this.#views = {
      strips: new Kept(
        (groupId) => new FilmStrip(groupId, tools),
        (strip) => strip.end(),
      ),
      cards: new Kept(() => new UpsCard()),
      groups: new Kept(() => new FeedPicture()),
    };
    const glance = make('div', 'glance', this.#mark, make('div', '', this.#sentence, this.#detail));
    this.root.append(glance, this.#cards, this.#fine, this.#strips, this.#feedsTitle, this.#feeds);
  }

  title(): string {
    return 'Overview';
  }

  open(): void {
    this.show();
  }

  show(): void {
    const { known, details } = this.tools;
    const { status } = known;
    setClass(this.root, cutOff(known) ? 'cut-off' : '');
    const { tone, text, detail } = fleetSentence(known);
    setMark(this.#mark, tone);
    say(this.#sentence, text);
    say(this.#detail, detail);
    if (status === null) return;
    const rows = [...status.ups].sort((a, b) => urgency(b) - urgency(a));
    details.want(
      [...status.redundancyGroups, ...rows.slice(0, mostExplained)].map(({ groupId }) => groupId),
      [
        ...status.redundancyGroups.map(({ groupId }) => groupId),
        ...rows.slice(0, 1).map((row) => groupOf(known, row)),
      ],
    );
    this.#showCards(rows);
    // Who has one UPS has the room for what would happen to it on a sunny day.
    const filmed = rows.length === 1 ? rows : rows.filter((row) => onBattery(row)).slice(0, mostStrips);
    const strips = this.#views.strips.only(filmed.map(({ groupId }) => groupId));
    arrange(
      this.#strips,
      strips.map(({ root }) => root),
    );
    for (const strip of strips) strip.show();
    this.#showGroups();
  }

  #showCards(rows: readonly UpsRow[]): void {
    const { known } = this.tools;
    const cards = this.#views.cards.only(rows.map(({ groupId }) => groupId));
    const large: HTMLElement[] = [];
    const small: HTMLElement[] = [];
    rows.forEach((row, index) => {
      const card = cards[index];
      if (card === undefined) return;
      const isFine =
        headlineOf(row).tone === 'good' && rows.length > mostFullCards[narrow.matches ? 'narrow' : 'wide'];
      card.show(row, freshnessOf(known, row), known.explanations.get(row.groupId));
      (isFine ? small : large).push(card.root);
    });
    arrange(this.#cards, large);
    arrange(this.#fine, small);
  }

  #showGroups(): void {
    const { known } = this.tools;
    const groups = known.status?.redundancyGroups ?? [];
    const pictures = this.#views.groups.only(groups.map(({ groupId }) => groupId));
    arrange(
      this.#feeds,
      pictures.map(({ root }) => root),
    );
    groups.forEach((group, index) => pictures[index]?.show(group, known));
    this.#feedsTitle.hidden = groups.length === 0;
  }
}

const urgencies: Readonly<Record<Tone, number>> = { danger: 3, warning: 2, unknown: 1, good: 0 };

/** The worst first; those of one kind keep the order of the configuration. */
function urgency(row: UpsRow): number {
  return (row.triggerActive ? 10 : 0) + urgencies[headlineOf(row).tone];
}
