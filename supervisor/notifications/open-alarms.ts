// What is wrong now, as far as a message reported its begin: by the rows that the page shows, so that a restarted daemon knows it
// too. Pure.
import type { EventType } from '../../shared/domain/status/events.js';
import { formatNumber } from '../../shared/domain/base/format.js';
import { mainsVoltageOf } from '../../shared/domain/ups/mains-voltage.js';
import type { RedundancyRow, RemoteHealthRow, UpsRow } from '../../shared/domain/status/status-model.js';
import type { PhaseLoss } from '../policy/power/phase-loss.js';
import { lostPhases } from '../policy/power/phase-loss.js';
import { voltageAt, voltageText } from '../policy/view/quality-words.js';
import type { Readings } from '../policy/power/readings.js';

export interface OpenAlarm {
  /** The type of the message that reported it. */
  readonly type: EventType;
  readonly source: string;
  /** The UPS, group or server. */
  readonly subject: string;
  /** A sentence without its period. */
  readonly text: string;
  /** Null where it is not known. */
  readonly seconds: number | null;
}

/** Of policy's state. */
interface PolicyNow {
  readonly ups: readonly UpsNow[];
  readonly groups: readonly { readonly row: RedundancyRow }[];
}

interface UpsNow {
  readonly row: UpsRow;
  readonly phaseLoss: PhaseLoss;
  readonly readings: Pick<Readings, 'last' | 'variables'>;
  readonly voltage: { readonly reportedVolts: number | null };
  readonly conditions: { readonly replaceBattery: boolean; readonly offSinceMs: number | null };
}

export function openAlarms(
  { ups, groups }: PolicyNow,
  servers: readonly RemoteHealthRow[],
): readonly OpenAlarm[] {
  return [
    ...ups.flatMap(alarmsOf),
    ...groups.flatMap(({ row: { groupId, name, quorumLost, healthyCount, members } }): OpenAlarm[] => {
      const count = `${String(healthyCount)} of ${String(members.length)} members healthy`;
      const text = `the redundancy group ${name} still has no quorum (${count})`;
      return quorumLost
        ? [{ type: 'QUORUM_LOST', source: groupId, subject: groupId, text, seconds: null }]
        : [];
    }),
    ...servers.flatMap(({ server, group, status, lastError }): OpenAlarm[] => {
      const why = lastError ?? 'no reason is known';
      const text = `the server ${server} still fails its probe, so a shutdown may not reach it (${why})`;
      return status === 'FAILED'
        ? [{ type: 'REMOTE_HEALTH_FAILED', source: group, subject: server, text, seconds: null }]
        : [];
    }),
  ];
}

function alarmsOf({ row, phaseLoss, readings, voltage, conditions }: UpsNow): readonly OpenAlarm[] {
  const { groupId: source, label, status, connectionState, timeOnBattery, batteryCharge, load } = row;
  const alarm = (type: EventType, text: string, seconds: number | null = null): OpenAlarm[] => [
    { type, source, subject: source, text: `${label} ${text}`, seconds },
  ];
  const alarmIf = (isOpen: boolean, type: EventType, text: string): OpenAlarm[] =>
    isOpen ? alarm(type, text) : [];
  const percent = (value: number | null): string => (value === null ? 'unknown' : `${formatNumber(value)} %`);
  const { voltageState, bypassState, overloadState } = row.powerQuality;
  const charge =
    connectionState === 'FAILED'
      ? `as far as is known (its last charge was ${percent(batteryCharge)})`
      : `(charge ${percent(batteryCharge)})`;
  const battery =
    timeOnBattery > 0 ? alarm('ON_BATTERY', `is still on battery ${charge}`, timeOnBattery) : [];
  const { last, variables } = readings;
  /** As it is judged: of three phases the lowest or the highest. */
  const volts = (side: 'LOW' | 'HIGH'): string => {
    const at = last && voltageAt(mainsVoltageOf(last.reading, variables, voltage.reportedVolts), side);
    return at === null ? 'unknown' : voltageText(at);
  };
  const lost = lostPhases(phaseLoss);
  // Without a reading nothing else is known.
  if (connectionState === 'FAILED') return [...battery, ...alarm('CONNECTION_LOST', 'still cannot be read')];
  return [
    ...battery,
    ...alarmIf(voltageState === 'LOW', 'BROWNOUT_DETECTED', `still has low input voltage (${volts('LOW')})`),
    ...alarmIf(
      voltageState === 'HIGH',
      'OVER_VOLTAGE_DETECTED',
      `still has high input voltage (${volts('HIGH')})`,
    ),
    ...alarmIf(lost.length > 0, 'PHASE_LOST', `still has no voltage at ${lost.join(' and ')}`),
    ...alarmIf(overloadState === 'ACTIVE', 'OVERLOAD_ACTIVE', `is still overloaded (${percent(load)})`),
    ...alarmIf(bypassState === 'ACTIVE', 'BYPASS_MODE_ACTIVE', 'still runs in bypass, without protection'),
    ...alarmIf(conditions.replaceBattery, 'BATTERY_REPLACE', 'still asks for a new battery'),
    ...alarmIf(conditions.offSinceMs !== null, 'UPS_OFF', 'is still off, and so is its load'),
    ...alarmIf(status.split(' ').includes('ALARM'), 'UPS_ALARM', 'still raises an alarm'),
  ];
}
