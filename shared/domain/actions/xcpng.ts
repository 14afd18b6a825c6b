// Stops the virtual machines of XCP-ng.
import { guestAction } from './stop-script.js';

export const stopXcpngVms = guestAction(
  'xe vm-list',
  ['xe vm-shutdown'],
  () => [
    // Only guests of this host: in a pool `xe` lists those of all hosts.
    'here=$(. /etc/xensource-inventory 2>/dev/null && printf %s "$INSTALLATION_UUID")',
    '[ -n "$here" ] || here=$($S xe host-list hostname="$host" --minimal 2>/dev/null)',
    '[ -n "$here" ] || { say "the UUID of $host in its pool is unknown (/etc/xensource-inventory)"; finish 1; }',
    'running() { all=$($S xe vm-list resident-on="$here" is-control-domain=false params=uuid --minimal) || return 1; printf %s "$all" | tr , "\\n"; }',
  ],
  [
    'of() { $S xe vm-param-get uuid="$1" param-name="$2"; }',
    'condition() { [ "$(of "$1" power-state)" = paused ] || return 0; now=$(of "$1" current-operations); if [ -n "$now" ]; then say "held paused: $now"; else say resume; fi; }',
    'resume() { $S xe vm-unpause uuid="$1"; }',
    'shut() { $S xe vm-shutdown uuid="$1"; }',
    'kill_guest() { $S xe vm-shutdown uuid="$1" force=true; }',
    'name() { $S xe vm-param-get uuid="$1" param-name=name-label; }',
  ],
);
