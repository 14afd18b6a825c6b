// Every event type that the daemon records, and those reserved for [recovery], one row each: its category and so its verbosity tier,
// whether a message is sent for it, and when it is recorded. The table of specification/events.md#event-types has these rows.
import { oneOf } from '../base/units.js';

const categories = ['power_event', 'shutdown', 'diagnostics', 'audit', 'lifecycle'] as const;
export type EventCategory = (typeof categories)[number];
export const EventCategory = oneOf(...categories);

/**
 * `always`: it cannot be suppressed, is sent before every backlog and overflows last, as every event of category shutdown
 * (specification/notifications.md#safety-events).
 */
type Sent = 'no' | 'yes' | 'always';
type Row = readonly [EventCategory, Sent, when: string];

const table = {
  ON_BATTERY: ['power_event', 'always', 'the load has gone on battery, in an outage or a battery test'],
  POWER_RESTORED: ['power_event', 'yes', 'the outage is over'],
  FSD_LATCHED: ['power_event', 'yes', 'FSD is shown on line power and shuts nothing down'],
  BROWNOUT_DETECTED: ['power_event', 'always', 'the input voltage is below its band'],
  OVER_VOLTAGE_DETECTED: ['power_event', 'always', 'the input voltage is above its band'],
  PHASE_LOST: ['power_event', 'yes', 'one phase of the input has no voltage'],
  BYPASS_MODE_ACTIVE: ['power_event', 'always', 'the load is on bypass: no battery protects it'],
  OVERLOAD_ACTIVE: ['power_event', 'always', 'the load is more than the UPS can carry'],
  BATTERY_REPLACE: ['power_event', 'yes', 'the UPS asks for a new battery (RB)'],
  UPS_ALARM: ['power_event', 'yes', 'the UPS shows an alarm'],
  UPS_OFF: ['power_event', 'yes', 'the output of the UPS is off'],
  CONNECTION_LOST: ['power_event', 'always', 'the UPS cannot be read any more'],
  CONNECTION_RESTORED: ['power_event', 'yes', 'the UPS can be read again'],
  FSD_DETECTED: ['power_event', 'yes', 'the UPS or its NUT primary demands a forced shutdown'],
  LOW_BATTERY_FLAG: ['power_event', 'yes', 'the UPS shows LB on battery'],
  LOW_BATTERY_CONTRADICTED: ['power_event', 'yes', 'charge and runtime contradict LB, which waits'],
  POWER_SOURCE_CONTRADICTED: [
    'power_event',
    'yes',
    'other values contradict OL, or OL and OB are shown at once from the first reading',
  ],

  SHUTDOWN_TRIGGERED: ['shutdown', 'always', 'a trigger is met, or a quorum is lost: a sequence begins'],
  SHUTDOWN_PHASE_STARTED: ['shutdown', 'no', 'a phase of a sequence begins'],
  SHUTDOWN_PHASE_FINISHED: ['shutdown', 'no', 'a phase of a sequence has ended'],
  SHUTDOWN_STEP_FAILED: ['shutdown', 'always', 'a step or wait of a sequence has failed'],
  SHUTDOWN_SEQUENCE_COMPLETE: ['shutdown', 'always', 'all phases of a sequence have ended'],
  SHUTDOWN_RESUMED: [
    'shutdown',
    'always',
    'a sequence goes on after a restart of the daemon, or after an exception lost it',
  ],
  SHUTDOWN_CANCELLED: [
    'shutdown',
    'always',
    'power is back, or a user cancels, before the first destructive step',
  ],
  REMOTE_SHUTDOWN_SUMMARY: [
    'shutdown',
    'always',
    'the remote phase has ended: how many servers took their command',
  ],
  RECOVERY_STARTED: ['shutdown', 'always', 'reserved'],
  RECOVERY_TARGET_UP: ['shutdown', 'no', 'reserved'],
  RECOVERY_TARGET_FAILED: ['shutdown', 'always', 'reserved'],
  RECOVERY_COMPLETE: ['shutdown', 'always', 'reserved'],
  GUESTS_STAY_OFF: [
    'shutdown',
    'always',
    'guests or containers that a shutdown has stopped stay off, or cannot be started again',
  ],
  QUORUM_LOST: ['shutdown', 'always', 'too few members of a redundancy group are healthy'],
  QUORUM_RESTORED: ['shutdown', 'always', 'enough members are healthy again'],

  VOLTAGE_NORMALIZED: ['diagnostics', 'yes', 'the input voltage is in its band again'],
  VOLTAGE_FLAP_SUPPRESSED: [
    'diagnostics',
    'no',
    'the input voltage is in its band again before its message was sent',
  ],
  VOLTAGE_AUTODETECT_MISMATCH: [
    'diagnostics',
    'yes',
    'the nominal voltage that was read does not fit the mains',
  ],
  PHASE_RESTORED: ['diagnostics', 'yes', 'a lost phase has its voltage again'],
  AVR_BOOST_ACTIVE: ['diagnostics', 'no', 'the UPS raises a low input voltage'],
  AVR_TRIM_ACTIVE: ['diagnostics', 'no', 'the UPS lowers a high input voltage'],
  AVR_INACTIVE: ['diagnostics', 'no', 'the input voltage passes unchanged again'],
  BYPASS_MODE_INACTIVE: ['diagnostics', 'yes', 'the load is not on bypass any more'],
  OVERLOAD_RESOLVED: ['diagnostics', 'yes', 'the load is not too much any more'],
  UPS_ALARM_CLEARED: ['diagnostics', 'yes', 'the UPS shows no alarm any more'],
  UPS_ON: ['diagnostics', 'yes', 'the output of the UPS is on again'],
  ECO_MODE_ACTIVE: ['diagnostics', 'no', 'the UPS is in its economy mode'],
  ECO_MODE_INACTIVE: ['diagnostics', 'no', 'the UPS has left its economy mode'],
  CALIBRATION_STARTED: ['diagnostics', 'no', 'the UPS calibrates its battery'],
  CALIBRATION_ENDED: ['diagnostics', 'no', 'the calibration is over'],
  UNKNOWN_STATUS_WORD: ['diagnostics', 'no', 'the UPS shows a word that NUT does not define, once for each'],
  POWER_SOURCE_PLAUSIBLE: ['diagnostics', 'no', 'nothing contradicts the status any more'],
  BATTERY_ANOMALY: ['diagnostics', 'yes', 'the charge has fallen on line power'],
  CONNECTION_FLAPPING: ['diagnostics', 'yes', 'the connection was lost and came back too often in a day'],
  SLOW_NUT_RESPONSE: ['diagnostics', 'no', 'a poll took 2 s or more'],
  REMOTE_SSH_SLOW_RESPONSE: ['diagnostics', 'no', 'a probe took more than half of its time-out'],
  TRIGGER_ADVISORY: ['diagnostics', 'no', 'a trigger is met that starts no sequence of this UPS'],
  WORKER_RESTARTED: ['diagnostics', 'no', 'a worker has ended and is started again'],
  WORKER_FAILED: ['diagnostics', 'yes', 'a worker ends again and again'],
  POLICY_EXCEPTION: ['diagnostics', 'yes', 'the decision has thrown an exception: a bug'],
  REMOTE_HEALTH_DEGRADED: ['diagnostics', 'no', 'a probe of a server has failed'],
  REMOTE_HEALTH_FAILED: ['diagnostics', 'yes', 'a server could not be shut down now'],
  REMOTE_HEALTH_HEALTHY: ['diagnostics', 'yes', 'a server can be shut down again; sent after FAILED'],
  BATTERY_HEALTH_WARNING: ['diagnostics', 'yes', 'the health of the battery is below `warn_score`'],
  BATTERY_HEALTH_CRITICAL: ['diagnostics', 'yes', 'the health of the battery is below `critical_score`'],
  BATTERY_REPLACEMENT_PREDICTED: [
    'diagnostics',
    'yes',
    'the battery will need replacement within the horizon',
  ],
  SELF_TEST_STARTED: ['diagnostics', 'no', 'a battery test has begun'],
  SELF_TEST_PASSED: ['diagnostics', 'no', 'a battery test has passed'],
  SELF_TEST_WARNING: ['diagnostics', 'yes', 'a battery test has ended without a clear result'],
  SELF_TEST_FAILED: ['diagnostics', 'yes', 'a battery test has failed'],

  CONTROL_COMMAND: ['audit', 'no', 'a command of a UPS was done, denied or failed'],
  CONTROL_VARIABLE: ['audit', 'no', 'the change of a variable was done, denied or failed'],
  CONTROL_SELF_TEST: ['audit', 'no', 'the start of a battery test was done, denied or failed'],
  CONFIG_RELOAD: [
    'audit',
    'no',
    'a reload was asked for: API, local socket or SIGHUP; done, denied or failed',
  ],
  EVENTS_DELETED: ['audit', 'no', 'a deletion removed at least one row'],
  EVENTS_DELETE_DENIED: ['audit', 'no', 'a deletion was refused'],
  EVENTS_DELETE_FAILED: ['audit', 'no', 'a deletion failed, or matched nothing (`0 rows`)'],
  HISTORY_IMPORTED: [
    'audit',
    'no',
    'an import added its first rows (`begun`), and at its end with the number of rows',
  ],
  LOGIN_SUCCESS: ['audit', 'no', 'a login'],
  LOGIN_FAILURE: [
    'audit',
    'no',
    'a login that failed, or a request of another route without the credential it needs',
  ],
  LOGIN_THROTTLED: ['audit', 'no', 'a login that was not tried, after too many that failed'],

  DAEMON_START: ['lifecycle', 'no', 'the daemon has started, with none of the reasons below'],
  DAEMON_STOP: ['lifecycle', 'no', 'the daemon stops'],
  DAEMON_RESTARTED: ['lifecycle', 'no', 'the daemon has started again on the same boot'],
  DAEMON_RECOVERED: ['lifecycle', 'yes', 'the host has started again after a shutdown of this daemon'],
  DAEMON_UPGRADED: ['lifecycle', 'no', 'another version has started'],
  DAEMON_AFTER_CRASH: ['lifecycle', 'yes', 'the daemon has started, and had not stopped by itself'],
} as const satisfies Readonly<Record<string, Row>>;

export type EventType = keyof typeof table;
type TypeOf<C extends EventCategory> = {
  [T in EventType]: (typeof table)[T][0] extends C ? T : never;
}[EventType];

const rows: Readonly<Record<EventType, Row>> = table;
/** Every event type, in the order of specification/events.md#event-types. */
export const eventTypes = Object.keys(table) as [EventType, ...EventType[]];
export const EventType = oneOf(...eventTypes);

/** The types that the API worker may record: actions of users, done or refused. */
export type AuditEventType = TypeOf<'audit'>;
const auditTypes = eventTypes.filter((type): type is AuditEventType => categoryOf(type) === 'audit');
export const AuditEventType = oneOf(...(auditTypes as [AuditEventType, ...AuditEventType[]]));

/** A row of a later version, too. */
export function categoryOf(type: EventType): EventCategory {
  return (rows[type] as Row | undefined)?.[0] ?? 'diagnostics';
}

/** When it is recorded, in Markdown. */
export function meaningOf(type: EventType): string {
  return rows[type][2];
}

/** Whether there is a message for this type. */
export function isSent(type: EventType): boolean {
  return rows[type][1] !== 'no';
}

export function isSafetyEvent(type: EventType): boolean {
  return rows[type][1] === 'always' || categoryOf(type) === 'shutdown';
}
