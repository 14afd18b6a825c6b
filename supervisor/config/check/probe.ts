// Checks remote_health.probe_command. It runs on every server at every interval, so it must not be a command of a
// shutdown or give an order (specification/remote-servers.md#what-a-probe-runs).
import { isKnownHarmless, probeFault, runsCommand } from '../../../shared/domain/actions/probe-command.js';
import { serverLabel } from '../schema/labels.js';
import type { ConfigFile, ServerEntry } from '../schema/file.js';
import { localShutdownKeys } from '../schema/host.js';
import { withDefaults } from '../../../shared/domain/base/keys.js';
import { remoteHealthKeys } from '../schema/remote-health.js';
import { remoteServerKeys } from '../schema/remote-server.js';
import type { Findings } from './findings.js';
import { ownersOf } from './findings.js';

const path = 'remote_health.probe_command';
const advice =
  'A probe runs on every server at each interval and must change nothing; use "true", or leave the key out';

export function checkProbe(file: ConfigFile, findings: Findings): void {
  const { probe_command: probe } = withDefaults(remoteHealthKeys, file.remote_health);
  const known = commandsOf(file).find(({ text }) => runsCommand(probe, text));
  const fault = known === undefined ? probeFault(probe) : `runs the command of ${known.where}`;
  if (fault !== null) findings.problem(path, `"${probe}" is not a harmless command: it ${fault}. ${advice}`);
  else if (!isKnownHarmless(probe))
    findings.warning(
      path,
      `"${probe}" is not known to be harmless. ${advice}, unless you know that it only looks`,
    );
}

interface KnownCommand {
  readonly where: string;
  readonly text: string;
}

/** Every command in the file, also of disabled servers and sections: a probe would run it there too. */
function commandsOf(file: ConfigFile): readonly KnownCommand[] {
  const local = withDefaults(localShutdownKeys, file.local_shutdown);
  return [
    ...ownersOf(file).flatMap((owner) =>
      owner.servers.flatMap((server) => commandsOfServer(server, serverLabel(owner.path, server.name))),
    ),
    { where: 'local_shutdown.command', text: local.command.join(' ') },
    { where: 'local_shutdown.fallback_command', text: local.fallback_command.join(' ') },
  ];
}

function commandsOfServer(server: ServerEntry, label: string): readonly KnownCommand[] {
  const named = (where: string, text: string | null | undefined): readonly KnownCommand[] =>
    text === null || text === undefined ? [] : [{ where: `${label}.${where}`, text }];
  return [
    ...named('shutdown_command', withDefaults(remoteServerKeys, server).shutdown_command),
    ...(server.pre_shutdown_commands ?? []).flatMap(({ command }, index) =>
      named(`pre_shutdown_commands[${String(index)}].command`, command),
    ),
    ...named('wake.command', server.wake?.command),
  ];
}
