// A report as text: what matters first, so that a service that cuts it cuts the least important.
import { withOrdinarySpaces } from '../../../shared/domain/base/duration.js';
import { lastedText } from '../../../shared/domain/outage/outage-wording.js';
import { localTime } from '../../../shared/domain/base/local-calendar.js';
import type { Report, UpsReport } from '../../../shared/domain/outage/report.js';
import {
  concernsOf,
  factsOf,
  periodNames,
  plotOf,
  summaryOf,
} from '../../../shared/domain/outage/report-wording.js';

/** Without `limit` everything. A longer text ends with what is left out. */
export function reportText(report: Report, limit = Infinity): string {
  const { period, title, outages, ups, currency } = report;
  const concerns = concernsOf(report);
  const blocks = [
    [`${periodNames[period]}, ${title}: ${summaryOf(report)}.`],
    concerns.length === 0 ? ['Nothing needs attention.'] : ['Needs attention:', ...concerns.map(item)],
    ...(outages.length === 0 ? [] : [['Outages:', ...outages.map(outageText).map(item)]]),
    ...ups.map((one) => upsText(one, currency)),
  ].map((lines) => `${lines.join('\n')}\n`);
  return fitting(blocks, limit);
}

const item = (text: string): string => `- ${text}`;

function outageText(outage: Report['outages'][number]): string {
  const { label, cause, start, lowestCharge, shutdowns } = outage;
  const lasted = withOrdinarySpaces(lastedText(outage));
  return [
    `${localTime(start).slice(0, 16)} ${label}: ${cause === 'outage' ? '' : `${cause}, `}${lasted}`,
    ...(lowestCharge === null ? [] : [`lowest charge ${String(lowestCharge)} %`]),
    ...shutdowns.map((why) => `shutdown: ${why}`),
  ].join(', ');
}

function upsText(ups: UpsReport, currency: string): readonly string[] {
  const plot = plotOf(ups);
  return [
    ups.label,
    ...factsOf(ups, currency).map(([name, text]) => `  ${name}: ${text}`),
    ...(plot === null ? [] : [`  ${plot.name}: ${plot.plot}`]),
  ];
}

/** Whole blocks, as many as fit; a first block that is too long is cut. */
function fitting(blocks: readonly string[], limit: number): string {
  const rest = '\nThe rest: ridethrough report\n';
  const taken: string[] = [];
  let length = 0;
  for (const block of blocks) {
    length += block.length + 1;
    if (length > limit - rest.length) {
      const cut =
        taken.length > 2
          ? ''
          : block.slice(0, Math.max(0, limit - rest.length - taken.join('\n').length - 1));
      return `${[...taken, ...(cut === '' ? [] : [cut])].join('\n')}${rest}`;
    }
    taken.push(block);
  }
  return taken.join('\n');
}
