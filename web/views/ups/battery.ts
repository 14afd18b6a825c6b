// The health of the battery, its last self test and the energy used, where the daemon has them.
import type { BatteryHealthBody } from '../../../shared/http/battery-bodies.js';
import type { EnergyBody, SelfTestBody } from '../../../shared/http/device-bodies.js';
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import { replacementInWords } from '../../../shared/domain/ups/battery/wording.js';
import { estimatedText, quantity } from '../../../shared/domain/status/wording.js';
import { RequestError } from '../../daemon/api-client.js';
import { Refresh } from '../../daemon/refresh.js';
import { make } from '../../ui/dom.js';
import { showFacts } from '../../ui/facts.js';
import type { ViewContext } from '../view.js';
import { testResults } from './battery-tests.js';

/** These values change once a day. */
const refreshMs = 60_000;

interface BatteryData {
  readonly health: BatteryHealthBody['batteryHealth'];
  readonly energy: EnergyBody['energy'];
  readonly test: SelfTestBody['selfTest'];
}

export class BatterySection {
  readonly #list = make('dl', 'facts');
  readonly root = make('section', 'panel', make('h2', '', 'Battery and energy'), this.#list);
  readonly #nothing = make('p', 'quiet', 'This UPS has no health score, self test or energy values.');
  readonly #refresh = new Refresh();
  #data: BatteryData = { health: null, energy: null, test: null };

  constructor(readonly context: ViewContext) {
    this.root.append(this.#nothing);
  }

  close(): void {
    this.#data = { health: null, energy: null, test: null };
    this.#refresh.forget();
  }

  show(row: UpsRow): void {
    const facts = factsOf(this.#data);
    this.#nothing.hidden = facts.length > 0;
    showFacts(this.#list, facts);
    if (this.#refresh.isDue(refreshMs)) void this.#load(row.groupId);
  }

  async #load(groupId: string): Promise<void> {
    const isCurrent = this.#refresh.begin();
    const { api, refresh } = this.context;
    const path = `/api/v1/ups/${encodeURIComponent(groupId)}`;
    try {
      const [health, energy, test] = await Promise.all([
        api.get<BatteryHealthBody>(`${path}/battery-health`),
        api.get<EnergyBody>(`${path}/energy`),
        api.get<SelfTestBody>(`${path}/self-test`),
      ]);
      if (!isCurrent()) return;
      this.#data = { health: health.batteryHealth, energy: energy.energy, test: test.selfTest };
    } catch (error) {
      // Shows missing values as unknown; a later refresh tries again.
      if (!(error instanceof RequestError)) throw error;
      return;
    }
    refresh();
  }
}

type Fact = readonly [term: string, text: string, note: string];

function factsOf({ health, energy, test }: BatteryData): readonly Fact[] {
  const facts: Fact[] = [];
  if (health !== null) {
    facts.push([
      'Battery health',
      health.score === null ? 'not enough data' : `${String(Math.round(health.score))} of 100`,
      `confidence ${String(Math.round(health.confidence * 100))} %`,
    ]);
    facts.push([
      'Replacement',
      replacementInWords(health.replacement),
      health.ageYears === null ? '' : `${health.ageYears.toFixed(1)} years old`,
    ]);
  }
  if (test !== null) facts.push(['Self test', testResults[test.result], test.date ?? '']);
  if (energy !== null) {
    const note = (cost: number | undefined): string =>
      [
        ...(cost === undefined ? [] : [`${cost.toFixed(2)} ${energy.currency}`]),
        ...(energy.estimated ? [estimatedText(energy.powerFactor)] : []),
      ].join(', ');
    facts.push(['Energy today', quantity(energy.todayKwh, 'kWh'), note(energy.todayCost)]);
    facts.push(['This month', quantity(energy.monthKwh, 'kWh'), note(energy.monthCost)]);
    facts.push(['This year', quantity(energy.yearKwh, 'kWh'), note(energy.yearCost)]);
  }
  return facts;
}
