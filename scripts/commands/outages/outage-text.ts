// Outages as text: a table of all, or the facts, the steps and the timeline of one.
import type { OutageBody, OutageRow } from '../../../shared/http/outage-bodies.js';
import { localTime } from '../../../shared/domain/base/local-calendar.js';
import { timelineOf } from '../../../shared/domain/outage/outage-timeline.js';
import {
  chargeText,
  lastedText,
  outageCauses,
  outageFacts,
  shutdownName,
  shutdownReason,
  shutdownSummary,
  stepCells,
  stepColumns,
} from '../../../shared/domain/outage/outage-wording.js';
import { columns } from '../terminal/table.js';

const none = 'No outage matches. (With statistics.enabled = false the daemon stores no outages.)\n';

export function outageList(outages: readonly OutageRow[]): string {
  if (outages.length === 0) return none;
  return columns([
    ['NUMBER', 'UPS', 'BEGIN', 'DURATION', 'LOWEST', 'CAUSE', 'SHUTDOWN'],
    ...outages.map((outage) => [
      String(outage.id),
      outage.label,
      localTime(outage.start),
      lastedText(outage),
      chargeText(outage.lowestCharge),
      outageCauses[outage.cause],
      outage.shutdowns.map(shutdownReason).join('; '),
    ]),
  ]);
}

export function outageText(outage: OutageBody): string {
  const shutdowns = outage.shutdowns.flatMap((shutdown) => [
    `${shutdownName(shutdown)}\n${shutdownSummary(shutdown, localTime)}\n`,
    columns([
      stepColumns.map((name) => name.toUpperCase()),
      ...shutdown.steps.map((step) => stepCells(step, localTime)),
    ]),
  ]);
  const timeline = timelineOf(outage).map(({ ts, subject, detail }) => [localTime(ts), subject, detail]);
  return [
    `Outage ${String(outage.id)} of ${outage.label}\n${columns(outageFacts(outage, localTime))}`,
    ...shutdowns,
    columns([['TIME', 'WHAT', 'DETAIL'], ...timeline]),
  ].join('\n');
}
