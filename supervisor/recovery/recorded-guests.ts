// Which guests of a machine the record has, from one moment to the next (specification/recovery.md#guests). Pure.
import type { RecordedGuest } from '../../shared/domain/recovery/guest.js';
import { guestKey, maxGuests } from '../../shared/domain/recovery/guest.js';
import type { RecordedTarget } from '../../shared/domain/recovery/record.js';
import { maxRecordBytes } from '../../shared/domain/recovery/record.js';
import { kindOf } from '../../shared/domain/actions/table.js';
import type { FoundGuest } from '../sequence/journal/found-guests.js';
import type { GroupRecord } from '../sequence/journal/fold.js';
import { stepsOf } from '../sequence/journal/fold.js';

/** What became of a stopped guest since the last moment; null: nothing new. */
export type GuestEnd = Pick<RecordedGuest, 'state' | 'reason'> | null;

export interface GuestFacts {
  /** By the journal of this boot. */
  readonly found: readonly FoundGuest[];
  readonly endOf: (guest: RecordedGuest) => GuestEnd;
}

/** Of the guests of a group; the other half of a record is for its targets. */
const maxBytes = maxRecordBytes / 2;

type FoundByServer = ReadonlyMap<string | null, readonly FoundGuest[]>;
const nothingFound: FoundByServer = new Map();

/** What the steps of the sequence found on each server, and on this host (null): the delegate of a container commands the host too. */
function foundByServer(sequence: GroupRecord | undefined): FoundByServer {
  if (sequence === undefined || sequence.found.size === 0 || sequence.plan.dryRun) return nothingFound;
  const all = new Map<string | null, FoundGuest[]>();
  for (const { id, action } of stepsOf(sequence.plan)) {
    const found = sequence.found.get(id);
    const server = kindOf(action).serverOf(action);
    if (found !== undefined) all.set(server, [...(all.get(server) ?? []), ...found.values()]);
  }
  return all;
}

export const foundOn = (sequence: GroupRecord | undefined, server: string | null): readonly FoundGuest[] =>
  foundByServer(sequence).get(server) ?? [];

/** What is known of a machine with its guests. */
export type GuestTarget = Pick<
  RecordedTarget,
  'server' | 'guests' | 'isDryRun' | 'command' | 'byHandUnixSeconds'
>;

/** While recovery is off there is no record: those of the journal, which a boot forgets. By server; null is this host. */
export function targetsInJournal(sequence: GroupRecord | undefined): ReadonlyMap<string | null, GuestTarget> {
  return new Map(
    [...foundByServer(sequence)].map(([server, found]) => {
      const guests = [...newestOf(found).values()].map(recordedOf);
      return [server, { server, guests, isDryRun: false, command: 'none', byHandUnixSeconds: null }];
    }),
  );
}

/** The guests of `before` in their order, then those that were found since. A guest that has not changed is the same object. */
export function guestsAfter(
  before: readonly RecordedGuest[],
  { found, endOf }: GuestFacts,
): readonly RecordedGuest[] {
  if (before.length === 0 && found.length === 0) return before;
  const stops = newestOf(found);
  const known = before.flatMap((guest) => guestAfter(guest, stops.get(guestKey(guest)), endOf) ?? []);
  const keys = new Set(before.map(guestKey));
  return [...known, ...[...stops].flatMap(([key, stop]) => (keys.has(key) ? [] : [recordedOf(stop)]))];
}

/** Of a guest that several groups have stopped the last stop. A date may be of a clock that was set since. */
export function newestStops(guests: readonly RecordedGuest[]): readonly RecordedGuest[] {
  const newest = new Map<string, RecordedGuest>();
  for (const guest of guests) {
    const key = guestKey(guest);
    const known = newest.get(key);
    if (known === undefined || isNoEarlier(guest, known)) newest.set(key, guest);
  }
  return [...newest.values()];
}

/** By the clock of this boot, where one is of it; else by date. */
function isNoEarlier(a: RecordedGuest, b: RecordedGuest): boolean {
  if (a.foundMs === null && b.foundMs === null) return a.foundUnixSeconds >= b.foundUnixSeconds;
  return (a.foundMs ?? -Infinity) >= (b.foundMs ?? -Infinity);
}

/** Of an earlier boot: its journal is gone, and what runs again is forgotten with it. */
export function guestsAfterBoot(guests: readonly RecordedGuest[]): readonly RecordedGuest[] {
  return guests.flatMap((guest) => (guest.state === 'stopped' ? [{ ...guest, foundMs: null }] : []));
}

/** Several steps may have found it: the last stop counts. */
function newestOf(found: readonly FoundGuest[]): ReadonlyMap<string, FoundGuest> {
  const stops = new Map<string, FoundGuest>();
  for (const stop of found) {
    const key = guestKey(stop.guest);
    if (stop.atMs >= (stops.get(key)?.atMs ?? -Infinity)) stops.set(key, stop);
  }
  return stops;
}

/** By the record and by what became of it since: what the record has as over stays so, whatever an earlier start has reported. */
export const isStopped = (guest: RecordedGuest, end: GuestEnd): boolean =>
  guest.state === 'stopped' && (end ?? guest).state === 'stopped';

/** Null: it is forgotten. A stop that the record has not seen begins again. */
function guestAfter(
  guest: RecordedGuest,
  stop: FoundGuest | undefined,
  endOf: GuestFacts['endOf'],
): RecordedGuest | null {
  if (stop !== undefined && stop.atMs !== guest.foundMs) return recordedOf(stop);
  if (guest.state === 'over') return stop === undefined ? null : guest;
  const end = endOf(guest);
  if (end === null || (end.state === guest.state && end.reason === guest.reason)) return guest;
  return end.state === 'over' && stop === undefined ? null : { ...guest, ...end };
}

const recordedOf = ({ guest, atMs, unixSeconds }: FoundGuest): RecordedGuest => ({
  ...{ engine: guest.engine, id: guest.id, name: guest.name, user: guest.user },
  ...{ foundMs: atMs, foundUnixSeconds: unixSeconds, state: 'stopped', reason: '' },
});

/** The targets with as many of their guests as a record can hold; `before` has their lists of the moment before. */
export function withGuestsThatFit(
  targets: readonly RecordedTarget[],
  before: ReadonlyMap<string | null, RecordedTarget>,
): readonly RecordedTarget[] {
  if (targets.every(({ guests, guestsLeftOut }) => guests.length + guestsLeftOut === 0)) return targets;
  let leftBytes = maxBytes;
  return targets.map((target) => {
    const { guests, guestsLeftOut } = target;
    if (guests.length === 0) return { ...target, guestsLeftOut: 0 };
    const stopped = guests.filter(({ state }) => state === 'stopped');
    const ordered = [...stopped, ...guests.filter(({ state }) => state === 'over')];
    const kept = ordered.slice(0, maxGuests).filter((guest) => {
      const bytes = bytesOf(guest);
      if (bytes > leftBytes) return false;
      leftBytes -= bytes;
      return true;
    });
    const known = before.get(target.server)?.guests ?? [];
    const isSame = kept.length === known.length && kept.every((guest, place) => guest === known[place]);
    const leftOut = stopped.length - kept.filter(({ state }) => state === 'stopped').length;
    return {
      ...target,
      guests: isSame ? known : kept,
      // After a boot nothing names those that did not fit.
      guestsLeftOut: leftOut > 0 ? leftOut : guestsLeftOut,
    };
  });
}

const sizes = new WeakMap<RecordedGuest, number>();

function bytesOf(guest: RecordedGuest): number {
  const known = sizes.get(guest) ?? Buffer.byteLength(JSON.stringify(guest)) + 1;
  sizes.set(guest, known);
  return known;
}
