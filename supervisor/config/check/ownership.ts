// Rules of ownership: at most one local group, local resources only there, one owner for each server, and keys of servers
// without effect.
import { basename } from 'node:path/posix';
import { serverLabel } from '../schema/labels.js';
import { nonDefaultKeys } from '../schema/non-default-keys.js';
import type { ConfigFile, ServerEntry } from '../schema/file.js';
import { withDefaults } from '../../../shared/domain/base/keys.js';
import { localResourceKeys } from '../schema/local-resources.js';
import { localShutdownKeys } from '../schema/host.js';
import { remoteServerKeys, shutdownKeys } from '../schema/remote-server.js';
import type { Findings, Owner } from './findings.js';
import { ownersOf } from './findings.js';

export function checkOwnership(file: ConfigFile, findings: Findings): void {
  const owners = ownersOf(file);
  const local = owners.filter((owner) => owner.isLocal);
  for (const owner of local.slice(1)) {
    findings.problem(
      `${owner.path}.is_local`,
      `"${local[0]?.name ?? ''}" already powers this machine; only one may have is_local = true`,
    );
  }
  for (const owner of owners) {
    if (owner.isLocal) continue;
    for (const below of nonDefaultKeys(localResourceKeys, owner.entry)) {
      findings.problem(
        `${owner.path}.${below}`,
        'has no effect here: virtual machines, containers and file systems of this machine belong to the one UPS ' +
          'or group with is_local = true',
      );
    }
  }
  const shutdown = withDefaults(localShutdownKeys, file.local_shutdown);
  if (local.length > 0 && shutdown.trigger_on === 'none') {
    findings.problem(
      'local_shutdown.trigger_on',
      `has no effect: "${local[0]?.name ?? ''}" powers this machine (is_local = true) and shuts it down; ` +
        'to keep the machine up, set local_shutdown.enabled = false',
    );
  }
  checkServers(file, owners, findings);
}

function checkServers(file: ConfigFile, owners: readonly Owner[], findings: Findings): void {
  const byTarget = new Map<string, string>();
  let delegate: string | undefined;
  for (const owner of owners) {
    checkWhen(owner, findings);
    for (const server of owner.servers) {
      const path = serverLabel(owner.path, server.name);
      const target = `${server.user}@${server.host.toLowerCase()}:${String(server.port ?? 22)}`;
      const other = byTarget.get(target);
      if (other === undefined) byTarget.set(target, path);
      else if (other !== path) {
        findings.problem(
          `${path}.host`,
          `${target} is already ${other}; a machine is shut down by one owner`,
        );
      }
      checkOff(file, server, path, findings);
      if (server.host_delegate !== true) continue;
      if (delegate !== undefined) {
        findings.problem(
          `${path}.host_delegate`,
          `${delegate} is already the host delegate; there is only one`,
        );
      } else if (!owner.isLocal) {
        findings.problem(
          `${path}.host_delegate`,
          'has no effect here: the host delegate belongs to the UPS or group with is_local = true',
        );
      } else {
        delegate = path;
        checkDelegate(file, server, path, findings);
      }
    }
  }
}

/** `with_local` has no effect on a server that waits for one after the local phases. */
function checkWhen({ path, servers }: Owner, findings: Findings): void {
  const planned = servers
    .filter(({ enabled, host_delegate: isDelegate }) => enabled !== false && isDelegate !== true)
    .map((server) => withDefaults(remoteServerKeys, server));
  const [first] = planned
    .filter(({ when }) => when === 'after_local')
    .toSorted((a, b) => a.shutdown_order - b.shutdown_order);
  for (const { name, when, shutdown_order: order } of planned) {
    if (first === undefined || when !== 'with_local' || order <= first.shutdown_order) continue;
    findings.warning(
      `${serverLabel(path, name)}.when`,
      `has no effect: with shutdown_order = ${String(order)} this server waits for "${first.name}" ` +
        `(${String(first.shutdown_order)}), which goes down after the local phases; give it shutdown_order = ${String(first.shutdown_order)} or lower, or ` +
        `give "${first.name}" when = "with_local" too`,
    );
  }
}

/** Keys of the check whether the server is off that its kind does not use. */
function checkOff({ shutdown }: ConfigFile, server: ServerEntry, path: string, findings: Findings): void {
  const { off_check: check } = withDefaults(shutdownKeys, shutdown, server);
  if (server.off_port !== undefined && check !== 'tcp')
    findings.problem(`${path}.off_port`, `has no effect with off_check = "${check}"`);
  if (server.wait_for === 'off' && check === 'none')
    findings.problem(
      `${path}.wait_for`,
      'cannot be "off" with off_check = "none": then it is not known when the server is off',
    );
}

/** Keys that have no effect on the host delegate, and keys that its `shutdown_command` replaces. */
function checkDelegate(file: ConfigFile, server: ServerEntry, path: string, findings: Findings): void {
  for (const key of nonDefaultKeys(remoteServerKeys, server)) {
    if (!['shutdown_order', 'when', ...Object.keys(shutdownKeys)].includes(key)) continue;
    findings.problem(
      `${path}.${key}`,
      'has no effect here: the host delegate is powered off at the very end, after all servers',
    );
  }
  if (server.shutdown_command === undefined || server.enabled === false) return;
  const { wall, fallback_command: fallback } = withDefaults(localShutdownKeys, file.local_shutdown);
  const usesMessage = wall || basename(fallback?.[0] ?? '') === 'shutdown';
  for (const key of nonDefaultKeys(localShutdownKeys, file.local_shutdown)) {
    if (key !== 'command' && (key !== 'message' || usesMessage)) continue;
    findings.warning(
      `local_shutdown.${key}`,
      `has no effect in a container: there ${path}.shutdown_command powers the host off, as it is written; ` +
        'remove one of the two',
    );
  }
}
