// One outage as a page in one file: facts, curves, plan and what it took, timeline, readings. No program, nothing loaded.
import type { OutageBody } from '../../../shared/http/outage-bodies.js';
import { timelineOf } from '../../../shared/domain/outage/outage-timeline.js';
import {
  outageFacts,
  shutdownName,
  shutdownSummary,
  stepCells,
  stepColumns,
} from '../../../shared/domain/outage/outage-wording.js';
import { factTable, page, table } from '../html/document.js';
import { escapeHtml } from '../html/escape.js';
import { curves } from './curves.js';

export function outagePage(outage: OutageBody): string {
  return page(
    `Outage ${String(outage.id)} of ${outage.label}`,
    `${factTable([
      ...outageFacts(outage, time).map(([name, text]) => [name, escapeHtml(text)] as const),
      ['UPS', escapeHtml(outage.ups)],
    ])}
${curves(outage)}
${outage.shutdowns.map(shutdown).join('')}
<h2>Timeline</h2>
${table(
  ['Time', 'What', 'Detail'],
  timelineOf(outage).map(({ ts, subject, detail }) => [time(ts), escapeHtml(subject), escapeHtml(detail)]),
)}
${readings(outage)}
<p class="note">Times are UTC. Written by Ridethrough at ${time(outage.generatedAt)}.${
      outage.evidenceComplete
        ? ''
        : ' Part of the readings is not stored any more, or does not fit this page.'
    }</p>`,
  );
}

function shutdown(one: OutageBody['shutdowns'][number]): string {
  return `<h2>${escapeHtml(shutdownName(one))}</h2>
<p>${escapeHtml(shutdownSummary(one, time))}</p>
${table(
  stepColumns,
  one.steps.map((step) => {
    const cells = stepCells(step, time).map(escapeHtml);
    return [...cells.slice(0, -1), `<span class="${step.state}">${cells.at(-1) ?? ''}</span>`];
  }),
)}`;
}

/** Variables of the readings at each decision, one column each. */
function readings({ readings: found }: OutageBody): string {
  if (found.length === 0) return '';
  const names = [...new Set(found.flatMap(({ variables }) => Object.keys(variables)))].sort();
  return `<h2>Readings at each decision</h2>
${table(
  ['Variable', ...found.map(({ at, ts }) => `${escapeHtml(at)}<br>${time(ts)}`)],
  names.map((name) => [escapeHtml(name), ...found.map(({ variables }) => escapeHtml(variables[name] ?? ''))]),
)}`;
}

function time(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().replace('T', ' ').slice(0, 19);
}
