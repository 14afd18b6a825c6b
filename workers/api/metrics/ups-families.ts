// The metrics of each UPS, from its published row and poll statistics (specification/metrics.md#ups-metrics), as families that
// write their samples. Keeps nothing.
import type { BatteryHealth } from '../../../shared/domain/ups/battery/health.js';
import type { Energy } from '../../../shared/domain/ups/energy.js';
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import type { SelfTestResult } from '../../../shared/domain/ups/self-test.js';
import { triggers } from '../../../shared/domain/triggers/table.js';
import { nutWords, statusWords } from '../../../shared/domain/ups/status-words.js';
import type { PublishedUps } from '../../../shared/protocol/api.js';
import { pollSecondsBounds } from '../../../shared/protocol/api.js';
import { boundText } from './sample.js';
import { labelText, labelValue } from './label-text.js';
import type { PhaseQuantity } from './quantities.js';
import { phaseQuantities, quantities } from './quantities.js';

type StateOf = (row: UpsRow) => string;

const states: readonly (readonly [string, string, readonly string[], StateOf])[] = [
  [
    'voltage_state',
    'Grid quality.',
    ['NORMAL', 'LOW', 'HIGH', 'PHASE_LOST', 'UNKNOWN'],
    (row) => row.powerQuality.voltageState,
  ],
  ['avr_state', 'Voltage regulation.', ['INACTIVE', 'BOOST', 'TRIM'], (row) => row.powerQuality.avrState],
  ['bypass_state', 'Bypass.', ['INACTIVE', 'ACTIVE'], (row) => row.powerQuality.bypassState],
  ['overload_state', 'Overload.', ['INACTIVE', 'ACTIVE'], (row) => row.powerQuality.overloadState],
];

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  /** Equal values have an equal text. */
  readonly key: (ups: PublishedUps) => string | number | null;
  /** The samples of one UPS. `labels` are its own: `ups="...",label="..."`. */
  readonly lines: (ups: PublishedUps, labels: string) => readonly string[];
}

type Suffix = readonly [labels: string, value: number];

const sample = (name: string, labels: string, value: number): string =>
  `${name}{${labels}} ${String(value)}\n`;
const each = (name: string, labels: string, values: readonly Suffix[]): readonly string[] =>
  values.map(([more, value]) => sample(name, `${labels},${more}`, value));

/** One gauge for each possible state: 1 for the current one. */
function stateFamily(prefix: string, [suffix, help, possible, current]: (typeof states)[number]): Family {
  const name = `${prefix}_ups_${suffix}`;
  return {
    name,
    help: `${help} One sample per state, 1 for the current one.`,
    type: 'gauge',
    key: ({ row }) => current(row),
    lines: ({ row }, labels) =>
      each(
        name,
        labels,
        possible.map((state) => [`state="${state}"`, Number(state === current(row))]),
      ),
  };
}

/** A missing reading has no sample. */
function gauge(name: string, help: string, valueOf: (ups: PublishedUps) => number | null): Family {
  const lines: Family['lines'] = (ups, labels) => {
    const value = valueOf(ups);
    return value === null ? [] : [sample(name, labels, value)];
  };
  return { name, help, type: 'gauge', key: valueOf, lines };
}

/** One sample for each phase that has a value; none while the connection is lost. */
function phaseFamily(prefix: string, [suffix, help, valueOf]: PhaseQuantity): Family {
  const name = `${prefix}_ups_${suffix}`;
  const samples = ({ row: { phases, connectionState } }: PublishedUps): readonly Suffix[] =>
    (connectionState === 'FAILED' ? [] : phases).flatMap((phase): Suffix[] => {
      const value = valueOf(phase);
      return value === null ? [] : [[`phase="${phase.phase}"`, value]];
    });
  return {
    name,
    help,
    type: 'gauge',
    key: (ups) => samples(ups).join(),
    lines: (ups, labels) => each(name, labels, samples(ups)),
  };
}

/** Of today, this month and this year in local time. Absent while unknown. */
function energyGauge(
  name: string,
  help: string,
  valuesOf: (energy: Energy) => readonly (number | null | undefined)[],
): Family {
  const values = ({ telemetry: { energy } }: PublishedUps) => (energy === null ? [] : valuesOf(energy));
  const periods = ['today', 'month', 'year'];
  return {
    name,
    help,
    type: 'gauge',
    key: (ups) => values(ups).join(),
    lines: (ups, labels) =>
      values(ups).flatMap((value, place) =>
        typeof value !== 'number' ? [] : [sample(name, `${labels},period="${periods[place] ?? ''}"`, value)],
      ),
  };
}

const testResults = [
  'PASSED',
  'WARNING',
  'FAILED',
  'RUNNING',
  'UNKNOWN',
  'UNSUPPORTED',
] as const satisfies readonly SelfTestResult[];

const durationBounds = [...pollSecondsBounds, Infinity].map((bound) => `le="${boundText(bound)}"`);

/** None before the first reading. */
const availableTriggers = ({ row: { status, unavailableTriggers } }: PublishedUps): readonly Suffix[] =>
  (status === '' ? [] : triggers).map(({ name }) => [
    `trigger="${name}"`,
    Number(!unavailableTriggers.includes(name)),
  ]);

/** `prefix` without the `_` after it. */
export function upsFamilies(prefix: string): readonly Family[] {
  const named = (suffix: string): string => `${prefix}_ups_${suffix}`;
  const durations = named('poll_duration_seconds');
  return [
    ...quantities.map(([suffix, help, valueOf]) => gauge(named(suffix), help, ({ row }) => valueOf(row))),
    ...phaseQuantities.map((quantity) => phaseFamily(prefix, quantity)),
    ...states.map((state) => stateFamily(prefix, state)),
    {
      name: named('status'),
      help: 'Flags of ups.status: 1 while the UPS reports the flag.',
      type: 'gauge',
      key: ({ row }) => row.status,
      lines: ({ row }, labels) => each(named('status'), labels, flags(statusWords(row.status))),
    },
    {
      name: named('info'),
      help: 'Identity that the UPS reports; always 1.',
      type: 'gauge',
      key: ({ telemetry: { manufacturer, model, serial, firmware } }) =>
        `${manufacturer}\n${model}\n${serial}\n${firmware}`,
      lines: ({ telemetry: { manufacturer, model, serial, firmware } }, labels) =>
        each(named('info'), labels, [[labelText({ manufacturer, model, serial, firmware }), 1]]),
    },
    {
      name: `${prefix}_trigger_available`,
      help: '0 while the trigger is on and the UPS does not report what it needs, else 1.',
      type: 'gauge',
      key: (ups) => availableTriggers(ups).join(),
      lines: (ups, labels) => each(`${prefix}_trigger_available`, labels, availableTriggers(ups)),
    },
    gauge(
      named('last_update_timestamp_seconds'),
      'Unix time of the last good reading.',
      ({ telemetry }) => telemetry.lastUpdateTime,
    ),
    gauge(
      named('battery_health_score'),
      'Health of the battery, 0 to 100.',
      ({ telemetry }) => telemetry.batteryHealth?.score ?? null,
    ),
    gauge(
      named('replacement_remaining_seconds'),
      'Time until the battery is predicted to need replacement; 0 when it is due now.',
      ({ telemetry: { batteryHealth } }) => remainingSeconds(batteryHealth),
    ),
    energyGauge(named('energy_kwh'), 'Energy that the load drew in the period, in kWh.', (energy) => [
      energy.todayKwh,
      energy.monthKwh,
      energy.yearKwh,
    ]),
    energyGauge(named('energy_cost'), 'Cost of that energy at the present price.', (energy) => [
      energy.todayCost,
      energy.monthCost,
      energy.yearCost,
    ]),
    {
      name: named('self_test_result'),
      help: 'Result of the last self test. One sample per result, 1 for the current one.',
      type: 'gauge',
      key: ({ row }) => row.selfTest?.result ?? null,
      lines: ({ row: { selfTest } }, labels) =>
        selfTest === null
          ? []
          : each(
              named('self_test_result'),
              labels,
              testResults.map((result) => [`result="${result}"`, Number(result === selfTest.result)]),
            ),
    },
    {
      name: named('polls_total'),
      help: 'Polls by how they ended: OK, or the reason of the failure.',
      type: 'counter',
      key: ({ telemetry: { pollsOk, pollsFailed } }) => `${String(pollsOk)} ${JSON.stringify(pollsFailed)}`,
      lines: ({ telemetry: { pollsOk, pollsFailed } }, labels) =>
        each(named('polls_total'), labels, [
          ['result="OK"', pollsOk],
          ...pollsFailed.map(({ detail, count }): Suffix => [`result="${detail}"`, count]),
        ]),
    },
    {
      name: durations,
      help: 'How long polls took.',
      type: 'histogram',
      key: ({ telemetry: { pollSeconds } }) => `${String(pollSeconds.sum)} ${pollSeconds.counts.join()}`,
      lines: ({ telemetry: { pollSeconds } }, labels) => {
        let total = 0;
        const buckets = durationBounds.map((bound, place): Suffix => [
          bound,
          (total += pollSeconds.counts[place] ?? 0),
        ]);
        return [
          ...each(`${durations}_bucket`, labels, buckets),
          sample(`${durations}_sum`, labels, pollSeconds.sum),
          sample(`${durations}_count`, labels, total),
        ];
      },
    },
  ];
}

function remainingSeconds(health: BatteryHealth | null): number | null {
  if (health?.replacement.state === 'due') return 0;
  const days = health?.replacementDaysRemaining ?? null;
  return days === null ? null : days * 86_400;
}

/** No samples before the first reading: 0 would state that a flag is not set. */
function flags(words: readonly string[]): readonly Suffix[] {
  if (words.length === 0) return [];
  const unknown = words.filter((word) => !nutWords.includes(word));
  return [...nutWords, ...unknown].map((flag) => [
    `flag="${labelValue(flag)}"`,
    Number(words.includes(flag)),
  ]);
}
