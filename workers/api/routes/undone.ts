// What was asked for and not done is recorded like what was (interface.md 5.13, contract 1.8): in the history of the UPS
// that it was about, or in the daemon's when no such UPS is configured.
import type { AuditEventType } from '../../../shared/domain/events.js';
import type { PublishedUps } from '../../../shared/protocol/api.js';
import { Problem } from '../problem.js';
import type { Room } from './room.js';
import { namedUps } from './room.js';
import type { RequestHead } from './route.js';

/** What was to be done: `run beeper.mute`; and why it was not: `denied`, `failed: text`. */
export interface Undone {
  readonly type: AuditEventType;
  readonly target: string;
  readonly result: string;
}

export function recordUndone(room: Room, { params, principal, peer }: RequestHead, undone: Undone): void {
  const source = room.model.find(params['name'] ?? '')?.row.groupId;
  room.audit.record({ ...undone, principal, peer, source });
}

/** The UPS an order is for; throws 404, recorded, when there is none of its name. */
export function orderedUps(room: Room, head: RequestHead, order: Omit<Undone, 'result'>): PublishedUps {
  const name = head.params['name'] ?? '';
  try {
    return namedUps(room, name);
  } catch (error) {
    if (error instanceof Problem && error.code === 'NOT_FOUND')
      recordUndone(room, head, {
        ...order,
        target: `${order.target} at ${name}`,
        result: 'failed: no such UPS',
      });
    throw error;
  }
}
