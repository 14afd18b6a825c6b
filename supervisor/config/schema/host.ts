// [behavior], [local_shutdown] and [supervisor]: the shutdown of this machine, and the directory and users of the daemon.
import {
  converted,
  needsRestart,
  onOff,
  optional,
  shown,
  table,
  word,
} from '../../../shared/domain/base/keys.js';
import { commandLine } from './command.js';
import { absolutePath, line, textThat } from './values.js';

export const behaviorKeys = { dry_run: shown(onOff(false)) };

export const localShutdownKeys = {
  enabled: shown(onOff(true)),
  command: optional(commandLine(false), ['shutdown', '-h', 'now']),
  message: optional(line(500), 'UPS battery critical, shutting down'),
  fallback_command: converted(optional(commandLine(true), []), (words) =>
    words.length === 0 ? null : words,
  ),
  drain_on_local_shutdown: onOff(false),
  trigger_on: word(['any', 'none'], 'any'),
  wait_for_targets: onOff(false),
  wall: onOff(false),
  powerdown_flag: optional(absolutePath, null),
};

/** It contains the control socket, and the path of a socket has at most 107 bytes (unix(7)). */
const runtimeDirectory = textThat(
  'an absolute path of at most 90 bytes, below a directory of its own (not "/")',
  (text) => /^\/[^\s/][^\n]*$/.test(text) && line(90).is(text) && !text.split('/').includes('..'),
);
const userName = textThat('the name of a user', (text) => /^[a-z_][a-z0-9_.-]{0,31}$/.test(text));

export const supervisorKeys = {
  // A running process cannot change the directory of its sockets and snapshot, or the users of its workers.
  runtime_directory: needsRestart(optional(runtimeDirectory, '/run/ridethrough')),
  worker_users: needsRestart(
    table({
      api: optional(userName, 'ridethrough-api'),
      storage: optional(userName, 'ridethrough-db'),
      ssh: optional(userName, 'ridethrough-ssh'),
      net: optional(userName, 'ridethrough-net'),
      hook: optional(userName, 'ridethrough-hook'),
    }),
  ),
};
