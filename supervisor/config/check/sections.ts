// Rules between the keys of one section, and the rule for the time that confirmations take.
import { basename } from 'node:path/posix';
import { groupLabel, upsLabel } from '../schema/labels.js';
import { batteryHealthKeys } from '../schema/battery.js';
import type { ConfigFile, GroupEntry, UpsEntry } from '../schema/file.js';
import { localShutdownKeys } from '../schema/host.js';
import { withDefaults } from '../../../shared/domain/base/keys.js';
import { triggerKeys } from '../../../shared/domain/triggers/table.js';
import { upsKeys } from '../schema/ups.js';
import type { Findings } from './findings.js';
import { upsNamed } from './findings.js';

/** Above this a nearly empty battery is confirmed too late (specification/policy.md#confirmation). */
const maxConfirmationSeconds = 15;

export function checkSections(file: ConfigFile, findings: Findings): void {
  checkScores('battery_health', file, undefined, findings);
  for (const ups of file.ups ?? []) {
    const path = upsLabel(ups.name);
    if (ups.battery_health !== undefined) {
      checkScores(`${path}.battery_health`, file, ups.battery_health, findings);
    }
    if (ups.nominal_power !== undefined && ups.energy?.nominal_power !== undefined) {
      findings.problem(`${path}.nominal_power`, 'given twice; [ups.energy] nominal_power is the same key');
    }
    checkPace(path, file, ups, ups, findings);
  }
  for (const group of file.redundancy_groups ?? []) {
    const members = group.ups_sources
      .map((source) => upsNamed(file, source))
      .filter((member) => member !== undefined);
    const [slowest] = members.toSorted((a, b) => intervalOf(b) - intervalOf(a));
    if (slowest !== undefined) checkPace(groupLabel(group.name), file, group, slowest, findings);
  }
  const local = withDefaults(localShutdownKeys, file.local_shutdown);
  const program = basename(local.command[0] ?? '');
  const ownMessage = file.local_shutdown?.message !== undefined && local.message !== '';
  if (ownMessage && !local.wall && program !== 'shutdown') {
    findings.warning(
      'local_shutdown.message',
      `is not shown: only a program named shutdown is given the message, and this one is named ${program}`,
    );
  }
}

const intervalOf = (ups: UpsEntry): number => ups.check_interval ?? upsKeys.check_interval.fallback;

/** `decides` has the triggers; `read` is the UPS whose readings confirm them last, in a group its slowest member. */
function checkPace(
  path: string,
  file: ConfigFile,
  decides: UpsEntry | GroupEntry,
  read: UpsEntry,
  findings: Findings,
): void {
  const { confirmations } = withDefaults(triggerKeys, file.triggers, decides.triggers);
  const interval = intervalOf(read);
  const slow = confirmations * interval;
  if (slow <= maxConfirmationSeconds) return;
  const whose = decides === read ? '' : ` with its slowest member, ${read.name}`;
  findings.warning(
    path,
    `confirmations x check_interval is ${String(confirmations)} x ${String(interval)} s = ${shortNumber(slow)} s${whose}; ` +
      'a shutdown is decided that much later (at most 15 s is advised)',
  );
}

function checkScores(path: string, file: ConfigFile, own: object | undefined, findings: Findings): void {
  const health = withDefaults(batteryHealthKeys, file.battery_health, own);
  const { warn_score: warn, critical_score: critical } = health;
  if (warn === 0 || critical < warn) return;
  // The problem is reported on the key without its default.
  if (critical === batteryHealthKeys.critical_score.fallback) {
    const message = `expected more than critical_score (${String(critical)}) or 0, found ${String(warn)}`;
    findings.problem(`${path}.warn_score`, message);
  } else {
    const message = `expected less than warn_score (${String(warn)}), found ${String(critical)}`;
    findings.problem(`${path}.critical_score`, message);
  }
}

const shortNumber = (value: number): string => String(Math.round(value * 100) / 100);
