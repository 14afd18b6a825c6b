// Rules for unique names: UPSes by full name and groupId, groups by id, servers in the complete file.
import { fullUpsName, groupIdOf } from '../../../shared/domain/ups/ups-name.js';
import { groupLabel, serverLabel, upsLabel } from '../schema/labels.js';
import type { ConfigFile } from '../schema/file.js';
import type { Findings } from './findings.js';
import { addressOf, ownersOf } from './findings.js';

/** `upsesComplete` false: some UPSes could not be decoded, which is reported elsewhere. */
export function checkNames(file: ConfigFile, findings: Findings, upsesComplete: boolean): void {
  if (upsesComplete && (file.ups ?? []).length === 0) {
    findings.problem('ups', 'no UPS to watch; add [[ups]] with name = "NAME@HOST"');
  }
  checkUpses(file, findings);
  const ids = new Map<string, string>();
  for (const { name } of file.redundancy_groups ?? []) {
    const id = groupIdOf(name);
    const other = ids.get(id);
    if (other === undefined) ids.set(id, name);
    else {
      findings.problem(
        `${groupLabel(name)}.name`,
        `"${name}" and "${other}" give the same id "redundancy-${id}"; rename one`,
      );
    }
  }
  const servers = new Map<string, string>();
  for (const owner of ownersOf(file)) {
    for (const { name } of owner.servers) {
      const other = servers.get(name);
      if (other === undefined) servers.set(name, owner.path);
      else {
        findings.problem(
          `${serverLabel(owner.path, name)}.name`,
          `the name "${name}" is given twice (also under ${other}); names of servers are unique in the file`,
        );
      }
    }
  }
}

function checkUpses(file: ConfigFile, findings: Findings): void {
  const byFullName = new Map<string, string>();
  const byServerName = new Map<string, string>();
  const byId = new Map<string, string>();
  for (const { name } of file.ups ?? []) {
    const path = `${upsLabel(name)}.name`;
    const id = groupIdOf(name);
    const full = fullUpsName(addressOf(name));
    const same = byFullName.get(full);
    const sameId = byId.get(id);
    if (same !== undefined) {
      findings.problem(path, `"${name}" and "${same}" are the same UPS (${full}); keep one [[ups]]`);
    } else if (sameId !== undefined) {
      findings.problem(path, `"${name}" and "${sameId}" give the same id "${id}"; each id must be unique`);
    } else if (id === 'daemon' || id.startsWith('redundancy-')) {
      findings.problem(
        path,
        `gives the id "${id}", which is reserved for ${id === 'daemon' ? 'the daemon itself' : 'redundancy groups'}; ` +
          'write the name with its host, such as "NAME@localhost", or rename the UPS in NUT',
      );
    }
    const other = byServerName.get(serverNameOf(full));
    if (same === undefined && other !== undefined)
      findings.warning(
        path,
        `"${name}" and "${other}" are the same UPS at the server, and count as two: remove one`,
      );
    byServerName.set(serverNameOf(full), other ?? name);
    byFullName.set(full, same ?? name);
    byId.set(id, sameId ?? name);
  }
}

/** upsd compares names without case; every loopback address is this machine. */
function serverNameOf(fullName: string): string {
  return fullName.toLowerCase().replace(/@(?:127(?:\.\d+){3}|\[::1\]):/, '@localhost:');
}
