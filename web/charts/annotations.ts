// The events of one UPS on a chart: outages and lost connections as bands, all events as marks. Pure.
import type { EventRow } from '../../shared/http/bodies.js';

export interface Band {
  readonly kind: 'outage' | 'disconnected';
  readonly from: number;
  readonly to: number;
}

export interface Annotations {
  readonly bands: readonly Band[];
  readonly marks: readonly EventRow[];
}

const begins: Readonly<Record<string, Band['kind']>> = {
  ON_BATTERY: 'outage',
  CONNECTION_LOST: 'disconnected',
};
const ends: Readonly<Record<string, Band['kind']>> = {
  POWER_RESTORED: 'outage',
  CONNECTION_RESTORED: 'disconnected',
};

/** Where the marks begin on a chart from `from` on, whose newest `limit` events of all UPSes are `events`, oldest first. */
export function marksBegin(events: readonly EventRow[], limit: number, from: number): number {
  return events.length < limit ? from : (events[0]?.ts ?? from);
}

/**
 * `events`: those of this UPS, oldest first. A band that ends without a begin starts at `from`; one without an end
 * lasts until `to` if `stillOpen` says that it still lasts.
 */
export function annotationsOf(
  events: readonly EventRow[],
  { from, to }: { readonly from: number; readonly to: number },
  stillOpen: Readonly<Record<Band['kind'], boolean>>,
): Annotations {
  const bands: Band[] = [];
  const openSince = new Map<Band['kind'], number>();
  const seenKinds = new Set<Band['kind']>();
  for (const { eventType, ts } of events) {
    const begun = begins[eventType];
    const ended = ends[eventType];
    if (begun !== undefined && !openSince.has(begun)) openSince.set(begun, ts);
    if (ended !== undefined) {
      const since = openSince.get(ended) ?? (seenKinds.has(ended) ? ts : from);
      bands.push({ kind: ended, from: since, to: ts });
      openSince.delete(ended);
    }
    const kind = begun ?? ended;
    if (kind !== undefined) seenKinds.add(kind);
  }
  for (const kind of ['outage', 'disconnected'] as const) {
    const since = openSince.get(kind) ?? (stillOpen[kind] && !seenKinds.has(kind) ? from : undefined);
    if (since !== undefined) bands.push({ kind, from: since, to: stillOpen[kind] ? to : since });
  }
  return { bands, marks: events };
}
