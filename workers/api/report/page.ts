// A report as a page in one file, also as the body of a mail.
import { chargeText, lastedText } from '../../../shared/domain/outage/outage-wording.js';
import { localTime } from '../../../shared/domain/base/local-calendar.js';
import type { Report, UpsReport } from '../../../shared/domain/outage/report.js';
import {
  concernsOf,
  factsOf,
  periodNames,
  plotOf,
  summaryOf,
} from '../../../shared/domain/outage/report-wording.js';
import { factTable, page, table } from '../html/document.js';
import { escapeHtml } from '../html/escape.js';

/** `most`: the number of UPSes that are shown in full. */
export function reportPage(report: Report, most = Infinity): string {
  const { period, title, ups, outages, currency, generatedAt } = report;
  const concerns = concernsOf(report);
  const left = ups.length - most;
  return page(
    `${periodNames[period]}, ${title}`,
    `<p>${escapeHtml(summaryOf(report))}.</p>
${
  concerns.length === 0
    ? '<p>Nothing needs attention.</p>'
    : `<h2>Needs attention</h2><ul>${concerns
        .slice(0, most)
        .map((one) => `<li class="failed">${escapeHtml(one)}</li>`)
        .join('')}</ul>`
}
${outages.length === 0 ? '' : `<h2>Outages</h2>${table(['Begin', 'UPS', 'Duration', 'Lowest charge', 'Shutdown'], outages.slice(0, most).map(outageCells))}`}
${ups
  .slice(0, most)
  .map((one) => upsPart(one, currency))
  .join('\n')}
${left > 0 ? `<p>${String(left)} more UPSes: ridethrough report --period ${period}</p>` : ''}
<p class="note">Times are local to the daemon. Written by Ridethrough at ${localTime(generatedAt)}.</p>`,
  );
}

/** The page with as many UPSes as fit into `limit` characters. */
export function fittingPage(report: Report, limit: number): string {
  for (
    let most = Math.max(report.ups.length, report.outages.length, 100);
    most > 0;
    most = Math.floor(most / 2)
  ) {
    const text = reportPage(report, most);
    if (text.length <= limit) return text;
  }
  return '';
}

function outageCells(outage: Report['outages'][number]): readonly string[] {
  const { label, cause, start, lowestCharge, shutdowns } = outage;
  return [
    localTime(start),
    escapeHtml(cause === 'outage' ? label : `${label} (${cause})`),
    lastedText(outage),
    chargeText(lowestCharge),
    escapeHtml(shutdowns.join('; ')),
  ];
}

function upsPart(ups: UpsReport, currency: string): string {
  const plot = plotOf(ups);
  const [first, last] = [ups.steps[0]?.label ?? '', ups.steps.at(-1)?.label ?? ''];
  return `<h2>${escapeHtml(ups.label)}</h2>
${factTable(factsOf(ups, currency).map(([name, text]) => [name, escapeHtml(text)]))}
${plot === null ? '' : `<p>${plot.name}, ${first} to ${last}<br><span class="plot" role="img" aria-label="${plot.name}">${plot.plot}</span></p>`}`;
}
