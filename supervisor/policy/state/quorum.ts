// Whether enough members of a redundancy group carry its load. Evaluated once a second; a single bad evaluation does
// not count, except for a trigger, which has its own confirmations (decision/group.ts).
import { unreachable } from '../../../shared/domain/base/unreachable.js';

/** After its start the daemon waits this long for members that have not reported. */
export const coldStartMs = 80_000;

/**
 *   starting --- every member has reported, or 80 s ---> held, or doubted with too few
 *   held ------- too few ---> doubted --- too few ---> lost
 *   held, doubted ----------- too few by the trigger of a member that has started ---> lost
 *   doubted, lost ----------- enough ---> held
 */
export type Quorum =
  | { readonly kind: 'starting'; readonly sinceWatchedMs: number }
  | { readonly kind: 'held' }
  | { readonly kind: 'doubted' }
  | { readonly kind: 'lost' };

export interface Votes {
  readonly enough: boolean;
  readonly allReported: boolean;
}

const held: Quorum = { kind: 'held' };
const doubted: Quorum = { kind: 'doubted' };
export const lostQuorum: Quorum = { kind: 'lost' };

export function evaluated(quorum: Quorum, votes: Votes, watchedMs: number): Quorum {
  switch (quorum.kind) {
    case 'starting':
      if (!votes.allReported && watchedMs - quorum.sinceWatchedMs < coldStartMs) return quorum;
      return votes.enough ? held : doubted;
    case 'held':
      return votes.enough ? held : doubted;
    case 'doubted':
    case 'lost':
      return votes.enough ? held : lostQuorum;
    default:
      return unreachable(quorum);
  }
}
