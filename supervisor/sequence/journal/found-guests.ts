// The guests that the steps of a sequence have found running, by the journal, and how many of them it takes. Pure.
import type { StoppedGuest } from '../../../shared/domain/recovery/guest.js';
import { guestKey, maxGuests, StoppedGuest as Guest } from '../../../shared/domain/recovery/guest.js';

/** A journal of 32 MiB is not read any more (journal.ts); the plans of 1,000 servers need a part of it. */
export const maxFoundChars = 8 * 1024 * 1024;

/** When it was found the last time: a step that runs again after a restart stops it again. */
export interface FoundGuest {
  readonly guest: StoppedGuest;
  readonly atMs: number;
  readonly unixSeconds: number;
}

/** By step, and there by `guestKey`. */
export type FoundByStep = ReadonlyMap<string, ReadonlyMap<string, FoundGuest>>;

interface Found {
  readonly step: string;
  readonly guests: readonly StoppedGuest[];
  readonly atMs: number;
  readonly unixSeconds: number;
}

/** The union of what the step has found, at most `maxGuests`. */
export function foundAfter(
  known: ReadonlyMap<string, FoundGuest> | undefined,
  { guests, atMs, unixSeconds }: Found,
): ReadonlyMap<string, FoundGuest> {
  const after = new Map(known);
  for (const guest of guests) {
    const key = guestKey(guest);
    if (after.has(key) || after.size < maxGuests) after.set(key, { guest, atMs, unixSeconds });
  }
  return after;
}

export const charsOf = (guests: readonly StoppedGuest[]): number => JSON.stringify(guests).length;

export interface Taken {
  readonly guests: readonly StoppedGuest[];
  /** More than fit, by name. */
  readonly tooMany: readonly string[];
  /** Their name or id is none of their engine. */
  readonly malformed: number;
}

/** What of a report of the step goes into the journal, of which `usedChars` are reports already. */
export function takenOf(
  reported: readonly StoppedGuest[],
  known: ReadonlyMap<string, FoundGuest> | undefined,
  usedChars: number,
): Taken {
  const valid = reported.filter((guest) => Guest.is(guest));
  const guests: StoppedGuest[] = [];
  const tooMany: string[] = [];
  let size = known?.size ?? 0;
  let chars = usedChars;
  for (const guest of valid) {
    const isKnown = known?.has(guestKey(guest)) === true;
    chars += charsOf([guest]);
    if (guests.length >= maxGuests || chars > maxFoundChars || (!isKnown && size >= maxGuests))
      tooMany.push(guest.name);
    else {
      guests.push(guest);
      if (!isKnown) size += 1;
    }
  }
  return { guests, tooMany, malformed: reported.length - valid.length };
}
