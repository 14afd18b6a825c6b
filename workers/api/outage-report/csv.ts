// One outage as CSV: its timeline, and every change of a variable.
import type { OutageBody } from '../../../shared/http/outage-bodies.js';
import { timelineOf } from '../../../shared/domain/outage-timeline.js';
import { csv } from '../http/csv.js';

export function outageCsv(outage: OutageBody): string {
  const rows = [
    ...timelineOf(outage),
    ...outage.changes.flatMap(({ ts, variables }) =>
      Object.entries(variables).map(([subject, value]) => ({
        ts,
        kind: 'reading',
        subject,
        detail: value ?? '',
      })),
    ),
  ].sort((a, b) => a.ts - b.ts);
  return csv([
    ['time', 'kind', 'subject', 'detail'],
    ...rows.map(({ ts, kind, subject, detail }) => [
      new Date(ts * 1000).toISOString(),
      kind,
      subject,
      detail,
    ]),
  ]);
}
