// The closed sets of state names (specification/api-resources.md#ups-row). Code spells a state only through them.
import * as t from 'io-ts';
import { triggers } from '../triggers/table.js';
import { oneOf } from '../base/units.js';

export const ConnectionState = oneOf('UNKNOWN', 'OK', 'GRACE_PERIOD', 'FAILED');
export type ConnectionState = t.TypeOf<typeof ConnectionState>;

const pollFailures = [
  'SERVER_DOWN',
  'TIMEOUT',
  'DRIVER_NOT_CONNECTED',
  'DATA_STALE',
  'UNKNOWN_UPS',
  'ACCESS_DENIED',
  'TLS_FAILED',
  'PROTOCOL_ERROR',
  'TOOL_MISSING',
] as const;
export const PollFailure = oneOf(...pollFailures);
export type PollFailure = t.TypeOf<typeof PollFailure>;

/** The result of the last poll; NEVER_POLLED before the first one has ended. */
export const ConnectionDetail = oneOf('OK', ...pollFailures, 'NEVER_POLLED');
export type ConnectionDetail = t.TypeOf<typeof ConnectionDetail>;

const voltageStates = ['NORMAL', 'LOW', 'HIGH', 'UNKNOWN'] as const;
export const VoltageState = oneOf(...voltageStates);
export type VoltageState = t.TypeOf<typeof VoltageState>;
/** As shown: a lost phase instead of NORMAL and UNKNOWN. */
export const GridState = oneOf(...voltageStates, 'PHASE_LOST');
export type GridState = t.TypeOf<typeof GridState>;
export const AvrState = oneOf('INACTIVE', 'BOOST', 'TRIM');
export type AvrState = t.TypeOf<typeof AvrState>;
export const OnOffState = oneOf('INACTIVE', 'ACTIVE');
export type OnOffState = t.TypeOf<typeof OnOffState>;
export const MemberHealth = oneOf('HEALTHY', 'DEGRADED', 'CRITICAL', 'UNKNOWN');
export type MemberHealth = t.TypeOf<typeof MemberHealth>;
export const RemoteStatus = oneOf('DISABLED', 'UNKNOWN', 'HEALTHY', 'DEGRADED', 'FAILED');
export type RemoteStatus = t.TypeOf<typeof RemoteStatus>;

/** The triggers, in the order of their table. */
const [firstTrigger, ...otherTriggers] = triggers;
export const TriggerName = oneOf(firstTrigger.name, ...otherTriggers.map(({ name }) => name));
export type TriggerName = t.TypeOf<typeof TriggerName>;

/** Why a sequence starts: a trigger of a UPS, or the quorum of a redundancy group. */
export const SequenceCause = t.union([TriggerName, t.literal('QUORUM_LOST')]);
export type SequenceCause = t.TypeOf<typeof SequenceCause>;
