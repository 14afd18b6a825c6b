// [behavior], [local_shutdown] and [supervisor]: the shutdown of this machine, and the directory and users of the daemon.
import { converted, key, needsRestart, onOff, shown, table, word } from '../../../shared/domain/base/keys.js';
import { commandLine } from './command.js';
import { absolutePath, line, textThat } from './values.js';

export const behaviorKeys = { dry_run: shown(onOff(false)) };

export const localShutdownKeys = {
  enabled: shown(onOff(true)),
  command: key(commandLine(false), ['shutdown', '-h', 'now']),
  message: key(line(500), 'UPS battery critical, shutting down'),
  fallback_command: converted(key(commandLine(true), []), (words) => (words.length === 0 ? null : words)),
  restart_command: key(commandLine(false), ['shutdown', '-r', 'now']),
  drain_on_local_shutdown: onOff(false),
  trigger_on: word(['any', 'none'], 'any'),
  wait_for_targets: onOff(false),
  wall: onOff(false),
  powerdown_flag: key(absolutePath, null),
};

/** It contains the control socket, and the path of a socket has at most 107 bytes (unix(7)). */
const runtimeDirectory = textThat(
  'an absolute path of at most 90 bytes, below a directory of its own (not "/")',
  (text) => /^\/[^\s/][^\n]*$/.test(text) && line(90).is(text) && !text.split('/').includes('..'),
);
const userName = textThat('the name of a user', (text) => /^[a-z_][a-z0-9_.-]{0,31}$/.test(text));

export const supervisorKeys = {
  // A running process cannot change the directory of its sockets and snapshot, or the users of its workers.
  runtime_directory: needsRestart(key(runtimeDirectory, '/run/ridethrough')),
  worker_users: needsRestart(
    table({
      api: key(userName, 'ridethrough-api'),
      storage: key(userName, 'ridethrough-db'),
      ssh: key(userName, 'ridethrough-ssh'),
      net: key(userName, 'ridethrough-net'),
      hook: key(userName, 'ridethrough-hook'),
    }),
  ),
};
