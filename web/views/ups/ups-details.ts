// Everything of one UPS: how it stands, what would happen, its power, its past, its battery, its variables.
import { detailInWords, furtherFlagsInWords, headlineOf } from '../../../shared/domain/wording.js';
import { FilmStrip } from '../../charts/film-strip.js';
import { accountOf, freshnessOf } from '../../daemon/knowledge.js';
import { Kept, arrange, make, say, setClass } from '../../ui/dom.js';
import { mark, setMark } from '../../ui/icons.js';
import { ageText } from '../../ui/phrases.js';
import type { Tools, View } from '../view.js';
import { Battery } from './battery.js';
import { Histories } from './histories.js';
import { LiveValues } from './live-values.js';
import { RemoteList } from './remote-list.js';
import { TriggerList } from './trigger-list.js';
import { Variables } from './variables.js';
import { VoltageGauge } from './voltage-gauge.js';

export class OneUps implements View {
  readonly root = make('div', 'ups');
  readonly #mark = mark();
  readonly #label = make('h1');
  readonly #name = make('p', 'quiet');
  readonly #headline = make('p', 'headline');
  readonly #flags = make('p', 'quiet');
  readonly #age = make('p', 'age');
  readonly #missing = make(
    'p',
    'problem',
    'No UPS of this name is known. It may have been removed from the configuration.',
  );
  readonly #values = new LiveValues();
  readonly #films: Kept<FilmStrip>;
  readonly #film = make('div');
  readonly #triggers = new TriggerList();
  readonly #gauge = new VoltageGauge();
  readonly #remotes = new RemoteList();
  readonly #parts = make('div', 'ups-parts');
  readonly #histories: Histories;
  readonly #battery: Battery;
  readonly #variables: Variables;
  readonly #control = make('a', 'button plain', 'Control');
  #groupId = '';

  constructor(readonly tools: Tools) {
    this.#histories = new Histories(tools);
    this.#battery = new Battery(tools);
    this.#variables = new Variables(tools);
    this.#films = new Kept(
      (groupId) => new FilmStrip(groupId, tools),
      (film) => film.end(),
    );
    const state = make('div', 'card-state', this.#headline, this.#flags, this.#age);
    const top = make('div', 'glance', this.#mark, make('div', '', this.#label, this.#name), state);
    const back = make('a', 'back', 'All UPSes');
    back.href = '#/';
    const pair = make(
      'div',
      'pair',
      this.#triggers.root,
      make('div', '', this.#gauge.root, this.#battery.root),
    );
    this.#parts.append(
      this.#values.root,
      this.#film,
      pair,
      this.#histories.root,
      this.#remotes.root,
      this.#variables.root,
    );
    this.root.append(make('div', 'section-top', back, this.#control), top, this.#missing, this.#parts);
  }

  title(): string {
    return this.#label.textContent === '' ? 'UPS' : this.#label.textContent;
  }

  open(groupId: string): void {
    if (groupId !== this.#groupId) this.close();
    this.#groupId = groupId;
  }

  close(): void {
    this.#histories.close();
    this.#films.only([]);
    this.#variables.close();
    this.#battery.close();
  }

  show(): void {
    const { known } = this.tools;
    const row = known.status?.ups.find(({ groupId }) => groupId === this.#groupId);
    this.#missing.hidden = row !== undefined || known.status === null;
    this.#parts.hidden = row === undefined;
    if (row === undefined) {
      say(this.#label, this.#groupId);
      return;
    }
    this.#control.hidden = this.tools.requests.session.token === null;
    this.#control.href = `#/control/${encodeURIComponent(row.groupId)}`;
    const { ageSeconds, stale } = freshnessOf(known, row);
    const { tone, text } = headlineOf(row);
    setClass(this.root, `ups ${tone}${stale ? ' stale' : ''}`);
    setMark(this.#mark, tone);
    say(this.#label, row.label);
    say(this.#name, row.name === row.label ? '' : row.name);
    say(this.#headline, text);
    const flags = furtherFlagsInWords(row.status).join(', ');
    say(this.#flags, row.connectionDetail === 'OK' ? flags : detailInWords(row.connectionDetail));
    say(this.#age, ageText(ageSeconds, stale));
    const explanation = known.explanations.get(row.groupId);
    this.#values.show(row, explanation);
    const films = this.#films.only([row.groupId]);
    arrange(
      this.#film,
      films.map(({ root }) => root),
    );
    for (const film of films) film.show();
    this.#triggers.show(explanation, accountOf(known, row));
    this.#gauge.show(row.powerQuality);
    this.#battery.show(row);
    this.#histories.show(row);
    this.#remotes.show(row.remoteHealth);
    this.#variables.show(row);
  }
}
