// GET /api/v1/recovery: who was up before the outage, and what brings it back (specification/recovery.md#status).
import * as t from 'io-ts';
import { finite, oneOf, orNull } from '../base/units.js';
import { Before } from './record.js';
import { WayBack } from './recovery-check.js';

const TargetState = oneOf('waiting', 'waking', 'booting', 'up', 'skipped', 'missing');

export const RecoveryTarget = t.type(
  {
    name: t.string,
    /** The groupId of the UPS or redundancy group that owns it. */
    group: t.string,
    before: Before,
    state: TargetState,
    /** How far it is up, by the last look. */
    level: oneOf('off', 'powered', 'reachable', 'itself', 'serving', 'unknown'),
    way: WayBack,
    attempts: finite,
    /** Unix seconds of the last change of its state; null while nothing is to be brought back. */
    since: orNull(finite),
    reason: t.string,
  },
  'RecoveryTarget',
);
export type RecoveryTarget = t.TypeOf<typeof RecoveryTarget>;

export const RecoveryStatus = t.type(
  {
    state: oneOf('off', 'idle', 'waiting', 'running', 'complete', 'incomplete'),
    /** Why nothing is recorded or brought back; empty while all is well. */
    reason: t.string,
    /** Every server, always. */
    targets: t.array(RecoveryTarget),
  },
  'RecoveryStatus',
);
export type RecoveryStatus = t.TypeOf<typeof RecoveryStatus>;
