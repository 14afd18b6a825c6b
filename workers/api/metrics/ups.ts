// The metrics of each UPS, from its published row and poll statistics (specification/metrics.md#ups-metrics). Formats its text
// itself and keeps it: a fleet has a hundred thousand samples, and prom-client formats each one at each scrape.
import type { BatteryHealth } from '../../../shared/domain/battery/health.js';
import type { Energy } from '../../../shared/domain/energy.js';
import type { UpsRow } from '../../../shared/domain/status-model.js';
import type { SelfTestResult } from '../../../shared/domain/self-test.js';
import { nutWords, statusWords } from '../../../shared/domain/status-words.js';
import type { PublishedUps } from '../../../shared/protocol/api.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pollSecondsBounds } from '../../../shared/protocol/api.js';
import { quantities } from './quantities.js';

type StateOf = (row: UpsRow) => string;

const states: readonly (readonly [string, string, readonly string[], StateOf])[] = [
  [
    'voltage_state',
    'Grid quality.',
    ['NORMAL', 'LOW', 'HIGH', 'UNKNOWN'],
    (row) => row.powerQuality.voltageState,
  ],
  ['avr_state', 'Voltage regulation.', ['INACTIVE', 'BOOST', 'TRIM'], (row) => row.powerQuality.avrState],
  ['bypass_state', 'Bypass.', ['INACTIVE', 'ACTIVE'], (row) => row.powerQuality.bypassState],
  ['overload_state', 'Overload.', ['INACTIVE', 'ACTIVE'], (row) => row.powerQuality.overloadState],
];

interface Family {
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
function stateFamily([suffix, help, possible, current]: (typeof states)[number]): Family {
  const name = `svc_ups_${suffix}`;
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
function gauge(suffix: string, help: string, valueOf: (ups: PublishedUps) => number | null): Family {
  const name = `svc_ups_${suffix}`;
  const lines: Family['lines'] = (ups, labels) => {
    const value = valueOf(ups);
    return value === null ? [] : [sample(name, labels, value)];
  };
  return { name, help, type: 'gauge', key: valueOf, lines };
}

/** Of today, this month and this year in local time. Absent while unknown. */
function energyGauge(
  name: string,
  help: string,
  valuesOf: (energy: Energy) => readonly (number | undefined)[],
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
        value === undefined ? [] : [sample(name, `${labels},period="${periods[place] ?? ''}"`, value)],
      ),
  };
}

const testResults = [
  'PASSED',
  'FAILED',
  'RUNNING',
  'UNKNOWN',
  'UNSUPPORTED',
] as const satisfies readonly SelfTestResult[];

const durations = 'svc_ups_poll_duration_seconds';
const durationBounds = [...pollSecondsBounds.map(String), '+Inf'].map((bound) => `le="${bound}"`);

const families: readonly Family[] = [
  ...quantities.map(([suffix, help, valueOf]) => gauge(suffix, help, ({ row }) => valueOf(row))),
  ...states.map(stateFamily),
  {
    name: 'svc_ups_status',
    help: 'Flags of ups.status: 1 while the UPS reports the flag.',
    type: 'gauge',
    key: ({ row }) => row.status,
    lines: ({ row }, labels) => each('svc_ups_status', labels, flags(statusWords(row.status))),
  },
  {
    name: 'svc_ups_info',
    help: 'Identity that the UPS reports; always 1.',
    type: 'gauge',
    key: ({ telemetry: { manufacturer, model, serial, firmware } }) =>
      `${manufacturer}\n${model}\n${serial}\n${firmware}`,
    lines: ({ telemetry: { manufacturer, model, serial, firmware } }, labels) =>
      each('svc_ups_info', labels, [[labelText({ manufacturer, model, serial, firmware }), 1]]),
  },
  gauge(
    'last_update_timestamp_seconds',
    'Unix time of the last good reading.',
    ({ telemetry }) => telemetry.lastUpdateTime,
  ),
  gauge(
    'battery_health_score',
    'Health of the battery, 0 to 100.',
    ({ telemetry }) => telemetry.batteryHealth?.score ?? null,
  ),
  gauge(
    'replacement_remaining_seconds',
    'Time until the battery is predicted to need replacement; 0 when it is due now.',
    ({ telemetry: { batteryHealth } }) => remainingSeconds(batteryHealth),
  ),
  energyGauge('svc_ups_energy_kwh', 'Energy that the load drew in the period, in kWh.', (energy) => [
    energy.todayKwh,
    energy.monthKwh,
    energy.yearKwh,
  ]),
  energyGauge('svc_ups_energy_cost', 'Cost of that energy at the present price.', (energy) => [
    energy.todayCost,
    energy.monthCost,
    energy.yearCost,
  ]),
  {
    name: 'svc_ups_self_test_result',
    help: 'Result of the last self test. One sample per result, 1 for the current one.',
    type: 'gauge',
    key: ({ row }) => row.selfTest?.result ?? null,
    lines: ({ row: { selfTest } }, labels) =>
      selfTest === null
        ? []
        : each(
            'svc_ups_self_test_result',
            labels,
            testResults.map((result) => [`result="${result}"`, Number(result === selfTest.result)]),
          ),
  },
  {
    name: 'svc_ups_polls_total',
    help: 'Polls by how they ended: OK, or the reason of the failure.',
    type: 'counter',
    key: ({ telemetry: { pollsOk, pollsFailed } }) => `${String(pollsOk)} ${JSON.stringify(pollsFailed)}`,
    lines: ({ telemetry: { pollsOk, pollsFailed } }, labels) =>
      each('svc_ups_polls_total', labels, [
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

function remainingSeconds(health: BatteryHealth | null): number | null {
  if (health?.replacement.state === 'due') return 0;
  const days = health?.replacementDaysRemaining ?? null;
  return days === null ? null : days * 86_400;
}

/** No samples before the first reading: 0 would state that a flag is not set. */
function flags(words: readonly string[]): readonly Suffix[] {
  if (words.length === 0) return [];
  const unknown = words.filter((word) => !nutWords.includes(word));
  return [...nutWords, ...unknown].map((flag) => [`flag="${escaped(flag)}"`, Number(words.includes(flag))]);
}

function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',');
}

/** The value of a label in the text format. */
function escaped(text: string): string {
  return /[\\\n"]/.test(text)
    ? text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
    : text;
}

/** The kept text of one UPS: for each family the key it was made from, and the samples. */
interface Kept {
  readonly name: string;
  readonly label: string;
  readonly labels: string;
  readonly keys: (string | number | null | undefined)[];
  readonly texts: string[];
  of: PublishedUps | undefined;
}

/** Work between two turns of the event loop: about 1 ms. */
const rowsAtOnce = 20;
const bytesAtOnce = 64 * 1024;

export class UpsTexts {
  #kept: ReadonlyMap<string, Kept> = new Map();
  #lastBytes = 0;

  /** `before`, and the text of all UPSes. Other requests are answered meanwhile. One call at a time. */
  async text(before: string, published: readonly PublishedUps[]): Promise<Buffer> {
    const kept = new Map<string, Kept>();
    for (const ups of published) {
      kept.set(ups.row.groupId, this.#current(ups));
      if (kept.size % rowsAtOnce === 0) await nextTurn();
    }
    this.#kept = kept;
    const rows = [...kept.values()];
    // Written where it is sent from: strings joined to 6 MB are copied three times.
    let buffer = Buffer.allocUnsafe(this.#lastBytes + bytesAtOnce);
    let used = 0;
    let nextPause = bytesAtOnce;
    const append = (text: string): void => {
      const most = used + 3 * text.length;
      if (most > buffer.length) buffer = Buffer.concat([buffer.subarray(0, used)], 2 * most);
      used += buffer.write(text, used);
    };
    append(before);
    for (const [place, { name, help, type }] of families.entries()) {
      append(`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`);
      for (const { texts } of rows) {
        append(texts[place] ?? '');
        if (used < nextPause) continue;
        nextPause = used + bytesAtOnce;
        await nextTurn();
      }
    }
    this.#lastBytes = used;
    return buffer.subarray(0, used);
  }

  #current(ups: PublishedUps): Kept {
    const { groupId, name, label } = ups.row;
    const old = this.#kept.get(groupId);
    const kept =
      old?.name === name && old.label === label
        ? old
        : { name, label, labels: labelText({ ups: name, label }), keys: [], texts: [], of: undefined };
    if (kept.of === ups) return kept;
    for (const [place, family] of families.entries()) {
      const key = family.key(ups);
      if (kept.keys[place] === key) continue;
      kept.keys[place] = key;
      // Joined: a concatenated string would keep the tree of its parts.
      kept.texts[place] = family.lines(ups, kept.labels).join('');
    }
    kept.of = ups;
    return kept;
  }
}
