// Phrases of the page only. Those shared with the command line are in shared/domain/status/wording.ts.
import type { PhaseName } from '../../shared/domain/outage/plan.js';
import type { MemberHealth, RemoteStatus } from '../../shared/domain/status/states.js';
import type { SequenceStep } from '../../shared/domain/status/status-model.js';
import type { Tone } from '../../shared/domain/status/wording.js';
import { durationInWords } from '../../shared/domain/base/duration.js';

const phases: Readonly<Record<PhaseName, string>> = {
  virtual_machines: 'Stop virtual machines',
  containers: 'Stop containers',
  filesystem_sync: 'Write out file systems',
  filesystem_unmount: 'Unmount file systems',
  remote_servers: 'Shut down remote servers',
  final_sync: 'Write out file systems again',
  nut_secondaries: 'Tell the other hosts of the UPS (NUT)',
  ups_output_off: 'Switch the UPS output off',
  local_poweroff: 'Power this machine off',
};

/** A phase in words; a sequence has its name as a string. */
export function phaseInWords(name: string): string {
  return Object.entries(phases).find(([phase]) => phase === name)?.[1] ?? name;
}

export const stepStates: Readonly<Record<SequenceStep['state'], string>> = {
  pending: 'waiting',
  running: 'running',
  done: 'done',
  failed: 'failed',
  skipped: 'skipped',
};

export const healths: Readonly<Record<MemberHealth, { readonly tone: Tone; readonly text: string }>> = {
  HEALTHY: { tone: 'good', text: 'healthy' },
  DEGRADED: { tone: 'warning', text: 'degraded' },
  CRITICAL: { tone: 'danger', text: 'critical' },
  UNKNOWN: { tone: 'unknown', text: 'unknown' },
};

export const remotes: Readonly<Record<RemoteStatus, { readonly tone: Tone; readonly text: string }>> = {
  HEALTHY: { tone: 'good', text: 'reachable' },
  DEGRADED: { tone: 'warning', text: 'last probe failed' },
  FAILED: { tone: 'danger', text: 'cannot be reached' },
  UNKNOWN: { tone: 'unknown', text: 'not probed yet' },
  DISABLED: { tone: 'unknown', text: 'not probed' },
};

/** The Swedish locale writes dates as ISO 8601 and as the command line does. */
const dayAndTime = new Intl.DateTimeFormat('sv-SE', {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const clock = new Intl.DateTimeFormat('sv-SE', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** In this browser's time zone. */
export function formatDateTime(unixSeconds: number): string {
  return dayAndTime.format(unixSeconds * 1000);
}

export function formatTime(unixSeconds: number): string {
  return clock.format(unixSeconds * 1000);
}

export function ageText(seconds: number | null, stale: boolean): string {
  if (seconds === null) return 'No reading yet';
  if (!stale && seconds < 3) return 'Read just now';
  return `${stale ? 'Old: last reading' : 'Read'} ${durationInWords(seconds)} ago`;
}
