// One outage as a page in one file: facts, curves, plan and what it took, timeline, readings. No program, nothing loaded.
import { durationInWords } from '../../../shared/domain/duration.js';
import type { OutageBody } from '../../../shared/http/outage-bodies.js';
import { timelineOf } from '../../../shared/domain/outage-timeline.js';
import { factTable, page, table } from '../html/document.js';
import { escaped } from '../html/escape.js';
import { curves } from './curves.js';

export function outagePage(outage: OutageBody): string {
  return page(
    `Outage ${String(outage.id)} of ${outage.label}`,
    `${facts(outage)}
${curves(outage)}
${outage.shutdowns.map(shutdown).join('')}
<h2>Timeline</h2>
${table(
  ['Time', 'What', 'Detail'],
  timelineOf(outage).map(({ ts, subject, detail }) => [time(ts), escaped(subject), escaped(detail)]),
)}
${readings(outage)}
<p class="note">Times are UTC. Written by Ridethrough at ${time(outage.generatedAt)}.${
      outage.evidenceComplete
        ? ''
        : ' Part of the readings is not stored any more, or does not fit this page.'
    }</p>`,
  );
}

function facts(outage: OutageBody): string {
  const { start, end, endSeen, cause, interruptions, lowestCharge, lowestRuntimeSeconds, energyWh } = outage;
  const rows: readonly (readonly [string, string | null])[] = [
    [
      'Cause',
      { outage: 'the power failed', 'self-test': 'a self test', calibration: 'a calibration' }[cause],
    ],
    ['Begin', time(start)],
    [
      'End',
      end === null ? 'it still lasts' : `${time(end)}${endSeen ? '' : ' (the last reading on battery)'}`,
    ],
    ['Duration', end === null ? null : durationInWords(end - start)],
    ['Power back for less than a minute', interruptions === 0 ? null : `${String(interruptions)} times`],
    ['Lowest charge', lowestCharge === null ? null : `${String(lowestCharge)} %`],
    ['Lowest runtime', lowestRuntimeSeconds === null ? null : durationInWords(lowestRuntimeSeconds)],
    [
      'Energy from the battery',
      energyWh === null
        ? null
        : `${energyWh.toFixed(1)} Wh${outage.energyEstimated ? ' (estimated from the load)' : ''}`,
    ],
    ['UPS', escaped(outage.ups)],
  ];
  return factTable(rows.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])));
}

function shutdown(one: OutageBody['shutdowns'][number]): string {
  const { label, startedAt, why, dryRun, over, cancelled, boundSeconds, estimateSeconds, steps } = one;
  const state =
    cancelled !== '' ? `cancelled: ${cancelled}` : over ? 'complete' : 'cut off, or still running';
  const seconds = (from: number | null, to: number | null): string =>
    from === null || to === null ? '' : `${(to - from).toFixed(1)} s`;
  return `<h2>Shutdown of ${escaped(label)}${dryRun ? ' (dry run)' : ''}</h2>
<p>${time(startedAt)}: ${escaped(why)}. The plan expected ${durationInWords(estimateSeconds)} and allowed at most ${durationInWords(boundSeconds)}. It is ${escaped(state)}.</p>
${table(
  ['Phase', 'Target', 'Begin', 'Took', 'Expected', 'At most', 'Result'],
  steps.map((step) => [
    escaped(step.phase),
    escaped(step.target),
    step.startedAt === null ? '' : time(step.startedAt),
    seconds(step.startedAt, step.endedAt),
    `${step.estimateSeconds.toFixed(1)} s`,
    `${step.budgetSeconds.toFixed(1)} s`,
    `<span class="${step.state}">${step.state}</span>${step.reason === '' ? '' : `: ${escaped(step.reason)}`}`,
  ]),
)}`;
}

/** Variables of the readings at each decision, one column each. */
function readings({ readings: found }: OutageBody): string {
  if (found.length === 0) return '';
  const names = [...new Set(found.flatMap(({ variables }) => Object.keys(variables)))].sort();
  return `<h2>Readings at each decision</h2>
${table(
  ['Variable', ...found.map(({ at, ts }) => `${escaped(at)}<br>${time(ts)}`)],
  names.map((name) => [escaped(name), ...found.map(({ variables }) => escaped(variables[name] ?? ''))]),
)}`;
}

function time(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().replace('T', ' ').slice(0, 19);
}
