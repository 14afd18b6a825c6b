// All that the oracle knows of one daemon's view of the world. What the daemon's snapshot keeps, the oracle keeps as a
// copy of that moment; after a restart both go on from there.
import type { TriggerName } from '../../../shared/domain/states.js';
import type { Policies } from '../site.js';
import type { UpsHistory } from './diary.js';
import { blankDiary } from './diary.js';
import type { InARow } from './due.js';
import { noneInARow } from './due.js';

export interface UpsMemory {
  readonly diary: UpsHistory;
  readonly inARow: InARow;
  /** The trigger that was met in this outage, but for FSD. */
  readonly active: TriggerName | null;
  /** Lies in a row about the source of power. */
  readonly lies: number;
  /** The most of them since the outage that is told began: what they have met stays met until its end. */
  readonly mostLies: number;
}

/** A member by the thresholds of its group. */
export interface MemberMemory {
  readonly inARow: InARow;
  readonly met: TriggerName | null;
}

/** A sequence that was started. */
export interface Fired {
  readonly outageOver: boolean;
  readonly sequenceOver: boolean;
}

/** After an absence of more than this the failsafe begins to wait anew. */
const longAbsenceMs = 15_000;
/** When the daemon looked for the last time is known to the tick and the turn. */
const doubtMs = 1_000;

const blankMember: MemberMemory = { inARow: noneInARow, met: null };

/** Its values never change, so that a copy is only one of the maps. */
export class Memory {
  /** Milliseconds in which the daemon listened. */
  watchedMs = 0;
  /** Watched time since which it looks without a long absence: of one that was long for certain, and of one that may have been. */
  surelyLookingSinceMs = 0;
  perhapsLookingSinceMs = 0;
  readonly ups = new Map<string, UpsMemory>();
  /** By group and member, as `memberKey` puts them together. */
  readonly members = new Map<string, MemberMemory>();
  /** Groups that are not armed. */
  readonly fired = new Map<string, Fired>();

  /** Nobody has looked for so long, up to now. */
  wasAway(ms: number): void {
    if (ms > longAbsenceMs + doubtMs) this.surelyLookingSinceMs = this.watchedMs;
    if (ms > longAbsenceMs - doubtMs) this.perhapsLookingSinceMs = this.watchedMs;
  }

  /** What is known of the UPSes and groups of `policies`, the new ones included. */
  fittedTo({ ups, groups }: Policies): Memory {
    const fitted = new Memory();
    fitted.watchedMs = this.watchedMs;
    fitted.surelyLookingSinceMs = this.surelyLookingSinceMs;
    fitted.perhapsLookingSinceMs = this.perhapsLookingSinceMs;
    for (const { groupId } of ups) fitted.ups.set(groupId, this.ups.get(groupId) ?? blankUps(this.watchedMs));
    for (const { groupId, members } of groups) {
      for (const member of members) {
        const key = memberKey(groupId, member);
        fitted.members.set(key, this.members.get(key) ?? blankMember);
      }
    }
    for (const { groupId } of [...ups, ...groups]) {
      const fired = this.fired.get(groupId);
      if (fired !== undefined) fitted.fired.set(groupId, fired);
    }
    return fitted;
  }
}

export function memberKey(group: string, ups: string): string {
  return `${group} ${ups}`;
}

function blankUps(watchedMs: number): UpsMemory {
  return { diary: blankDiary(watchedMs), inARow: noneInARow, active: null, lies: 0, mostLies: 0 };
}
