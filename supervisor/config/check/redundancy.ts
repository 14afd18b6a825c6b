// Rules for redundancy groups: members exist, and the quorum can be met and lost.
import { groupLabel } from '../schema/labels.js';
import { nonDefaultKeys } from '../schema/non-default-keys.js';
import type { ConfigFile, GroupEntry, UpsEntry } from '../schema/file.js';
import { triggerKeys } from '../../../shared/domain/triggers/table.js';
import { nearest } from '../../../shared/domain/base/nearest-name.js';
import type { Findings } from './findings.js';
import { upsNamed } from './findings.js';

/** `upsesComplete` false: some UPSes could not be decoded, so a source that is not found may exist. */
export function checkRedundancy(file: ConfigFile, findings: Findings, upsesComplete: boolean): void {
  for (const group of file.redundancy_groups ?? []) {
    const path = groupLabel(group.name);
    checkSources(file, group, findings, upsesComplete);
    const least = group.min_healthy ?? 1;
    if (upsesComplete && group.ups_sources.length > 0 && least > group.ups_sources.length) {
      findings.problem(
        `${path}.min_healthy`,
        `${String(least)} healthy members of ${String(group.ups_sources.length)} are impossible: ` +
          'the quorum would be lost from the start',
      );
    }
    for (const key of nonDefaultKeys(triggerKeys, group.triggers)) {
      const why = perUps[key];
      if (why === undefined) continue;
      const place = key.includes('.') ? key.replace(/\.[^.]*$/, '') : '';
      const table = place === '' ? 'triggers' : `triggers.${place}`;
      const name = key.slice(key.lastIndexOf('.') + 1);
      findings.warning(
        `${path}.triggers.${key}`,
        `has no effect here: ${why}; set ${name} in [${table}] or [ups.${table}] of its members`,
      );
    }
  }
}

/** Keys of [triggers] that only a UPS has. A warning: no upgrade may leave a host without its daemon. */
const perUps: Readonly<Record<string, string | undefined>> = {
  failsafe_delay: 'the failsafe is that of each member',
  failsafe_share: 'the failsafe is that of each member',
  bypass_end_delay: 'the outage is that of each member',
  voltage_sensitivity: 'the voltage is judged per UPS',
  'depletion.window': 'the rate is measured per UPS',
};

function checkSources(file: ConfigFile, group: GroupEntry, findings: Findings, upsesComplete: boolean): void {
  const path = `${groupLabel(group.name)}.ups_sources`;
  const members: UpsEntry[] = [];
  if (group.ups_sources.length === 0) findings.problem(path, 'expected at least one UPS, found none');
  for (const source of group.ups_sources) {
    const member = upsNamed(file, source);
    if (member === undefined) {
      const known = (file.ups ?? []).map((entry) => entry.name);
      const hint = nearest(source, known);
      const known5 = known.slice(0, 5).join(', ');
      const advice = hint === undefined ? `known: ${known5}` : `did you mean "${hint}"?`;
      if (upsesComplete) findings.problem(path, `there is no [[ups]] named "${source}"; ${advice}`);
    } else if (members.includes(member)) {
      findings.problem(path, `"${member.name}" is listed twice; one UPS is one member`);
    } else members.push(member);
  }
}
