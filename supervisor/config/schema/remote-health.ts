// [remote_health]: probes that check whether remote servers could be shut down, and change nothing.
import * as t from 'io-ts';
import { isPlainProbe } from '../../../shared/domain/commands/probe-command.js';
import { optional } from './key.js';
import { count, seconds, textThat } from './values.js';

// check/probe.ts compares it with the other commands of the file.
const probeCommand = textThat(
  'a harmless command without shell metacharacters and without words that stop something, such as "true"',
  isPlainProbe,
);

export const remoteHealthKeys = {
  enabled: optional(t.boolean, true),
  startup_check: optional(t.boolean, true),
  // A probe is a full SSH login: more than one a minute only adds load.
  interval: optional(seconds(60, 30 * 86_400), 3600),
  probe_command: optional(probeCommand, 'true'),
  failure_threshold: optional(count(1, 100), 2),
  notify_on_failure: optional(t.boolean, true),
  notify_on_recovery: optional(t.boolean, true),
  check_privileges: optional(t.boolean, false),
};
