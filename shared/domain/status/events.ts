// Every event type the daemon can record, with its category and so its verbosity tier (specification/events.md#event-types).
import { oneOf } from '../base/units.js';

const table = {
  power_event: [
    'ON_BATTERY',
    'POWER_RESTORED',
    'FSD_LATCHED',
    'BROWNOUT_DETECTED',
    'OVER_VOLTAGE_DETECTED',
    'PHASE_LOST',
    'BYPASS_MODE_ACTIVE',
    'OVERLOAD_ACTIVE',
    'BATTERY_REPLACE',
    'UPS_ALARM',
    'UPS_OFF',
    'CONNECTION_LOST',
    'CONNECTION_RESTORED',
    'FSD_DETECTED',
    'LOW_BATTERY_FLAG',
    'LOW_BATTERY_CONTRADICTED',
    'POWER_SOURCE_CONTRADICTED',
  ],
  shutdown: [
    'SHUTDOWN_TRIGGERED',
    'SHUTDOWN_PHASE_STARTED',
    'SHUTDOWN_PHASE_FINISHED',
    'SHUTDOWN_STEP_FAILED',
    'SHUTDOWN_SEQUENCE_COMPLETE',
    'SHUTDOWN_RESUMED',
    'SHUTDOWN_CANCELLED',
    'REMOTE_SHUTDOWN_SUMMARY',
    'RECOVERY_STARTED',
    'RECOVERY_TARGET_UP',
    'RECOVERY_TARGET_FAILED',
    'RECOVERY_COMPLETE',
    'QUORUM_LOST',
    'QUORUM_RESTORED',
  ],
  diagnostics: [
    'VOLTAGE_NORMALIZED',
    'VOLTAGE_FLAP_SUPPRESSED',
    'VOLTAGE_AUTODETECT_MISMATCH',
    'PHASE_RESTORED',
    'AVR_BOOST_ACTIVE',
    'AVR_TRIM_ACTIVE',
    'AVR_INACTIVE',
    'BYPASS_MODE_INACTIVE',
    'OVERLOAD_RESOLVED',
    'UPS_ALARM_CLEARED',
    'UPS_ON',
    'ECO_MODE_ACTIVE',
    'ECO_MODE_INACTIVE',
    'CALIBRATION_STARTED',
    'CALIBRATION_ENDED',
    'UNKNOWN_STATUS_WORD',
    'POWER_SOURCE_PLAUSIBLE',
    'BATTERY_ANOMALY',
    'CONNECTION_FLAPPING',
    'SLOW_NUT_RESPONSE',
    'REMOTE_SSH_SLOW_RESPONSE',
    'TRIGGER_ADVISORY',
    'WORKER_RESTARTED',
    'WORKER_FAILED',
    'POLICY_EXCEPTION',
    'REMOTE_HEALTH_DEGRADED',
    'REMOTE_HEALTH_FAILED',
    'REMOTE_HEALTH_HEALTHY',
    'BATTERY_HEALTH_WARNING',
    'BATTERY_HEALTH_CRITICAL',
    'BATTERY_REPLACEMENT_PREDICTED',
    'SELF_TEST_STARTED',
    'SELF_TEST_PASSED',
    'SELF_TEST_WARNING',
    'SELF_TEST_FAILED',
  ],
  audit: [
    'CONTROL_COMMAND',
    'CONTROL_VARIABLE',
    'CONTROL_SELF_TEST',
    'CONFIG_RELOAD',
    'EVENTS_DELETED',
    'EVENTS_DELETE_DENIED',
    'EVENTS_DELETE_FAILED',
    'HISTORY_IMPORTED',
    'LOGIN_SUCCESS',
    'LOGIN_FAILURE',
    'LOGIN_THROTTLED',
  ],
  lifecycle: [
    'DAEMON_START',
    'DAEMON_STOP',
    'DAEMON_RESTARTED',
    'DAEMON_RECOVERED',
    'DAEMON_UPGRADED',
    'DAEMON_AFTER_CRASH',
  ],
} as const;

export type EventCategory = keyof typeof table;
export type EventType = (typeof table)[EventCategory][number];

const categoryByType = new Map<string, EventCategory>(
  Object.entries(table).flatMap(([category, types]) =>
    types.map((type) => [type, category as EventCategory]),
  ),
);
/** Every event type, in the order of specification/events.md#event-types. */
export const eventTypes = [...categoryByType.keys()] as [EventType, ...EventType[]];

export const EventType = oneOf(...eventTypes);
export const EventCategory = oneOf('power_event', 'shutdown', 'diagnostics', 'audit', 'lifecycle');

/** The types that the API worker may record: actions of users, done or refused. */
export const AuditEventType = oneOf(...table.audit);
export type AuditEventType = (typeof table.audit)[number];

export function categoryOf(type: EventType): EventCategory {
  return categoryByType.get(type) ?? 'diagnostics';
}

/** The lowest verbosity at which a category is shown: 0 power and shutdown, 1 diagnostics, 2 everything. */
export function tierOf(category: EventCategory): 0 | 1 | 2 {
  if (category === 'power_event' || category === 'shutdown') return 0;
  return category === 'diagnostics' ? 1 : 2;
}

/** Cannot be suppressed, are sent before every backlog and overflow last (specification/notifications.md#safety-events). */
const safetyEvents: readonly EventType[] = [
  'ON_BATTERY',
  'CONNECTION_LOST',
  'BROWNOUT_DETECTED',
  'OVER_VOLTAGE_DETECTED',
  'OVERLOAD_ACTIVE',
  'BYPASS_MODE_ACTIVE',
];

const unsent: readonly EventType[] = [
  'SHUTDOWN_PHASE_STARTED',
  'SHUTDOWN_PHASE_FINISHED',
  'RECOVERY_TARGET_UP',
];
const sentDiagnostics: readonly EventType[] = [
  'BYPASS_MODE_INACTIVE',
  'OVERLOAD_RESOLVED',
  'UPS_ALARM_CLEARED',
  'UPS_ON',
  'VOLTAGE_NORMALIZED',
  'VOLTAGE_AUTODETECT_MISMATCH',
  'PHASE_RESTORED',
  'BATTERY_ANOMALY',
  'CONNECTION_FLAPPING',
  'WORKER_FAILED',
  'POLICY_EXCEPTION',
  'SELF_TEST_WARNING',
  'SELF_TEST_FAILED',
  'BATTERY_HEALTH_WARNING',
  'BATTERY_HEALTH_CRITICAL',
  'BATTERY_REPLACEMENT_PREDICTED',
  'REMOTE_HEALTH_FAILED',
  'REMOTE_HEALTH_HEALTHY',
];

/** Whether there is a message for this type (specification/events.md#what-is-sent). */
export function isSent(type: EventType): boolean {
  const category = categoryOf(type);
  if (category === 'power_event' || category === 'shutdown') return !unsent.includes(type);
  if (category === 'diagnostics') return sentDiagnostics.includes(type);
  return type === 'DAEMON_RECOVERED' || type === 'DAEMON_AFTER_CRASH';
}

/** The list above, and every event of category shutdown. */
export function isSafetyEvent(type: EventType): boolean {
  return safetyEvents.includes(type) || categoryOf(type) === 'shutdown';
}
