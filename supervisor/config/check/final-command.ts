// The commands that power machines off, as shutdown(8) reads them. Warnings only: a doubtful command must not stop the daemon.
import { simpleCommands } from '../../../shared/domain/commands/command-words.js';
import {
  insteadOfPowerOff,
  lineInsteadOfPowerOff,
  lineInsteadOfRestart,
  powersOffLater,
  singleUserIn,
} from '../../../shared/domain/commands/final-effect.js';
import { lacksTime, lineWithTime, withTime } from '../../../shared/domain/commands/shutdown-line.js';
import { commandText } from '../../../shared/domain/commands/shell-words.js';
import type { ConfigFile } from '../schema/file.js';
import { localShutdownKeys } from '../schema/host.js';
import { withDefaults } from '../../../shared/domain/base/keys.js';
import { remoteServerKeys } from '../schema/remote-server.js';
import { serverLabel } from '../schema/labels.js';
import type { Findings } from './findings.js';
import { ownersOf } from './findings.js';

const noTime = 'gives shutdown no time: most systems then wait a minute or refuse it';

export function checkFinalCommands(file: ConfigFile, findings: Findings): void {
  const local = withDefaults(localShutdownKeys, file.local_shutdown);
  for (const key of ['command', 'fallback_command'] as const) {
    const command = local[key];
    const path = `local_shutdown.${key}`;
    const timed = withTime(command);
    // The text after -c of a shell or of su, or of `env -S`, or for another machine. Other words may be a message, with any characters.
    const hasText = command.some((word) =>
      /^(?:-\w*[cS]$|-S|--(?:command|split-string)(?:=|$)|(?:.*\/)?ssh$)/.test(word),
    );
    const line = hasText ? command.join(' ') : null;
    if (timed !== command)
      findings.warning(
        path,
        `gives shutdown no time, which it needs before a message; the daemon runs: ${commandText(timed)}`,
      );
    else if (line !== null && lacksTime(line)) findings.warning(path, noTime);
    warnInstead(path, line === null ? insteadOfPowerOff(command) : lineInsteadOfPowerOff(line), findings);
    warnLater(path, line === null ? [command] : simpleCommands(line), findings);
  }
  checkRestart('local_shutdown.restart_command', local.restart_command.join(' '), findings);
  for (const { path: owner, servers } of ownersOf(file))
    for (const server of servers) {
      const { shutdown_command: line } = withDefaults(remoteServerKeys, server);
      const restart = server.restart_command ?? null;
      const restartPath = `${serverLabel(owner, server.name)}.restart_command`;
      if (restart !== null) {
        checkRestart(restartPath, restart, findings);
        if (lacksTime(restart)) findings.warning(restartPath, noTime);
        if (server.host_delegate !== true)
          findings.warning(restartPath, 'has no effect without host_delegate = true');
      }
      const path = `${serverLabel(owner, server.name)}.shutdown_command`;
      const timed = lineWithTime(line);
      // A rule of sudo may allow just this line: it is sent as it is.
      if (timed !== line) findings.warning(path, `${noTime}; write: ${timed}`);
      else if (lacksTime(line)) findings.warning(path, noTime);
      warnInstead(path, lineInsteadOfPowerOff(line), findings);
      const stays = singleUserIn(line);
      if (stays !== null) findings.warning(path, stays);
      warnLater(path, simpleCommands(line), findings);
    }
}

/** It runs where power is back: a host that it powers off would stay off. */
function checkRestart(path: string, line: string, findings: Findings): void {
  const effect = lineInsteadOfRestart(line);
  if (effect !== null) findings.warning(path, `${effect}; this command has to restart it`);
}

function warnInstead(path: string, effect: string | null, findings: Findings): void {
  if (effect !== null) findings.warning(path, `${effect}; this command has to power it off`);
}

function warnLater(path: string, commands: readonly (readonly string[])[], findings: Findings): void {
  const later = powersOffLater(commands);
  if (later !== null) findings.warning(path, later);
}
