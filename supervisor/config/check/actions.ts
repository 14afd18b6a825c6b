// Rules for pre-shutdown actions and for the wake-up of servers: the keys that each needs.
import { serverLabel } from '../schema/labels.js';
import { splitCommand } from '../schema/command.js';
import type { ConfigFile, ServerEntry } from '../schema/file.js';
import { nonDefaultKeys } from '../schema/non-default-keys.js';
import { wakeKeys } from '../schema/remote-server.js';
import type { Findings } from './findings.js';
import { ownersOf } from './findings.js';

export function checkActions(file: ConfigFile, findings: Findings): void {
  const owners = ownersOf(file);
  const names = new Set(owners.flatMap((owner) => owner.servers.map((server) => server.name)));
  for (const owner of owners) {
    for (const server of owner.servers) {
      const path = serverLabel(owner.path, server.name);
      checkPreShutdown(server, path, findings);
      checkWake(server, path, names, findings);
    }
  }
}

function checkPreShutdown(server: ServerEntry, serverPath: string, findings: Findings): void {
  (server.pre_shutdown_commands ?? []).forEach((step, index) => {
    const path = `${serverPath}.pre_shutdown_commands[${String(index)}]`;
    if (step.action !== undefined && step.command !== undefined) {
      findings.problem(path, 'gives both action and command; each entry does one thing');
    }
    if (step.action === undefined && step.command === undefined) {
      findings.problem(path, 'expected action = "..." or command = "...", found neither');
    }
    if (step.action === 'stop_compose' && step.path === undefined) {
      findings.problem(`${path}.path`, 'missing; stop_compose needs the path of the compose file');
    }
    if (step.action !== 'stop_compose' && step.path !== undefined) {
      findings.problem(`${path}.path`, 'has no effect here: only stop_compose takes a path');
    }
    const mounts = step.mounts ?? [];
    if (step.action === 'unmount_filesystems' && mounts.length === 0) {
      findings.problem(`${path}.mounts`, 'missing; unmount_filesystems needs the mounts to unmount');
    }
    if (step.action !== 'unmount_filesystems' && mounts.length > 0) {
      findings.problem(`${path}.mounts`, 'has no effect here: only unmount_filesystems takes mounts');
    }
  });
}

function checkWake(
  server: ServerEntry,
  serverPath: string,
  names: ReadonlySet<string>,
  findings: Findings,
): void {
  const { wake } = server;
  if (wake === undefined) return;
  const path = `${serverPath}.wake`;
  if ((wake.mac === undefined) === (wake.command === undefined)) {
    findings.problem(
      path,
      'expected either mac = "..." (Wake-on-LAN) or command = "...", exactly one of them',
    );
    return;
  }
  if (wake.command !== undefined) {
    for (const key of nonDefaultKeys(wakeKeys, wake).filter(
      (name) => name === 'broadcast' || name === 'port',
    )) {
      findings.problem(`${path}.${key}`, 'has no effect here: it belongs to a wake-up by mac');
    }
    const split = splitCommand(wake.command);
    if (wake.via === undefined && !split.ok)
      findings.problem(`${path}.command`, `the command ${split.fault}`);
  } else if (wake.via !== undefined) {
    findings.problem(`${path}.via`, 'has no effect here: it belongs to a wake-up by command');
    return;
  }
  if (wake.via !== undefined && (wake.via === server.name || !names.has(wake.via))) {
    findings.problem(`${path}.via`, `expected the name of another remote server, found "${wake.via}"`);
  }
}
