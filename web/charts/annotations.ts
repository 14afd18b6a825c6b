// What happened to one UPS within a chart's time: outages and times out of sight as bands, the rest as marks. Pure.
import type { EventRow } from '../../shared/http/bodies.js';

export interface Band {
  readonly kind: 'outage' | 'unseen';
  readonly from: number;
  readonly to: number;
}

export interface Happenings {
  readonly bands: readonly Band[];
  readonly marks: readonly EventRow[];
}

const begins: Readonly<Record<string, Band['kind']>> = { ON_BATTERY: 'outage', CONNECTION_LOST: 'unseen' };
const ends: Readonly<Record<string, Band['kind']>> = {
  POWER_RESTORED: 'outage',
  CONNECTION_RESTORED: 'unseen',
};

/**
 * `events` oldest first, of this UPS. What began before the first of them began at `from`; what has not ended goes on to
 * `to`, if the UPS says so by `stillOn`.
 */
export function happeningsOf(
  events: readonly EventRow[],
  { from, to }: { readonly from: number; readonly to: number },
  stillOn: Readonly<Record<Band['kind'], boolean>>,
): Happenings {
  const bands: Band[] = [];
  const open = new Map<Band['kind'], number>();
  const met = new Set<Band['kind']>();
  for (const { eventType, ts } of events) {
    const begun = begins[eventType];
    const ended = ends[eventType];
    if (begun !== undefined && !open.has(begun)) open.set(begun, ts);
    if (ended !== undefined) {
      const since = open.get(ended) ?? (met.has(ended) ? ts : from);
      bands.push({ kind: ended, from: since, to: ts });
      open.delete(ended);
    }
    const kind = begun ?? ended;
    if (kind !== undefined) met.add(kind);
  }
  for (const kind of ['outage', 'unseen'] as const) {
    const since = open.get(kind) ?? (stillOn[kind] && !met.has(kind) ? from : undefined);
    if (since !== undefined) bands.push({ kind, from: since, to: stillOn[kind] ? to : since });
  }
  return { bands, marks: events };
}
