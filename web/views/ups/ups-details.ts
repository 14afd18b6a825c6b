// One UPS: its state, its forecast, its power, its history, its energy, its battery, its variables.
import { headlineOf, notesOf } from '../../../shared/domain/status/wording.js';
import { OutageTimeline } from '../../charts/outage-timeline/outage-timeline.js';
import { explanationOf, explanationText, freshnessOf } from '../../daemon/client-state.js';
import { setChildren, make, setText, setClass } from '../../ui/dom.js';
import { ViewCache } from '../../ui/view-cache.js';
import { stateIcon, setStateIcon } from '../../ui/state-icon.js';
import { ageText } from '../../ui/phrases.js';
import type { ViewContext, View } from '../view.js';
import { BatterySection } from './battery.js';
import { BatteryHealthSection } from './battery-health.js';
import { BatteryTests } from './battery-tests.js';
import { EnergySection } from './energy.js';
import { HistorySection } from './history-section.js';
import { LiveValues } from './live-values.js';
import { RemoteList } from './remote-list.js';
import { TriggerList } from './trigger-list.js';
import { VariablesSection } from './variables.js';
import { VoltageGauge } from './voltage-gauge.js';

export class UpsDetailsView implements View {
  readonly root = make('div', 'ups');
  readonly #icon = stateIcon();
  readonly #label = make('h1');
  readonly #name = make('p', 'quiet');
  readonly #headline = make('p', 'headline');
  readonly #flags = make('p', 'quiet');
  readonly #age = make('p', 'age');
  readonly #state = make('div', 'card-state', this.#headline, this.#flags, this.#age);
  readonly #missing = make(
    'p',
    'problem',
    'There is no UPS with this name. It may have been removed from the configuration.',
  );
  readonly #values = new LiveValues();
  readonly #timelines: ViewCache<OutageTimeline>;
  readonly #timelineArea = make('div');
  readonly #triggers = new TriggerList();
  readonly #gauge = new VoltageGauge();
  readonly #remotes = new RemoteList();
  readonly #parts = make('div', 'ups-parts');
  readonly #histories: HistorySection;
  readonly #battery: BatterySection;
  readonly #batteryHealth: BatteryHealthSection;
  readonly #energy: EnergySection;
  readonly #tests: BatteryTests;
  readonly #variables: VariablesSection;
  readonly #control = make('a', 'button plain', 'Control');
  #groupId = '';

  constructor(readonly context: ViewContext) {
    this.#histories = new HistorySection(context);
    this.#battery = new BatterySection(context);
    this.#batteryHealth = new BatteryHealthSection(context);
    this.#energy = new EnergySection(context);
    this.#tests = new BatteryTests(context);
    this.#variables = new VariablesSection(context);
    this.#timelines = new ViewCache(
      (groupId) => new OutageTimeline(groupId, context),
      (timeline) => timeline.end(),
    );
    const top = make('div', 'glance', this.#icon, make('div', '', this.#label, this.#name), this.#state);
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
      this.#timelineArea,
      pair,
      this.#histories.root,
      this.#batteryHealth.root,
      this.#energy.root,
      this.#tests.root,
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
    this.#timelines.retain([]);
    this.#variables.close();
    this.#battery.close();
    this.#batteryHealth.close();
    this.#energy.close();
    this.#tests.close();
  }

  show(): void {
    const { clientState } = this.context;
    const row = clientState.status?.ups.find(({ groupId }) => groupId === this.#groupId);
    this.#missing.hidden = row !== undefined || clientState.status === null;
    this.#parts.hidden = row === undefined;
    this.#state.hidden = row === undefined;
    this.#control.hidden = row === undefined || !this.context.api.session.mayControl;
    if (row === undefined) {
      setClass(this.root, 'ups unknown');
      setStateIcon(this.#icon, 'unknown');
      setText(this.#label, this.#groupId);
      setText(this.#name, '');
      return;
    }
    this.#control.href = `#/control/${encodeURIComponent(row.groupId)}`;
    const { ageSeconds, stale } = freshnessOf(clientState, row);
    const { tone, text } = headlineOf(row);
    setClass(this.root, `ups ${tone}${stale ? ' stale' : ''}`);
    setStateIcon(this.#icon, tone);
    setText(this.#label, row.label);
    setText(this.#name, row.name === row.label ? '' : row.name);
    setText(this.#headline, text);
    setText(this.#flags, notesOf(row));
    setText(this.#age, ageText(ageSeconds, stale));
    const explanation = clientState.explanations.get(row.groupId);
    this.#values.show(row, explanation);
    const timelines = this.#timelines.retain([row.groupId]);
    setChildren(
      this.#timelineArea,
      timelines.map(({ root }) => root),
    );
    for (const timeline of timelines) timeline.show();
    this.#triggers.show(explanationOf(clientState, row), explanationText(clientState, row));
    this.#gauge.show(row);
    this.#battery.show(row);
    this.#batteryHealth.show(row);
    this.#histories.show(row);
    this.#energy.show(row);
    this.#tests.show(row);
    this.#remotes.show(row.remoteHealth);
    this.#variables.show(row);
  }
}
