// The battery's health, its last self test and the energy used, as far as this daemon knows them.
import type { BatteryHealthBody, EnergyBody, SelfTestBody } from '../../../shared/http/device-bodies.js';
import type { UpsRow } from '../../../shared/domain/status-model.js';
import { quantity } from '../../../shared/domain/wording.js';
import { Refusal } from '../../daemon/requests.js';
import { arrange, make, say } from '../../ui/dom.js';
import type { Tools } from '../view.js';

/** It changes by the day. */
const askEveryMs = 60_000;

interface Known {
  readonly health: BatteryHealthBody['batteryHealth'];
  readonly energy: EnergyBody['energy'];
  readonly test: SelfTestBody['selfTest'];
}

const tests = {
  PASSED: 'passed',
  FAILED: 'failed',
  RUNNING: 'running',
  UNKNOWN: 'result unknown',
  UNSUPPORTED: 'not offered by this UPS',
} as const;

export class Battery {
  readonly #list = make('dl', 'facts');
  readonly root = make('section', 'panel', make('h2', '', 'Battery and energy'), this.#list);
  readonly #nothing = make('p', 'quiet', 'No health score, self test or energy count is known of this UPS.');
  #known: Known = { health: null, energy: null, test: null };
  #askedMs = -Infinity;

  constructor(readonly tools: Tools) {
    this.root.append(this.#nothing);
  }

  close(): void {
    this.#known = { health: null, energy: null, test: null };
    this.#askedMs = -Infinity;
  }

  show(row: UpsRow): void {
    const facts = factsOf(this.#known);
    this.#nothing.hidden = facts.length > 0;
    const items = facts.map((texts, index) => {
      const item = this.#list.children[index] ?? make('div', '', make('dt'), make('dd'), make('dd', 'quiet'));
      texts.forEach((text, place) => {
        const part = item.children[place];
        if (part !== undefined) say(part, text);
      });
      return item;
    });
    arrange(this.#list, items);
    if (performance.now() - this.#askedMs < askEveryMs) return;
    this.#askedMs = performance.now();
    void this.#ask(row.groupId);
  }

  async #ask(groupId: string): Promise<void> {
    const { requests, refresh } = this.tools;
    const path = `/api/v1/ups/${encodeURIComponent(groupId)}`;
    try {
      const [health, energy, test] = await Promise.all([
        requests.get<BatteryHealthBody>(`${path}/battery-health`),
        requests.get<EnergyBody>(`${path}/energy`),
        requests.get<SelfTestBody>(`${path}/self-test`),
      ]);
      this.#known = { health: health.batteryHealth, energy: energy.energy, test: test.selfTest };
    } catch (error) {
      // What is not known is said to be unknown; it is asked again.
      if (!(error instanceof Refusal)) throw error;
      return;
    }
    refresh();
  }
}

type Fact = readonly [term: string, text: string, note: string];

function factsOf({ health, energy, test }: Known): readonly Fact[] {
  const facts: Fact[] = [];
  if (health !== null) {
    const days = health.replacementDaysRemaining;
    facts.push([
      'Battery health',
      health.score === null ? 'not enough is known' : `${String(Math.round(health.score))} of 100`,
      `confidence ${String(Math.round(health.confidence * 100))} %`,
    ]);
    facts.push([
      'Replacement',
      health.replacementDue
        ? 'due'
        : days === null
          ? 'not in sight'
          : `in about ${String(Math.round(days))} days`,
      health.ageYears === null ? '' : `${health.ageYears.toFixed(1)} years old`,
    ]);
  }
  if (test !== null) facts.push(['Self test', tests[test.result], test.date ?? '']);
  if (energy !== null) {
    const cost = (value: number | undefined): string =>
      value === undefined ? '' : `${value.toFixed(2)} ${energy.currency}`;
    const note = energy.estimated ? 'estimated' : '';
    facts.push(['Energy today', quantity(energy.todayKwh, 'kWh'), cost(energy.todayCost) || note]);
    facts.push(['This month', quantity(energy.monthKwh, 'kWh'), cost(energy.monthCost) || note]);
    facts.push(['This year', quantity(energy.yearKwh, 'kWh'), cost(energy.yearCost) || note]);
  }
  return facts;
}
