// [behavior], [local_shutdown] and [supervisor]: the shutdown of this machine, and the directory and users of the daemon.
import * as t from 'io-ts';
import { oneOf } from '../../../shared/domain/base/units.js';
import { commandLine } from './command.js';
import { optional, table } from './key.js';
import { absolutePath, line, textThat } from './values.js';

export const behaviorKeys = { dry_run: optional(t.boolean, false) };

export const localShutdownKeys = {
  enabled: optional(t.boolean, true),
  command: optional(commandLine(false), ['shutdown', '-h', 'now']),
  message: optional(line(500), 'UPS battery critical, shutting down'),
  fallback_command: optional(commandLine(true), []),
  drain_on_local_shutdown: optional(t.boolean, false),
  trigger_on: optional(oneOf('any', 'none'), 'any'),
  wait_for_targets: optional(t.boolean, false),
  wall: optional(t.boolean, false),
  powerdown_flag: optional(absolutePath, null),
};

/** It contains the control socket, and the path of a socket has at most 107 bytes (unix(7)). */
const runtimeDirectory = textThat(
  'an absolute path of at most 90 bytes, below a directory of its own (not "/")',
  (text) => /^\/[^\s/][^\n]*$/.test(text) && line(90).is(text) && !text.split('/').includes('..'),
);
const userName = textThat('the name of a user', (text) => /^[a-z_][a-z0-9_.-]{0,31}$/.test(text));

export const supervisorKeys = {
  runtime_directory: optional(runtimeDirectory, '/run/ridethrough'),
  worker_users: table({
    api: optional(userName, 'ridethrough-api'),
    storage: optional(userName, 'ridethrough-db'),
    ssh: optional(userName, 'ridethrough-ssh'),
    net: optional(userName, 'ridethrough-net'),
    hook: optional(userName, 'ridethrough-hook'),
  }),
};
