// The shutdown plan of every group: the steps in their order, their budgets and their progress.
import { OutageTimeline } from '../../charts/outage-timeline/outage-timeline.js';
import type { ClientState } from '../../daemon/client-state.js';
import { groupOf } from '../../daemon/client-state.js';
import { setChildren, make, setText } from '../../ui/dom.js';
import { ViewCache } from '../../ui/view-cache.js';
import type { ViewContext, View } from '../view.js';
import { PlanChart } from './plan-chart.js';

/** The page shows the first plans; the list above them has all. */
const maxPlans = 12;

interface Group {
  readonly groupId: string;
  readonly label: string;
  /** The UPS whose battery must last for the plan; null for a redundancy group, which has several. */
  readonly ups: string | null;
}

export class PlansView implements View {
  readonly root = make('div', 'plans');
  readonly #intro = make('p', 'quiet');
  readonly #choice = make('select');
  readonly #chooser = make('div', 'field inline');
  readonly #list = make('div');
  readonly #charts: ViewCache<PlanChart>;
  readonly #timelines: ViewCache<OutageTimeline>;
  #chosen = '';

  constructor(readonly context: ViewContext) {
    this.#charts = new ViewCache(() => new PlanChart());
    this.#timelines = new ViewCache(
      (groupId) => new OutageTimeline(groupId, context),
      (timeline) => timeline.end(),
    );
    const label = make('label', '', 'Plan of');
    this.#choice.id = 'plan-choice';
    label.htmlFor = this.#choice.id;
    this.#chooser.append(label, this.#choice);
    this.#choice.addEventListener('change', () => {
      this.#chosen = this.#choice.value;
      this.context.refresh();
    });
    this.root.append(make('h1', '', 'Shutdown plan'), this.#intro, this.#chooser, this.#list);
  }

  title(): string {
    return 'Plan';
  }

  open(): void {
    this.show();
  }

  close(): void {
    this.#timelines.retain([]);
  }

  show(): void {
    const { clientState, details } = this.context;
    const groups = groupsOf(clientState);
    if (!groups.some(({ groupId }) => groupId === this.#chosen)) this.#chosen = '';
    this.#updateChoice(groups);
    const shown =
      this.#chosen === ''
        ? groups.slice(0, maxPlans)
        : groups.filter(({ groupId }) => groupId === this.#chosen);
    details.request(
      [],
      shown.map(({ groupId }) => groupId),
    );
    setText(this.#intro, introOf(clientState, groups, shown));
    const charts = this.#charts.retain(shown.map(({ groupId }) => groupId));
    const withTimeline = shown.flatMap(({ ups }) => (ups === null || shown.length > 2 ? [] : [ups]));
    const timelines = this.#timelines.retain(withTimeline);
    setChildren(
      this.#list,
      shown.flatMap(({ ups }, index) => {
        const timeline = timelines[ups === null ? -1 : withTimeline.indexOf(ups)];
        const chart = charts[index];
        return [
          ...(chart === undefined ? [] : [chart.root]),
          ...(timeline === undefined ? [] : [timeline.root]),
        ];
      }),
    );
    shown.forEach((group, index) => charts[index]?.show(group.label, clientState, group.groupId));
    for (const timeline of timelines) timeline.show();
  }

  #updateChoice(groups: readonly Group[]): void {
    this.#chooser.hidden = groups.length < 2;
    const options = [{ groupId: '', label: 'everything' }, ...groups];
    const shown = [...this.#choice.options]
      .map(({ textContent, value }) => `${value}\n${textContent}`)
      .join();
    if (shown === options.map(({ groupId, label }) => `${groupId}\n${label}`).join()) return;
    this.#choice.replaceChildren(
      ...options.map(({ groupId, label }) => Object.assign(make('option', '', label), { value: groupId })),
    );
    this.#choice.value = this.#chosen;
  }
}

function groupsOf(clientState: ClientState): readonly Group[] {
  const { status } = clientState;
  if (status === null) return [];
  const single = status.ups.filter((row) => groupOf(clientState, row) === row.groupId);
  return [
    ...status.redundancyGroups.map(({ groupId, name }) => ({ groupId, label: name, ups: null })),
    ...single.map(({ groupId, label }) => ({ groupId, label, ups: groupId })),
  ];
}

function introOf({ dryRun }: ClientState, groups: readonly Group[], shown: readonly Group[]): string {
  const kind =
    dryRun === true ? 'This is a dry run: every step is decided, timed and recorded, and none is run. ' : '';
  const more =
    shown.length < groups.length && shown.length === maxPlans
      ? ` The first ${String(maxPlans)} of ${String(groups.length)} are shown.`
      : '';
  return `${kind}The daemon runs exactly this plan when a trigger fires.${more}`;
}
