// A report in words, the same for the message, the command line and the page.
import { durationInWords } from '../base/duration.js';
import type { LabelledFact } from '../base/format.js';
import { countText } from '../base/format.js';
import { localTime } from '../base/local-calendar.js';
import { bars } from '../base/plot.js';
import type { Report, UpsReport } from './report.js';
import { estimatedText, quantity } from '../status/wording.js';

export const periodNames = { day: 'Daily report', week: 'Weekly report', month: 'Monthly report' } as const;

/** What an operator should look at; empty when there is nothing. */
export function concernsOf(report: Report): readonly string[] {
  const { ups, targets, tests } = report;
  return [
    ...ups
      .filter(({ battery }) => battery?.replacementDue === true)
      .map(({ label }) => `${label}: the battery is due for replacement`),
    ...tests
      .filter(({ result }) => result === 'FAILED')
      .map(({ label, startedTs }) => `${label}: the battery test of ${minute(startedTs)} failed`),
    ...tests
      .filter(({ result }) => result === 'WARNING')
      .map(
        ({ label, startedTs }) => `${label}: the battery test of ${minute(startedTs)} ended with a warning`,
      ),
    ...targets.map(({ server, status, lastError }) =>
      status === 'UNKNOWN'
        ? `${server}: not probed yet`
        : `${server}: could not be shut down${lastError === '' ? '' : ` (${lastError})`}`,
    ),
    ...ups
      .filter(
        ({ battery, watchedSeconds, unseenSeconds }) =>
          // Null: no longer configured.
          battery !== null && unseenSeconds > Math.max(600, watchedSeconds / 100),
      )
      .map(({ label, unseenSeconds }) => `${label}: not read for ${plain(durationInWords(unseenSeconds))}`),
  ];
}

/** One sentence about all UPSes. */
export function summaryOf(report: Report): string {
  const { ups, energyKwh, cost, currency } = report;
  const outages = ups.reduce((sum, upsReport) => sum + upsReport.outages, 0);
  const parts = [
    countText(ups.length, 'UPS', 'UPSes'),
    outages === 0 ? 'no outage' : countText(outages, 'outage'),
    ...(energyKwh === null ? [] : [plain(quantity(energyKwh, 'kWh')) + costText(cost, currency)]),
  ];
  return `${parts.join(', ')}${report.isOver ? '' : '; the period is not over'}`;
}

/** What is known of one UPS. */
export function factsOf(ups: UpsReport, currency: string): readonly LabelledFact[] {
  const { watchedSeconds, readSeconds, unseenSeconds, onBatterySeconds, testSeconds, outages, tests } = ups;
  const { lowestVolts, highestVolts, lowestCharge, meanLoad, highestLoad, energyKwh, battery } = ups;
  const facts: readonly (LabelledFact | null)[] = [
    [
      'Availability',
      watchedSeconds === 0
        ? 'not read yet'
        : `read ${percentText(readSeconds / watchedSeconds)} of the time${
            unseenSeconds < 1 ? '' : `, unseen for ${plain(durationInWords(unseenSeconds))}`
          }`,
    ],
    [
      'On battery',
      outages === 0
        ? 'never'
        : `${plain(durationInWords(onBatterySeconds))} in ${countText(outages, 'outage')}`,
    ],
    testSeconds === 0 ? null : ['On battery in tests', plain(durationInWords(testSeconds))],
    lowestVolts === null || highestVolts === null
      ? null
      : [
          'Input voltage',
          `lowest ${plain(quantity(lowestVolts.value, 'V'))} (${minute(lowestVolts.ts)}), highest ${plain(quantity(highestVolts.value, 'V'))} (${minute(highestVolts.ts)})`,
        ],
    lowestCharge === null
      ? null
      : ['Lowest charge', `${plain(quantity(lowestCharge.value, '%'))} (${minute(lowestCharge.ts)})`],
    meanLoad === null || highestLoad === null
      ? null
      : [
          'Load',
          `mean ${plain(quantity(meanLoad, '%'))}, highest ${plain(quantity(highestLoad.value, '%'))}`,
        ],
    energyKwh === null
      ? null
      : [
          'Energy',
          `${plain(quantity(energyKwh, 'kWh'))}${costText(ups.cost, currency)}${flagsOf(ups.energyEstimated, ups.powerFactor, ups.energyPartial)}`,
        ],
    battery === null
      ? null
      : [
          'Battery',
          `${battery.score === null ? 'health not known' : `health ${String(Math.round(battery.score))} of 100`}${
            battery.replacementDue ? ', due for replacement' : ''
          }`,
        ],
    tests.passed + tests.failed + tests.other === 0
      ? null
      : [
          'Battery tests',
          [
            `${String(tests.passed)} passed`,
            ...(tests.failed === 0 ? [] : [`${String(tests.failed)} failed`]),
            ...(tests.other === 0 ? [] : [`${String(tests.other)} without a verdict`]),
          ].join(', '),
        ],
  ];
  return facts.filter((fact) => fact !== null);
}

/** The energy by day, or the load by hour, as block characters; null without values. */
export function plotOf({ steps }: UpsReport): { readonly name: string; readonly plot: string } | null {
  const kwh = steps.map((step) => step.kwh);
  const load = steps.map((step) => step.load);
  const [name, values] = kwh.some((value) => value !== null)
    ? ['Energy by day', kwh]
    : ['Load by step', load];
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  return { name, plot: bars(values, 0, Math.max(...known) || 1) };
}

/** Energy that is not measured, or not whole. */
export function flagsOf(isEstimated: boolean, powerFactor: number | null, isPartial: boolean): string {
  const words = [...(isEstimated ? [estimatedText(powerFactor)] : []), ...(isPartial ? ['with gaps'] : [])];
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

function costText(cost: number | null, currency: string): string {
  return cost === null ? '' : `, ${cost.toFixed(2)} ${currency}`;
}

/** Not rounded up to 100 %. */
function percentText(part: number): string {
  const percent = Math.floor(part * 10_000) / 100;
  return `${String(percent)} %`;
}

const minute = (unixSeconds: number): string => localTime(unixSeconds).slice(0, 16);

/** For messages: a service may show a no-break space as anything. */
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
