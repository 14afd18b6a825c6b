// The record of one group from what is known now (specification/recovery.md#record): derived from the looks, the rows of its UPSes and
// the journal, so that no step of a sequence has to write it. Pure.
import type { RecordedOutput, RecordedTarget, RecoveryRecord } from '../../shared/domain/recovery/record.js';
import { recordVersion } from '../../shared/domain/recovery/record.js';
import type { RecordedGuest } from '../../shared/domain/recovery/guest.js';
import { kindOf } from '../../shared/domain/actions/table.js';
import type { GroupRecord } from '../sequence/journal/fold.js';
import type { PowerOffRecord } from '../sequence/journal/power-off-record.js';
import { stepsOf } from '../sequence/journal/fold.js';
import type { GuestEnd, GuestFacts } from './recorded-guests.js';
import { foundOn, withGuestsThatFit } from './recorded-guests.js';
import type { Look } from './target-record.js';
import { commandOf, newTarget, targetAfter } from './target-record.js';

/** What a record is bound to. */
export type Identity = Pick<RecoveryRecord, 'machineId' | 'configFile' | 'configHash' | 'bootId'>;

export interface RecordedServer {
  readonly name: string;
  readonly haltTimeoutMs: number;
  readonly isLookedAt: boolean;
}

/** What is known of a group at each moment. */
export interface GroupState {
  readonly group: string;
  readonly servers: readonly RecordedServer[];
  /** This host is shut down with it. */
  readonly feedsHost: boolean;
  readonly onBattery: boolean;
  readonly sequence: GroupRecord | undefined;
  readonly powerOff: PowerOffRecord;
  readonly lookAt: (server: string) => Look;
  /** The status of the UPS shows OFF, or its output has 0 V. */
  readonly isOutputOff: (ups: string) => boolean;
  /** Monotonic. */
  readonly nowMs: number;
  /** Of a guest on a server, or on this host (null). */
  readonly guestEnd: (server: string | null, guest: RecordedGuest) => GuestEnd;
  readonly nowUnixSeconds: number;
  /** The group has been on line power for so long that an earlier restart belongs to no outage any more. */
  readonly isSettled: boolean;
}

/** With what has happened since the last moment. */
export interface GroupFacts extends GroupState {
  /** The last moment, monotonic. */
  readonly sinceMs: number;
  /** Servers that a person has shut down, with the date. */
  readonly byHand: ReadonlyMap<string, number>;
  /** Machines on which a person has begun a shutdown; null is this host. */
  readonly begun: ReadonlyMap<string | null, number>;
  /** Restarts of this host, by the last count of this daemon; null: it has counted none. */
  readonly restarts: number | null;
}

type Targets = ReadonlyMap<string | null, RecordedTarget>;

const noTargets: Targets = new Map();
const indexes = new WeakMap<RecoveryRecord, Targets>();

/** By server; null: this host. A group may have a thousand, and they are looked up ten times a second. */
export function targetsOf(record: RecoveryRecord | undefined): Targets {
  if (record === undefined) return noTargets;
  const known = indexes.get(record) ?? new Map(record.targets.map((target) => [target.server, target]));
  indexes.set(record, known);
  return known;
}

const hostLook: Look = { before: 'up', answers: true, unixSeconds: null };

/** `before` itself where nothing has changed; its number is then the last one of the group. */
export function recordAfter(
  before: RecoveryRecord | undefined,
  facts: GroupFacts,
  identity: Identity,
  number: number,
): RecoveryRecord {
  const { group, servers, feedsHost, sequence, powerOff, lookAt, nowMs, nowUnixSeconds } = facts;
  const isOpen = sequence !== undefined && sequence.over === null;
  // A dry run begins and ends between two moments, and so may the last command of a sequence whose power is back.
  const wasOpen = isOpen || (sequence !== undefined && sequence.lastMs >= facts.sinceMs);
  const inOutage = facts.onBattery || wasOpen;
  const isDryRun = wasOpen ? sequence.plan.dryRun : null;
  const ofGroup = { inOutage, isDryRun, nowUnixSeconds };
  const known = targetsOf(before);
  const guestsOf = (server: string | null): GuestFacts => ({
    found: foundOn(sequence, server),
    endOf: (guest) => facts.guestEnd(server, guest),
  });
  const targets = servers.map(({ name, ...server }) => {
    const { atMs, ...command } = commandOf(sequence, name);
    const commandedForMs = atMs === null ? null : nowMs - atMs;
    const of = {
      look: lookAt(name),
      commandedForMs,
      ...server,
      ...command,
      ...ofGroup,
      guests: guestsOf(name),
      byHandUnixSeconds: facts.byHand.get(name) ?? null,
      begunUnixSeconds: facts.begun.get(name) ?? null,
    };
    return targetAfter(known.get(name) ?? newTarget(name), of);
  });
  const isCommanded = inOutage && powerOff.attempts > 0 && !powerOff.givenUp && powerOff.askedBy.has(group);
  const host = targetAfter(known.get(null) ?? newTarget(null), {
    ...{ look: hostLook, haltTimeoutMs: 0, isLookedAt: true, ...ofGroup },
    ...{ command: isCommanded ? 'given' : 'none', commandedForMs: null, isFoundOff: false },
    ...{ guests: guestsOf(null), byHandUnixSeconds: null, begunUnixSeconds: facts.begun.get(null) ?? null },
  });
  const restarts = facts.isSettled && !inOutage ? 0 : (facts.restarts ?? before?.restarts ?? 0);
  const after: RecoveryRecord = {
    ...{ version: recordVersion, ...identity, number: before?.number ?? number, group, inOutage },
    targets: withGuestsThatFit(feedsHost ? [...targets, host] : targets, known),
    outputs: outputsAfter(before?.outputs ?? [], facts, inOutage),
    ...(restarts > 0 ? { restarts } : {}),
  };
  return before !== undefined && isSame(after, before) ? before : { ...after, number };
}

/**
 * Once its command was sent an output that is seen off was cut. A command that failed may have reached the UPS. On line power a new
 * outage has not begun: what was seen stays.
 */
function outputsAfter(
  before: readonly RecordedOutput[],
  { sequence, isOutputOff }: GroupFacts,
  inOutage: boolean,
): readonly RecordedOutput[] {
  if (sequence === undefined || !inOutage) return before;
  return stepsOf(sequence.plan).flatMap(({ id, action }): readonly RecordedOutput[] => {
    const ups = kindOf(action).outputOf(action);
    if (ups === null) return [];
    const step = sequence.steps.get(id);
    const maySend = step !== undefined && !sequence.plan.dryRun && step.ended?.outcome.kind !== 'skipped';
    if (!maySend) return [{ ups, cut: 'no' }];
    const wasCut = before.some((output) => output.ups === ups && output.cut === 'yes');
    return [{ ups, cut: wasCut || isOutputOff(ups) ? 'yes' : 'unknown' }];
  });
}

/** The date of a look alone is no change: it would be written each minute. */
function isSame(a: RecoveryRecord, b: RecoveryRecord): boolean {
  const { targets, outputs, ...about } = a;
  return (
    isSameFlat(about, b) &&
    a.restarts === b.restarts &&
    targets.length === b.targets.length &&
    targets.every((target, place) => isSameFlat(target, b.targets[place])) &&
    outputs.length === b.outputs.length &&
    outputs.every((output, place) => isSameFlat(output, b.outputs[place]))
  );
}

/** Of values that are no objects. */
function isSameFlat<T extends object>(a: T, b: Partial<T> = {}): boolean {
  const keys = Object.keys(a) as (keyof T & string)[];
  return keys.every((key) => key === 'lookedUnixSeconds' || a[key] === b[key]);
}
