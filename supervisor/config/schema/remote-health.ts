// [remote_health]: probes that check whether remote servers could be shut down, and change nothing.
import { count, duration, key, onOff, shown } from '../../../shared/domain/base/keys.js';
import { isPlainProbe } from '../../../shared/domain/actions/probe-command.js';
import { textThat } from './values.js';

// check/probe.ts compares it with the other commands of the file.
const probeCommand = textThat(
  'a harmless command without shell metacharacters and without words that stop something, such as "true"',
  isPlainProbe,
);

export const remoteHealthKeys = {
  enabled: shown(onOff(true)),
  startup_check: shown(onOff(true)),
  // A probe is a full SSH login: more than one a minute only adds load.
  interval: shown(duration(60, 30 * 86_400, 3600)),
  probe_command: key(probeCommand, 'true'),
  failure_threshold: shown(count(1, 100, 2)),
  notify_on_failure: onOff(true),
  notify_on_recovery: onOff(true),
  check_privileges: onOff(false),
};
