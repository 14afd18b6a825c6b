// What storage has assessed of each battery, for the API, the metrics and the self tests; and the events that are due with it.
import type { BatteryHealth, BatteryTerm } from '../../shared/domain/ups/battery/health.js';
import { termNames } from '../../shared/domain/ups/battery/health.js';
import { replacementInWords, scoreInWords, termTitles } from '../../shared/domain/ups/battery/wording.js';
import type { EventType } from '../../shared/domain/status/events.js';
import type { AssessedBattery } from '../../shared/protocol/storage.js';
import type { Configuration } from '../config/configuration/configuration.js';
import type { RecordedEvent } from '../events/event-recorder.js';

export class BatteryAssessments {
  readonly #configuration: () => Configuration;
  readonly #record: (event: RecordedEvent) => void;
  readonly #byUps = new Map<string, BatteryHealth>();
  /** Recorded and perhaps not stored yet: storage names an event until it has it. */
  readonly #recorded = new Map<string, readonly EventType[]>();

  constructor(configuration: () => Configuration, record: (event: RecordedEvent) => void) {
    this.#configuration = configuration;
    this.#record = record;
  }

  assessed(ups: readonly AssessedBattery[]): void {
    for (const { groupId, health, due } of ups) {
      if (!this.#isEnabled(groupId)) continue;
      this.#byUps.set(groupId, health);
      const before = this.#recorded.get(groupId) ?? [];
      this.#recorded.set(groupId, due);
      for (const type of due.filter((one) => !before.includes(one)))
        this.#record({ source: groupId, type, detail: detailOf(type, health) });
    }
  }

  /** Null while unknown or off. */
  of(groupId: string): BatteryHealth | null {
    return this.#isEnabled(groupId) ? (this.#byUps.get(groupId) ?? null) : null;
  }

  /** A test may end such a battery. */
  isCritical(groupId: string): boolean {
    const score = this.of(groupId)?.score ?? null;
    const criticalScore = this.#settings(groupId)?.criticalScore ?? 0;
    return score !== null && score < criticalScore;
  }

  #isEnabled(groupId: string): boolean {
    return this.#settings(groupId) !== null && this.#configuration().statistics.enabled;
  }

  #settings(groupId: string) {
    return this.#configuration().ups.find(({ policy }) => policy.groupId === groupId)?.battery ?? null;
  }
}

/** The score with the terms that lower it most, or the date with its band. */
function detailOf(type: EventType, health: BatteryHealth): string {
  const score = `score ${scoreInWords(health)}`;
  if (type === 'BATTERY_REPLACEMENT_PREDICTED') {
    const { value, detail } = health.terms.selfTest;
    const why = value === 0 ? ` (${detail})` : '';
    return `${replacementInWords(health.replacement)}${why}; ${score}`;
  }
  const worst = termNames
    .map((name) => ({ name, ...health.terms[name] }))
    .filter(({ value }) => value !== null)
    .sort((a, b) => lost(b) - lost(a))
    .slice(0, 2);
  return [score, ...worst.map(({ name, detail }) => `${termTitles[name].toLowerCase()}: ${detail}`)].join(
    '; ',
  );
}

function lost({ value, weight }: BatteryTerm): number {
  return (100 - (value ?? 100)) * weight;
}
