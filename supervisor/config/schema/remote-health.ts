// [remote_health]: asking the remote servers, harmlessly, whether they could be shut down.
import * as t from 'io-ts';
import { optional } from './key.js';
import { count, seconds, textThat } from './values.js';

/** Words that have no place in a harmless probe, whichever program they are given to (interface.md 1, rule 7). */
const shutdownWords = ['shutdown', 'poweroff', 'reboot', 'halt', 'kexec', 'init', 'telinit'];
const stoppingPairs: readonly (readonly [string, string])[] = [
  ['systemctl', 'stop'],
  ['systemctl', 'suspend'],
  ['systemctl', 'hibernate'],
  ['docker', 'stop'],
  ['podman', 'stop'],
  ['virsh', 'destroy'],
  ['qm', 'stop'],
  ['pct', 'stop'],
];

function isHarmless(text: string): boolean {
  if (text.trim() === '' || text.length > 1024 || !/^[A-Za-z0-9 _./:=@%+,-]+$/.test(text)) return false;
  const words = text.toLowerCase().split(/[^a-z0-9_-]+/);
  return (
    !shutdownWords.some((word) => words.includes(word)) &&
    !stoppingPairs.some(([program, verb]) => words.includes(program) && words.includes(verb))
  );
}

const probeCommand = textThat(
  'a harmless command without shell metacharacters and without words that stop something, such as "true"',
  isHarmless,
);

export const remoteHealthKeys = {
  enabled: optional(t.boolean, true),
  startup_check: optional(t.boolean, true),
  // A probe is a full SSH login: more often than once a minute is load, not knowledge.
  interval: optional(seconds(60, 30 * 86_400), 3600),
  probe_command: optional(probeCommand, 'true'),
  failure_threshold: optional(count(1, 100), 2),
  notify_on_failure: optional(t.boolean, true),
  notify_on_recovery: optional(t.boolean, true),
  check_privileges: optional(t.boolean, false),
};
