// The words of the events about the power source, FSD, the connection, triggers, sequences and quorums.
import { causePrefix } from '../../../shared/domain/outage/outage.js';
import { formatBattery, formatMs, formatNumber } from '../../../shared/domain/base/format.js';
import type { ConnectionDetail, MemberHealth, SequenceCause } from '../../../shared/domain/status/states.js';
import type { BatteryTriggerName } from '../../../shared/domain/triggers/table.js';
import { limitsOf } from '../../../shared/domain/triggers/table.js';
import type { Reading } from '../../../shared/domain/ups/reading.js';
import type { UpsSettings } from '../base/inputs.js';
import type { BatteryTestKind } from '../trigger/inhibits.js';
import { batteryTestLimits, calibrationLowBatteryMs } from '../trigger/inhibits.js';
import { words } from './event-words.js';

type Battery = Pick<Reading, 'chargePercent' | 'runtimeSeconds'>;

interface Transfer {
  readonly battery: Battery;
  readonly test: BatteryTestKind | null;
  /** The triggers that cannot fire on this UPS. */
  readonly without: readonly BatteryTriggerName[];
  /** The outage began before this reading: by a fall of its values, or as the one that ended shortly before. */
  readonly earlier: { readonly agoMs: number; readonly isByValues: boolean } | null;
}

/** What keeps LB waiting, or for how long (ms). */
export type FlagWait = 'calibration' | 'contradicted' | number;

interface Return {
  readonly battery: Battery;
  readonly lastedMs: number;
  /** Where power was back in between, `lastedMs` is a sum of this time. */
  readonly withinMs: number | null;
  readonly by: keyof typeof returns;
}

interface Trigger {
  readonly trigger: SequenceCause;
  readonly why: string;
}

interface Quorum {
  readonly healthy: number;
  readonly counted: readonly MemberInWords[];
  readonly isOutage: boolean;
}

export interface MemberInWords {
  readonly label: string;
  readonly health: MemberHealth;
  readonly why: string;
}

/** The settings that the words about a redundancy group name. */
export interface NamedGroup {
  readonly label: string;
  readonly minHealthy: number;
}

export const powerWords = {
  ON_BATTERY: words<Transfer>(
    ({ battery, test, earlier }) => `${causePrefix(test)}${earlierText(earlier)}${batteryText(battery)}`,
    ({ label, battery, test, ...ups }) => {
      const what = ups.advisory ? 'its redundancy group is notified' : `shutdown${ofWhat(ups)} begins`;
      const meaning =
        test === null
          ? `The load runs from the battery; ${what} ${limitsInWords(ups)}.`
          : `This is a ${test}, not an outage: charge, runtime and time shut nothing down while it lasts, for ${formatMs(batteryTestLimits[test])} at most.`;
      return `${label} is on battery (${batteryText(battery)}). ${meaning}`;
    },
  ),
  POWER_RESTORED: words<Return>(
    (facts) => `${returns[facts.by].detail} after ${lastedText(facts)}; ${batteryText(facts.battery)}`,
    (facts) =>
      `${facts.label} ${returns[facts.by].text(`after ${lastedText(facts)} (${batteryText(facts.battery)})`)}`,
  ),
  FSD_LATCHED: words<{ readonly isStale: boolean; readonly isOwn: boolean }>(
    ({ isStale }) =>
      isStale
        ? 'FSD was in the first reading of this boot, on line power: it is stale and shuts nothing down'
        : 'line power is back, and FSD is still set at its NUT server',
    ({ label, isStale, isOwn }) => {
      if (isStale)
        return `${label} shows FSD on line power since the first reading of this boot: a stale flag. It shuts nothing down until OB is seen or FSD is set again; clear it at the UPS or restart its NUT driver.`;
      const who = isOwn ? 'This daemon set it; a new outage counts as usual.' : '';
      return `${label} is on line power, and FSD is still set at its NUT server. ${who} A host with upsmon that starts now shuts down again: restart upsd on the NUT server, which clears it.`;
    },
  ),
  FSD_DETECTED: words(
    () => 'the UPS or its NUT primary demands a forced shutdown (FSD)',
    (ups) =>
      `${ups.label} demands a forced shutdown (FSD): it will cut the power. ${ups.advisory ? 'Its redundancy group decides' : `The shutdown${ofWhat(ups)} starts now`}.`,
  ),
  LOW_BATTERY_FLAG: words<{ readonly wait: FlagWait }>(
    () => 'LB on battery',
    ({ label, triggers, wait }) => {
      const meaning = triggers.lowBatteryFlag
        ? flagWaitText(wait)
        : 'trigger_on_low_battery_flag is off, so this alone shuts nothing down.';
      return `${label} reports a low battery. ${meaning}`;
    },
  ),
  CONNECTION_LOST: words<{ readonly by: ConnectionDetail }>(
    ({ by }) => `no good reading any more: ${by}`,
    ({ label, by, name }) =>
      `${label} cannot be read any more (${by}). Until it can be read again, the daemon does not notice changes of its power; check the NUT server of ${name}, its driver and the cable.`,
  ),
  CONNECTION_RESTORED: words(
    () => 'good readings again',
    ({ label }) => `${label} can be read again. Nothing needs to be done.`,
  ),
  CONNECTION_FLAPPING: words(
    ({ grace }) => `${String(grace.flapThreshold)} recoveries in 24 h`,
    ({ label, grace }) =>
      `The connection to ${label} was lost and came back ${String(grace.flapThreshold)} times in 24 hours. Check the cable, the NUT driver and the network.`,
  ),
  SLOW_NUT_RESPONSE: words<{ readonly tookMs: number }>(
    ({ tookMs }) => `the poll took ${formatNumber(tookMs / 1000)} s`,
  ),
  SHUTDOWN_TRIGGERED: words<Trigger, Pick<UpsSettings, 'label'> & Partial<Grouped>>(
    (facts) => triggerText(facts),
    (facts) => `${facts.label}: shutdown${ofWhat(facts)} begins. ${triggerText(facts)}.`,
  ),
  /** `byGroup`: whose threshold is met; null: one of the UPS. */
  TRIGGER_ADVISORY: words<Trigger & { readonly byGroup: string | null }>(
    ({ byGroup, advisory, ...facts }) => {
      if (byGroup !== null) return `${facts.trigger} by the thresholds of ${byGroup}: ${facts.why}`;
      return advisory
        ? `${triggerText(facts)}; its redundancy group decides`
        : `${triggerText(facts)}; recorded only: a sequence of this group was started before and it is not armed again yet`;
    },
  ),
  QUORUM_LOST: words<Quorum, NamedGroup>(
    (facts) => `${countText(facts)}: ${formatMembers(facts.counted)}`,
    (facts) => {
      const meaning = facts.isOutage
        ? 'The shutdown of the group begins.'
        : 'No member is critical and none was seen on battery, so nothing is shut down; check the NUT servers.';
      return `${facts.label} has lost its quorum, ${countText(facts)}: ${formatMembers(facts.counted)}. ${meaning}`;
    },
  ),
  QUORUM_RESTORED: words<Quorum, NamedGroup>(
    (facts) => `${countText(facts)}: ${formatMembers(facts.counted)}`,
    (facts) =>
      `${facts.label} has its quorum again, ${countText(facts)}: ${formatMembers(facts.counted)}. Nothing needs to be done.`,
  ),
};

/** By what an outage is over. */
const returns = {
  values: {
    detail: 'charge and runtime do not fall any more',
    text: (after: string) =>
      `shows line power (OL) and battery (OB) at once, and its charge and runtime do not fall any more, ${after}. The outage counts as over; check the UPS and its NUT driver.`,
  },
  bypass: {
    detail: 'on mains in bypass',
    text: (after: string) =>
      `has its load on mains again, in bypass, ${after}. The battery does not protect it: check the UPS.`,
  },
  neither: {
    detail: 'OB was not confirmed',
    text: (after: string) =>
      `does not show battery (OB) any more, ${after}. Its status names no source of power: check the UPS and its NUT driver.`,
  },
  line: {
    detail: 'on line power',
    text: (after: string) =>
      `is on line power again ${after}. The battery recharges; nothing needs to be done.`,
  },
};

function batteryText({ chargePercent, runtimeSeconds }: Battery): string {
  return formatBattery(chargePercent, runtimeSeconds);
}

function earlierText(earlier: Transfer['earlier']): string {
  if (earlier === null) return '';
  const ago = formatMs(earlier.agoMs);
  return earlier.isByValues
    ? `charge or runtime began to fall ${ago} ago; `
    : `again, ${ago} after the load first went on battery; `;
}

function flagWaitText(wait: FlagWait): string {
  if (wait === 'contradicted') return 'Charge and runtime contradict that, so it does not count yet.';
  if (wait === 'calibration')
    return `That is expected in a calibration; it counts as a trigger if it lasts ${formatMs(calibrationLowBatteryMs)}.`;
  return wait === 0
    ? 'It counts as a trigger.'
    : `It counts as a trigger if it lasts another ${formatMs(wait)}.`;
}

function lastedText({ lastedMs, withinMs }: Return): string {
  const sum = formatMs(lastedMs);
  return withinMs === null ? sum : `${sum} on battery in the last ${formatMs(withinMs)}`;
}

/** The reason of a lost quorum says what it is. */
const triggerText = ({ trigger, why }: Trigger): string =>
  trigger === 'QUORUM_LOST' ? why : `${trigger}: ${why}`;

type Grouped = Pick<UpsSettings, 'groups'>;

/** What the sequence of a UPS shuts down: of a member only what it owns. */
export const ofWhat = ({ groups = [] }: Partial<Grouped>): string =>
  groups.length === 0 ? '' : ' of what it alone feeds';

/** The two that most outages meet first; the page and `explain` have all. */
function limitsInWords({ triggers, without }: Pick<UpsSettings & Transfer, 'triggers' | 'without'>): string {
  const limits = limitsOf(triggers, without).slice(0, 2);
  return limits.length === 0
    ? 'only when FSD is set, or when it cannot be read any more'
    : `at ${limits.join(' or ')}, or when another trigger is met`;
}

const countText = ({ healthy, minHealthy }: Quorum & NamedGroup): string =>
  `${String(healthy)} count as healthy, ${String(minHealthy)} needed`;

/** Further members are only counted, and reasons are cut: a detail must fit into a row. */
const maxListed = 8;
const maxWhyLength = 200;

/** `a CRITICAL (LOW_BATTERY: charge ...), b UNKNOWN (not seen: TIMEOUT), 1 HEALTHY` */
export function formatMembers(members: readonly MemberInWords[]): string {
  const notHealthy = members.filter(({ health }) => health !== 'HEALTHY');
  const parts = notHealthy
    .slice(0, maxListed)
    .map(({ label, health, why }) => `${label} ${health} (${why.slice(0, maxWhyLength)})`);
  if (notHealthy.length > maxListed)
    parts.push(`${String(notHealthy.length - maxListed)} more that are not HEALTHY`);
  if (members.length > notHealthy.length) parts.push(`${String(members.length - notHealthy.length)} HEALTHY`);
  return parts.join(', ');
}
