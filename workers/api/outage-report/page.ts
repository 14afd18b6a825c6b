// One outage as a page in one file: facts, curves, plan and what it took, timeline, readings. No program, nothing loaded.
import { durationInWords } from '../../../shared/domain/duration.js';
import type { OutageBody } from '../../../shared/http/outage-bodies.js';
import { timelineOf } from '../../../shared/domain/outage-timeline.js';
import { curves } from './curves.js';
import { escaped } from './escape.js';

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1a1a1a;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid #ddd;vertical-align:top;overflow-wrap:anywhere}
th{white-space:nowrap}td.time{white-space:nowrap;font-variant-numeric:tabular-nums}.failed{color:#b00020;font-weight:600}
svg{width:100%;height:auto;display:block}svg text{font-size:11px;fill:currentColor}.note{color:#555}
@media(prefers-color-scheme:dark){body{background:#16181c;color:#e8e8e8}th,td{border-color:#3a3d44}.failed{color:#ff8a80}.note{color:#aaa}}`;

export function outagePage(outage: OutageBody): string {
  const title = `Outage ${String(outage.id)} of ${outage.label}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><style>${style}</style></head><body>
<h1>${escaped(title)}</h1>
${facts(outage)}
${curves(outage)}
${outage.shutdowns.map(shutdown).join('')}
<h2>Timeline</h2>
${table(
  ['Time', 'What', 'Detail'],
  timelineOf(outage).map(({ ts, subject, detail }) => [time(ts), escaped(subject), escaped(detail)]),
)}
${readings(outage)}
<p class="note">Times are UTC. Written by Ridethrough at ${time(outage.generatedAt)}.${
    outage.evidenceComplete ? '' : ' Part of the readings is not stored any more, or does not fit this page.'
  }</p>
</body></html>
`;
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
  return `<table>${rows
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `<tr><th scope="row">${name}</th><td>${value ?? ''}</td></tr>`)
    .join('')}</table>`;
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

/** Cells are HTML. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = header.map((cell) => `<th scope="col">${cell}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n');
  return `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

function time(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().replace('T', ' ').slice(0, 19);
}
