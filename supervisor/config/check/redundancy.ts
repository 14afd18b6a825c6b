// Rules for redundancy groups: members exist, the quorum can be met and lost, and members own no servers or resources.
import { groupLabel, upsLabel } from '../schema/labels.js';
import { nonDefaultKeys } from '../schema/non-default-keys.js';
import type { ConfigFile, GroupEntry, UpsEntry } from '../schema/file.js';
import { localResourceKeys } from '../schema/local-resources.js';
import { triggerKeys } from '../schema/triggers.js';
import { nearest } from '../../../shared/domain/nearest-name.js';
import type { Findings } from './findings.js';
import { upsNamed } from './findings.js';

/** `upsesComplete` false: some UPSes could not be decoded, so a source that is not found may exist. */
export function checkRedundancy(file: ConfigFile, findings: Findings, upsesComplete: boolean): void {
  const groupOf = new Map<UpsEntry, string>();
  for (const group of file.redundancy_groups ?? []) {
    const path = groupLabel(group.name);
    const members = checkSources(file, group, findings, upsesComplete);
    for (const member of members) {
      const other = groupOf.get(member);
      if (other === undefined) groupOf.set(member, group.name);
      else if (other !== group.name) {
        findings.problem(
          `${path}.ups_sources`,
          `"${member.name}" is already in "${other}"; a UPS belongs to one redundancy group`,
        );
      }
    }
    const least = group.min_healthy ?? 1;
    if (upsesComplete && least > group.ups_sources.length) {
      findings.problem(
        `${path}.min_healthy`,
        `${String(least)} healthy members of ${String(group.ups_sources.length)} can never be met: ` +
          'the group would count as lost from the start',
      );
    }
    if (nonDefaultKeys(triggerKeys.depletion.keys, group.triggers?.depletion).includes('window')) {
      findings.problem(
        `${path}.triggers.depletion.window`,
        'has no effect here: the rate is measured per UPS; set it in [triggers.depletion] or below the UPS',
      );
    }
  }
  for (const [member, group] of groupOf) checkMember(member, group, findings);
}

function checkSources(
  file: ConfigFile,
  group: GroupEntry,
  findings: Findings,
  upsesComplete: boolean,
): readonly UpsEntry[] {
  const path = `${groupLabel(group.name)}.ups_sources`;
  const members: UpsEntry[] = [];
  if (group.ups_sources.length < 2) {
    findings.problem(path, `expected two or more UPSes, found ${String(group.ups_sources.length)}`);
  }
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
  return members;
}

function checkMember(member: UpsEntry, group: string, findings: Findings): void {
  const path = upsLabel(member.name);
  const advice = `it is a member of the redundancy group "${group}" and starts no shutdown of its own; move this to the group`;
  if (member.is_local === true) findings.problem(`${path}.is_local`, advice);
  if ((member.remote_servers ?? []).length > 0) findings.problem(`${path}.remote_servers`, advice);
  for (const below of nonDefaultKeys(localResourceKeys, member)) findings.problem(`${path}.${below}`, advice);
}
