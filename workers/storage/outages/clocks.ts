// Where an outage lies when the wall clock is set, or the machine boots, while it lasts (specification/storage.md#clocks). Pure.
import type { BootMoment } from '../boots.js';

/** What the clock of a boot and the wall clock may differ by without being set: NTP slews, and both are rounded. */
export const slewMs = 2_000;

/** Times in Unix ms. */
export interface DatedOutage {
  readonly started: number;
  readonly ended: number | null;
  readonly last: number | null;
  /** The begin as recorded, where it has another date now. */
  readonly dated: number | null;
  /** The boot that it was last seen in, and its begin on the clock of that boot; null: not known. */
  readonly boot: string | null;
  readonly bootMs: number | null;
  /** A JSON list; null: it was in one boot. */
  readonly formerBoots: string | null;
}

/**
 * The outage by the clocks of this moment. In its boot it began as long ago as the clock of the boot says. In another boot what was
 * seen of it keeps its length, and the time without a reading comes from the wall clock, where that has gone on.
 */
export function datedAt<A extends DatedOutage>(outage: A, { at, boot }: BootMoment): A {
  if (boot === undefined || outage.boot === null || outage.bootMs === null) return outage;
  const { started, ended, last, formerBoots } = outage;
  const atMs = Math.floor(at * 1000);
  const bootMs = Math.floor(boot.ms);
  if (outage.boot === boot.id)
    // A container that was started again has a clock of its own in the same boot.
    return bootMs < outage.bootMs ? outage : shiftOutage(outage, atMs - (bootMs - outage.bootMs) - started);
  const seenMs = Math.max(started, ended ?? last ?? started);
  const lengthMs = seenMs - started + Math.max(0, atMs - seenMs);
  const former = [...((JSON.parse(formerBoots ?? '[]') as unknown[]) ?? []), outage.boot];
  return {
    ...shiftOutage(outage, atMs - lengthMs - started),
    boot: boot.id,
    bootMs: bootMs - lengthMs,
    formerBoots: JSON.stringify(former),
  };
}

/** The moment of a sample by the dates of the outage, in Unix ms. */
export function momentIn({ boot, bootMs, started }: DatedOutage, moment: BootMoment): number {
  const atMs = Math.floor(moment.at * 1000);
  if (moment.boot === undefined || bootMs === null || moment.boot.id !== boot) return atMs;
  const inOutage = started + Math.floor(moment.boot.ms) - bootMs;
  return Math.abs(inOutage - atMs) <= slewMs ? atMs : inOutage;
}

function shiftOutage<A extends DatedOutage>(outage: A, byMs: number): A {
  if (Math.abs(byMs) <= slewMs) return outage;
  const { started, ended, last, dated } = outage;
  const moved = (ms: number | null): number | null => (ms === null ? null : ms + byMs);
  return {
    ...outage,
    started: started + byMs,
    ended: moved(ended),
    last: moved(last),
    dated: dated ?? started,
  };
}
