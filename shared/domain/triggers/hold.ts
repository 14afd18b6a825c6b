// How long a NUT driver may show a value that it has read once: several polls of the daemon see one sample of the device.
// Pure.
import type { Variables } from '../ups/reading.js';

/** In milliseconds; what the configuration sets has no bounds. */
export interface Holds {
  readonly valueMs: number;
  readonly statusMs: number;
}

/** What [[ups]] sets; null: by the driver. */
export interface HoldSettings {
  readonly valueMs: number | null;
  readonly statusMs: number | null;
}

/**
 * Drivers that read most variables only every `pollfreq` seconds, by default 30 (usbhid-ups(8), nutdrv_qx(8), snmp-ups(8)).
 * newhidups is the name of usbhid-ups before NUT 2.4.
 */
const slowDrivers: ReadonlySet<string> = new Set(['usbhid-ups', 'newhidups', 'nutdrv_qx', 'snmp-ups']);
const usualPollfreq = 30;
/** They show what another driver has read, and their own `pollinterval` alone (clone(8), clone-outlet(8), failover(8)). */
const copyingDrivers: ReadonlySet<string> = new Set(['clone', 'clone-outlet', 'failover']);
/** ups.conf(5), pollinterval. */
const usualPollinterval = 2;
/** Of a driver that shows neither: four of its usual intervals. */
const unknownSeconds = 8;
/** A server cannot switch the hold off, nor delay a shutdown for longer than this. */
const [least, most] = [1, 60];
/** A doubt takes no more than this share of the time that the threshold of the runtime leaves. */
const shareOfCritical = 0.25;

const driverVariables = [
  'driver.name',
  'driver.parameter.pollfreq',
  'driver.parameter.pollinterval',
  'driver.parameter.port',
];

/** What the holds depend on of the variables. */
export function variablesOfDriver(variables: Variables): Variables {
  const known: Record<string, string> = {};
  for (const name of driverVariables) {
    const value = variables[name];
    if (value !== undefined) known[name] = value;
  }
  return known;
}

/** `criticalRuntimeSeconds`: 0 where CRITICAL_RUNTIME is off. */
export function holdsOf(variables: Variables, set: HoldSettings, criticalRuntimeSeconds: number): Holds {
  const share = criticalRuntimeSeconds > 0 ? criticalRuntimeSeconds * shareOfCritical : most;
  const bounded = (seconds: number) => Math.min(Math.max(seconds, least), most, share) * 1000;
  const values = secondsOfValues(variables);
  // snmp-ups reads the status with everything else.
  const status =
    driverOf(variables) === 'snmp-ups'
      ? values
      : (shownSeconds(variables, 'pollinterval') ?? usualPollinterval);
  return { valueMs: set.valueMs ?? bounded(values), statusMs: set.statusMs ?? bounded(status) };
}

/** For what one sample would decide for good: what is set lengthens the hold of the driver, and shortens nothing. */
export function lastingStatusHoldMs(variables: Variables, { statusMs }: HoldSettings): number {
  return Math.max(statusMs ?? 0, holdsOf(variables, { valueMs: null, statusMs: null }, 0).statusMs);
}

/** How long a driver may show a value, whatever is lost by waiting for the next; 60 s where it does not show that. */
export function longestHoldMs(variables: Variables, { valueMs }: HoldSettings): number {
  const isShown = isSlow(variables) || shownSeconds(variables, 'pollinterval') !== null;
  const isKnown = isShown || shownSeconds(variables, 'pollfreq') !== null || valueMs !== null;
  return isKnown ? holdsOf(variables, { valueMs, statusMs: null }, 0).valueMs : most * 1000;
}

function secondsOfValues(variables: Variables): number {
  const pollinterval = shownSeconds(variables, 'pollinterval');
  const pollfreq = shownSeconds(variables, 'pollfreq') ?? (isSlow(variables) ? usualPollfreq : null);
  if (pollfreq !== null) return pollfreq + (pollinterval ?? usualPollinterval);
  return pollinterval ?? unknownSeconds;
}

/** Or copies one that may be. dummy-ups copies the UPS that its port names, as `ups@host` (dummy-ups(8), "Repeater mode"). */
function isSlow(variables: Variables): boolean {
  const driver = driverOf(variables);
  if (driver === 'dummy-ups') return variables['driver.parameter.port']?.includes('@') === true;
  return slowDrivers.has(driver) || copyingDrivers.has(driver);
}

const driverOf = (variables: Variables): string => variables['driver.name'] ?? '';

function shownSeconds(variables: Variables, name: 'pollfreq' | 'pollinterval'): number | null {
  const shown = variables[`driver.parameter.${name}`] ?? '';
  const seconds = /^\d+(\.\d+)?$/.test(shown) ? Number(shown) : 0;
  return seconds > 0 ? seconds : null;
}
