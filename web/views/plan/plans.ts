// The shutdown plan of every group: what is done in which order, how long each may take, and how far it has come.
import { FilmStrip } from '../../charts/film-strip.js';
import type { Knowledge } from '../../daemon/knowledge.js';
import { groupOf } from '../../daemon/knowledge.js';
import { Kept, arrange, make, say } from '../../ui/dom.js';
import type { Tools, View } from '../view.js';
import { PlanPicture } from './plan-picture.js';

/** A page with a hundred plans is read by nobody: the first ones, and a list to choose from. */
const mostPlans = 12;

interface Group {
  readonly groupId: string;
  readonly label: string;
  /** The UPS whose battery the plan has to fit; null for a redundancy group, which has several. */
  readonly ups: string | null;
}

export class Plans implements View {
  readonly root = make('div', 'plans');
  readonly #intro = make('p', 'quiet');
  readonly #choice = make('select');
  readonly #chooser = make('div', 'field inline');
  readonly #list = make('div');
  readonly #pictures: Kept<PlanPicture>;
  readonly #films: Kept<FilmStrip>;
  #chosen = '';

  constructor(readonly tools: Tools) {
    this.#pictures = new Kept(() => new PlanPicture());
    this.#films = new Kept(
      (groupId) => new FilmStrip(groupId, tools),
      (film) => film.end(),
    );
    const label = make('label', '', 'Plan of');
    this.#choice.id = 'plan-choice';
    label.htmlFor = this.#choice.id;
    this.#chooser.append(label, this.#choice);
    this.#choice.addEventListener('change', () => {
      this.#chosen = this.#choice.value;
      this.tools.refresh();
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
    this.#films.only([]);
  }

  show(): void {
    const { known, details } = this.tools;
    const groups = groupsOf(known);
    this.#offer(groups);
    const shown =
      this.#chosen === ''
        ? groups.slice(0, mostPlans)
        : groups.filter(({ groupId }) => groupId === this.#chosen);
    details.want(
      [],
      shown.map(({ groupId }) => groupId),
    );
    say(this.#intro, introOf(known, groups, shown));
    const pictures = this.#pictures.only(shown.map(({ groupId }) => groupId));
    const withFilm = shown.flatMap(({ ups }) => (ups === null || shown.length > 2 ? [] : [ups]));
    const films = this.#films.only(withFilm);
    arrange(
      this.#list,
      shown.flatMap(({ ups }, index) => {
        const film = films[ups === null ? -1 : withFilm.indexOf(ups)];
        const picture = pictures[index];
        return [...(picture === undefined ? [] : [picture.root]), ...(film === undefined ? [] : [film.root])];
      }),
    );
    shown.forEach((group, index) => pictures[index]?.show(group.label, known, group.groupId));
    for (const film of films) film.show();
  }

  #offer(groups: readonly Group[]): void {
    this.#chooser.hidden = groups.length < 2;
    const options = [{ groupId: '', label: 'everything' }, ...groups];
    const same = options.every(({ label }, index) => this.#choice.options[index]?.text === label);
    if (same && this.#choice.options.length === options.length) return;
    this.#choice.replaceChildren(
      ...options.map(({ groupId, label }) => Object.assign(make('option', '', label), { value: groupId })),
    );
    this.#choice.value = this.#chosen;
  }
}

function groupsOf(known: Knowledge): readonly Group[] {
  const { status } = known;
  if (status === null) return [];
  const single = status.ups.filter((row) => groupOf(known, row) === row.groupId);
  return [
    ...status.redundancyGroups.map(({ groupId, name }) => ({ groupId, label: name, ups: null })),
    ...single.map(({ groupId, label }) => ({ groupId, label, ups: groupId })),
  ];
}

function introOf({ plans }: Knowledge, groups: readonly Group[], shown: readonly Group[]): string {
  const kind = [...plans.values()].some(({ dryRun }) => dryRun)
    ? 'This is a dry run: every step is decided, timed and recorded, and none is carried out. '
    : '';
  const more =
    shown.length < groups.length && shown.length === mostPlans
      ? ` The first ${String(mostPlans)} of ${String(groups.length)} are shown.`
      : '';
  return `${kind}This is the very plan that is run when a trigger fires: the same value, step by step.${more}`;
}
