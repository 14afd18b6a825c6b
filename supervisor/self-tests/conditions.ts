// What the machine of the tests needs of policy's state. Pure.
import type { Instant } from '../../shared/domain/base/instant.js';
import { mainsVoltageOf } from '../../shared/domain/ups/mains-voltage.js';
import type { Reading, Variables } from '../../shared/domain/ups/reading.js';
import type { MemberHealth } from '../../shared/domain/status/states.js';
import type { SelfTestConfiguration } from '../config/configuration/configuration.js';
import type { GroupSettings } from '../policy/base/inputs.js';
import { batteryTestKind } from '../policy/trigger/inhibits.js';
import type { PolicyState } from '../policy/state/state.js';
import { upsOf } from '../policy/state/state.js';
import type { UpsState } from '../policy/state/ups-state.js';
import type { Observation } from './machine/follow.js';
import type { DeviceReport } from './machine/state.js';

/** With less than this share of its nominal voltage the line feeds nothing. */
const deadLine = 0.5;

interface Poll {
  readonly reading: Reading;
  readonly variables: Variables;
  readonly report: DeviceReport | null;
  readonly at: Instant;
  readonly settings: SelfTestConfiguration;
}

export function observationOf(
  ups: UpsState,
  { reading, variables, report, at, settings }: Poll,
): Observation {
  const isOnBattery = reading.status.includes('OB');
  const nominal = ups.voltage.nominalVolts;
  const { highestVolts } = mainsVoltageOf(reading, variables, nominal);
  return {
    at,
    words: reading.status,
    report,
    chargePercent: reading.chargePercent,
    lowBatteryThreshold: ups.policy.triggers.lowBatteryPercent,
    isOnBattery,
    isOutage: isOnBattery && batteryTestKind(ups.inhibits) === null,
    isLineDead: isOnBattery && nominal !== null && highestVolts !== null && highestVolts < nominal * deadLine,
    resultAfterMs: settings.resultPollAfterMs,
  };
}

export function groupsOf({ groups, groupsOfUps }: PolicyState, groupId: string): readonly GroupSettings[] {
  const places = groupsOfUps.get(groupId) ?? [];
  return places.flatMap((place) => groups[place]?.policy ?? []);
}

export interface OtherMember {
  readonly groupId: string;
  readonly name: string;
  readonly health: MemberHealth;
  readonly isTesting: boolean;
  /** One failed poll, or an anomaly of its last reading, in words; null: none. */
  readonly problem: string | null;
}

/** The other members of all redundancy groups of a UPS. */
export function othersOf(state: PolicyState, groupId: string): readonly OtherMember[] {
  const places = state.groupsOfUps.get(groupId) ?? [];
  const members = places.flatMap((place) => state.groups[place]?.members ?? []);
  return members.flatMap(({ ups, health }) => {
    const other = upsOf(state, ups);
    if (ups === groupId || other === undefined) return [];
    const words = other.readings.shownWords;
    const isTesting = words.includes('TEST') || words.includes('CAL');
    const { name } = other.policy;
    return [{ groupId: ups, name, health, isTesting, problem: problemOf(other) }];
  });
}

const illWords = ['OB', 'LB', 'RB', 'OVER', 'BYPASS', 'OFF', 'FSD', 'ALARM'];

function problemOf({ connection, readings, anomaly }: UpsState): string | null {
  if (connection.failedPolls > 0 || readings.last === null) return 'has no current reading';
  const word = illWords.find((one) => readings.shownWords.includes(one));
  if (word !== undefined) return `shows ${word}`;
  return anomaly.suspicion === null ? null : 'loses charge on line power';
}
