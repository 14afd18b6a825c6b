// The overview: a sentence, the UPSes, the redundancy groups with their loads, and in an outage its timeline.
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import type { Tone } from '../../../shared/domain/status/wording.js';
import { headlineOf, onBattery } from '../../../shared/domain/status/wording.js';
import { OutageTimeline } from '../../charts/outage-timeline/outage-timeline.js';
import { isDisconnected, freshnessOf } from '../../daemon/client-state.js';
import { setChildren, make, setText, setClass } from '../../ui/dom.js';
import { ViewCache } from '../../ui/view-cache.js';
import { stateIcon, setStateIcon } from '../../ui/state-icon.js';
import type { ViewContext, View } from '../view.js';
import { FeedDiagram } from './feed-diagram.js';
import { fleetSummary } from './fleet-summary.js';
import { UpsCard } from './ups-card.js';

/** With more UPSes, those without a problem get a small card. A phone has room for two full ones. */
const maxFullCards = { wide: 6, narrow: 2 };
const narrow = matchMedia('(max-width: 40rem)');
/** Timelines of UPSes on battery; the others have theirs on their own pages. */
const maxTimelines = 2;
/** Loads the explanations (for the thresholds on the cards) of this many; those of the others when they are opened. */
const maxExplained = 30;

export class Overview implements View {
  readonly root = make('div');
  readonly #icon = stateIcon();
  readonly #sentence = make('h1', 'sentence');
  readonly #detail = make('p', 'quiet');
  readonly #timelines = make('div', 'timelines');
  readonly #cards = make('div', 'cards');
  readonly #smallCards = make('div', 'cards small');
  readonly #feedsTitle = make('h2', '', 'Power feeds');
  readonly #feeds = make('div', 'feeds');
  readonly #views: {
    readonly timelines: ViewCache<OutageTimeline>;
    readonly cards: ViewCache<UpsCard>;
    readonly groups: ViewCache<FeedDiagram>;
  };

  constructor(readonly context: ViewContext) {
    this.#views = {
      timelines: new ViewCache(
        (groupId) => new OutageTimeline(groupId, context),
        (timeline) => timeline.end(),
      ),
      cards: new ViewCache(() => new UpsCard()),
      groups: new ViewCache(() => new FeedDiagram()),
    };
    const glance = make('div', 'glance', this.#icon, make('div', '', this.#sentence, this.#detail));
    this.root.append(glance, this.#cards, this.#smallCards, this.#timelines, this.#feedsTitle, this.#feeds);
  }

  title(): string {
    return 'Overview';
  }

  open(): void {
    this.show();
  }

  show(): void {
    const { clientState, details } = this.context;
    const { status } = clientState;
    setClass(this.root, isDisconnected(clientState) ? 'disconnected' : '');
    const { tone, text, detail } = fleetSummary(clientState);
    setStateIcon(this.#icon, tone);
    setText(this.#sentence, text);
    setText(this.#detail, detail);
    if (status === null) return;
    const rows = [...status.ups].sort((a, b) => urgency(b) - urgency(a));
    details.request(
      [...status.redundancyGroups, ...rows.slice(0, maxExplained)].map(({ groupId }) => groupId),
      status.redundancyGroups.map(({ groupId }) => groupId),
    );
    this.#showCards(rows);
    // With a single UPS there is room for its timeline on line power.
    const withTimeline =
      rows.length === 1 ? rows : rows.filter((row) => onBattery(row)).slice(0, maxTimelines);
    const timelines = this.#views.timelines.retain(withTimeline.map(({ groupId }) => groupId));
    setChildren(
      this.#timelines,
      timelines.map(({ root }) => root),
    );
    for (const timeline of timelines) timeline.show();
    this.#showGroups();
  }

  #showCards(rows: readonly UpsRow[]): void {
    const { clientState } = this.context;
    const cards = this.#views.cards.retain(rows.map(({ groupId }) => groupId));
    const large: HTMLElement[] = [];
    const small: HTMLElement[] = [];
    rows.forEach((row, index) => {
      const card = cards[index];
      if (card === undefined) return;
      const isSmall =
        headlineOf(row).tone === 'good' && rows.length > maxFullCards[narrow.matches ? 'narrow' : 'wide'];
      card.show(row, freshnessOf(clientState, row), clientState.explanations.get(row.groupId));
      (isSmall ? small : large).push(card.root);
    });
    setChildren(this.#cards, large);
    setChildren(this.#smallCards, small);
  }

  #showGroups(): void {
    const { clientState } = this.context;
    const groups = clientState.status?.redundancyGroups ?? [];
    const pictures = this.#views.groups.retain(groups.map(({ groupId }) => groupId));
    setChildren(
      this.#feeds,
      pictures.map(({ root }) => root),
    );
    groups.forEach((group, index) => pictures[index]?.show(group, clientState));
    this.#feedsTitle.hidden = groups.length === 0;
  }
}

const urgencies: Readonly<Record<Tone, number>> = { danger: 3, warning: 2, unknown: 1, good: 0 };

/** The sort key: most urgent first; equal ones keep the order of the configuration. */
function urgency(row: UpsRow): number {
  return (row.triggerActive ? 10 : 0) + urgencies[headlineOf(row).tone];
}
