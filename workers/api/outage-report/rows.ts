// One outage as rows of text: its timeline, and every change of a variable.
import type { OutageBody } from '../../../shared/http/outage-bodies.js';
import { timelineOf } from '../../../shared/domain/outage/outage-timeline.js';
import { timeOf } from '../http/csv.js';

export function outageRows(outage: OutageBody): readonly (readonly string[])[] {
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
  return [
    ['time', 'kind', 'subject', 'detail'],
    ...rows.map(({ ts, kind, subject, detail }) => [timeOf(ts), kind, subject, detail]),
  ];
}
