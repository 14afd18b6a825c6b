// What the oracle expects one daemon to know. For each snapshot the oracle keeps a copy of this memory; after a restart
// both continue from it.
import type { TriggerName } from '../../../shared/domain/status/states.js';
import type { Policies } from '../scenario.js';
import type { UpsHistory } from './ups-history.js';
import { blankUpsHistory } from './blank-history.js';
import type { InARow } from './due.js';
import { noneInARow, recounted } from './due.js';

export interface UpsMemory {
  readonly upsHistory: UpsHistory;
  readonly inARow: InARow;
  /** The trigger that was met in this outage, but for FSD. */
  readonly active: TriggerName | null;
  /** Consecutive false readings of the power source. */
  readonly falseReadings: number;
  /** The maximum of them in the reported outage: a trigger that they met stays met until its end. */
  readonly mostFalseReadings: number;
}

/** A member, by the thresholds of its group. */
export interface MemberMemory {
  readonly inARow: InARow;
  readonly met: TriggerName | null;
}

/** A started sequence. */
export interface Fired {
  /** Its decision: monotonic ms, and wall clock, by which a record of it is known. */
  readonly sinceMs: number;
  readonly unixSeconds: number;
  readonly outageOver: boolean;
  readonly sequenceOver: boolean;
}

/** After a longer absence the failsafe delay starts again. */
const longAbsenceMs = 15_000;
/** The end of the watched time is known with this uncertainty. */
const doubtMs = 1_000;

const blankMember: MemberMemory = { inARow: noneInARow, met: null };

/** The values are immutable: a copy copies only the maps. */
export class Memory {
  /** Milliseconds in which the daemon watched. */
  watchedMs = 0;
  /** Watched time since the last absence that was certainly long, and since the last that was possibly long. */
  certainlyWatchingSinceMs = 0;
  possiblyWatchingSinceMs = 0;
  readonly ups = new Map<string, UpsMemory>();
  /** By group and member: keys of `memberKey`. */
  readonly members = new Map<string, MemberMemory>();
  /** UPSes whose last reading is older than a sequence that only the journal had. */
  readonly unseen = new Set<string>();
  /** Groups that are not armed. */
  readonly fired = new Map<string, Fired>();
  /** Groups armed by a quorum that may have held only between two evaluations: the daemon may not have seen it. */
  readonly doubtful = new Set<string>();

  /** The daemon was absent for this long, up to now. */
  wasAway(ms: number): void {
    if (ms > longAbsenceMs + doubtMs) this.certainlyWatchingSinceMs = this.watchedMs;
    if (ms > longAbsenceMs - doubtMs) this.possiblyWatchingSinceMs = this.watchedMs;
  }

  copy(): Memory {
    return Object.assign(new Memory(), this, {
      ups: new Map(this.ups),
      members: new Map(this.members),
      unseen: new Set(this.unseen),
      fired: new Map(this.fired),
      doubtful: new Set(this.doubtful),
    });
  }

  /** The memory of the UPSes and groups of `policies`, including new ones. */
  fittedTo({ ups, groups }: Policies): Memory {
    const fitted = new Memory();
    fitted.watchedMs = this.watchedMs;
    fitted.certainlyWatchingSinceMs = this.certainlyWatchingSinceMs;
    fitted.possiblyWatchingSinceMs = this.possiblyWatchingSinceMs;
    for (const { groupId, triggers } of ups) {
      const known = this.ups.get(groupId) ?? blankUps(this.watchedMs);
      fitted.ups.set(groupId, { ...known, inARow: recounted(known.inARow, known.upsHistory, triggers) });
    }
    for (const groupId of this.unseen) fitted.unseen.add(groupId);
    for (const { groupId, members, triggers } of groups) {
      for (const member of members) {
        const key = memberKey(groupId, member);
        const known = this.members.get(key) ?? blankMember;
        const upsHistory = this.ups.get(member)?.upsHistory ?? blankUpsHistory(this.watchedMs);
        fitted.members.set(key, { ...known, inARow: recounted(known.inARow, upsHistory, triggers) });
      }
    }
    for (const { groupId } of [...ups, ...groups]) {
      const fired = this.fired.get(groupId);
      if (fired !== undefined) fitted.fired.set(groupId, fired);
      if (this.doubtful.has(groupId)) fitted.doubtful.add(groupId);
    }
    return fitted;
  }
}

export function memberKey(group: string, ups: string): string {
  return `${group} ${ups}`;
}

function blankUps(watchedMs: number): UpsMemory {
  return {
    upsHistory: blankUpsHistory(watchedMs),
    inARow: noneInARow,
    active: null,
    falseReadings: 0,
    mostFalseReadings: 0,
  };
}
