// The metrics of each UPS, from its published row and poll statistics (specification/metrics.md#ups-metrics), as families. Keeps
// nothing.
import type { BatteryHealth } from '../../../shared/domain/ups/battery/health.js';
import type { Energy } from '../../../shared/domain/ups/energy.js';
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import type { SelfTestResult } from '../../../shared/domain/ups/self-test.js';
import { triggers } from '../../../shared/domain/triggers/table.js';
import { nutWords, statusWords } from '../../../shared/domain/ups/status-words.js';
import type { PublishedUps } from '../../../shared/protocol/api.js';
import { pollSecondsBounds } from '../../../shared/protocol/api.js';
import type { Family, MetricSample } from './family.js';
import { histogram, labelText, oneOfStates } from './family.js';
import type { PhaseMetric } from './quantities.js';
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

type UpsFamily = Family<PublishedUps>;

/** One gauge for each possible state: 1 for the current one. */
function stateFamily(prefix: string, [suffix, help, possible, current]: (typeof states)[number]): UpsFamily {
  return {
    name: `${prefix}_ups_${suffix}`,
    help: `${help} One sample per state, 1 for the current one.`,
    type: 'gauge',
    samples: ({ row }) => oneOfStates('state', possible, current(row)),
  };
}

/** A missing reading has no sample. */
function gauge(name: string, help: string, valueOf: (ups: PublishedUps) => number | null): UpsFamily {
  return { name, help, type: 'gauge', samples: (ups) => [['', valueOf(ups)]] };
}

/** One sample for each phase that has a value; none while the connection is lost. */
function phaseFamily(prefix: string, [suffix, help, valueOf]: PhaseMetric): UpsFamily {
  return {
    ...{ name: `${prefix}_ups_${suffix}`, help, type: 'gauge' },
    samples: ({ row: { phases, connectionState } }) =>
      connectionState === 'FAILED' ? [] : phases.map((phase) => [`phase="${phase.phase}"`, valueOf(phase)]),
  };
}

/** Of today, this month and this year in local time. Absent while unknown. */
function energyGauge(
  name: string,
  help: string,
  valuesOf: (energy: Energy) => Readonly<Record<'today' | 'month' | 'year', number | null | undefined>>,
): UpsFamily {
  return {
    ...{ name, help, type: 'gauge' },
    samples: ({ telemetry: { energy } }) =>
      energy === null
        ? []
        : Object.entries(valuesOf(energy)).map(([period, value]) => [`period="${period}"`, value ?? null]),
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

const durations = histogram(pollSecondsBounds);

/** `prefix` without the `_` after it. */
export function upsFamilies(prefix: string): readonly UpsFamily[] {
  const named = (suffix: string): string => `${prefix}_ups_${suffix}`;
  return [
    ...quantities.map(([suffix, help, valueOf]) => gauge(named(suffix), help, ({ row }) => valueOf(row))),
    ...phaseQuantities.map((quantity) => phaseFamily(prefix, quantity)),
    ...states.map((state) => stateFamily(prefix, state)),
    {
      name: named('status'),
      help: 'Flags of ups.status: 1 while the UPS reports the flag.',
      type: 'gauge',
      samples: ({ row }) => flags(statusWords(row.status)),
    },
    {
      name: named('info'),
      help: 'Identity that the UPS reports; always 1.',
      type: 'gauge',
      samples: ({ telemetry: { manufacturer, model, serial, firmware } }) => [
        [labelText({ manufacturer, model, serial, firmware }), 1],
      ],
    },
    {
      name: `${prefix}_trigger_available`,
      help: '0 while the trigger is on and the UPS does not report what it needs, else 1.',
      type: 'gauge',
      // None before the first reading.
      samples: ({ row: { status, unavailableTriggers } }) =>
        (status === '' ? [] : triggers).map(({ name }) => [
          `trigger="${name}"`,
          Number(!unavailableTriggers.includes(name)),
        ]),
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
    energyGauge(
      named('energy_kwh'),
      'Energy that the load drew in the period, in kWh.',
      ({ todayKwh, monthKwh, yearKwh }) => ({ today: todayKwh, month: monthKwh, year: yearKwh }),
    ),
    energyGauge(
      named('energy_cost'),
      'Cost of that energy at the present price.',
      ({ todayCost, monthCost, yearCost }) => ({ today: todayCost, month: monthCost, year: yearCost }),
    ),
    {
      name: named('self_test_result'),
      help: 'Result of the last self test. One sample per result, 1 for the current one.',
      type: 'gauge',
      samples: ({ row: { selfTest } }) =>
        selfTest === null ? [] : oneOfStates('result', testResults, selfTest.result),
    },
    {
      name: named('polls_total'),
      help: 'Polls by how they ended: OK, or the reason of the failure.',
      type: 'counter',
      samples: ({ telemetry: { pollsOk, pollsFailed } }) => [
        ['result="OK"', pollsOk],
        ...pollsFailed.map(({ detail, count }): MetricSample => [`result="${detail}"`, count]),
      ],
    },
    {
      name: named('poll_duration_seconds'),
      help: 'How long polls took.',
      type: 'histogram',
      samples: ({ telemetry: { pollSeconds } }) => durations(pollSeconds),
    },
  ];
}

function remainingSeconds(health: BatteryHealth | null): number | null {
  if (health?.replacement.state === 'due') return 0;
  const days = health?.replacementDaysRemaining ?? null;
  return days === null ? null : days * 86_400;
}

/** No samples before the first reading: 0 would state that a flag is not set. */
function flags(words: readonly string[]): readonly MetricSample[] {
  if (words.length === 0) return [];
  const unknown = words.filter((word) => !nutWords.includes(word));
  return [...nutWords, ...unknown].map((flag) => [labelText({ flag }), Number(words.includes(flag))]);
}
