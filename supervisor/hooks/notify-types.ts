// The events of this daemon under the names that upsmon gives them (NOTIFYTYPE): scripts of upssched know those.
import type { EventType } from '../../shared/domain/status/events.js';

export const notifyTypes: Readonly<Partial<Record<EventType, string>>> = {
  ON_BATTERY: 'ONBATT',
  POWER_RESTORED: 'ONLINE',
  LOW_BATTERY_FLAG: 'LOWBATT',
  FSD_DETECTED: 'FSD',
  CONNECTION_LOST: 'COMMBAD',
  CONNECTION_RESTORED: 'COMMOK',
  SHUTDOWN_TRIGGERED: 'SHUTDOWN',
  BATTERY_REPLACE: 'REPLBATT',
  BYPASS_MODE_ACTIVE: 'BYPASS',
  BYPASS_MODE_INACTIVE: 'NOTBYPASS',
  OVERLOAD_ACTIVE: 'OVER',
  OVERLOAD_RESOLVED: 'NOTOVER',
  AVR_TRIM_ACTIVE: 'TRIM',
  AVR_BOOST_ACTIVE: 'BOOST',
  UPS_ALARM: 'ALARM',
  UPS_ALARM_CLEARED: 'NOTALARM',
  UPS_OFF: 'OFF',
  UPS_ON: 'NOTOFF',
  ECO_MODE_ACTIVE: 'ECO',
  ECO_MODE_INACTIVE: 'NOTECO',
  CALIBRATION_STARTED: 'CAL',
  CALIBRATION_ENDED: 'NOTCAL',
};

/** Empty for an event that upsmon does not know. */
export function notifyTypeOf(type: EventType): string {
  return notifyTypes[type] ?? '';
}
