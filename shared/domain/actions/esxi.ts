// Stops the virtual machines of ESXi.
import { guestAction } from './stop-script.js';

export const stopEsxiVms = guestAction(
  'vim-cmd vmsvc/getallvms',
  ['vim-cmd vmsvc/power.shutdown', 'vim-cmd vmsvc/power.off'],
  () => [
    'all=$($S vim-cmd vmsvc/getallvms 2>&1) || { say "$all"; finish 1; }',
    // Annotations may span lines that also begin with a number; the state of such a number is an error.
    'ids=$(say "$all" | while read -r id _; do case $id in ("" | *[!0-9]*) ;; (*) say "$id" ;; esac; done)',
    'state() { $S vim-cmd vmsvc/power.getstate "$1" 2>/dev/null | tail -n 1; }',
    // One request takes up to a second: all run in parallel.
    'running() { for id in $ids; do { case $(state "$id") in ("Powered off" | Suspended | "") ;; (*) say "$id" ;; esac; } & done; wait; }',
  ],
  [
    // Each request takes up to a second: one that sleeps is found by its refusal, since its tools do not answer.
    `sleeps() { $S vim-cmd vmsvc/get.guest "$1" 2>/dev/null | grep -q 'guestState = "standby"'; }`,
    'shut() { said=$($S vim-cmd vmsvc/power.shutdown "$1" 2>&1) && return; ! sleeps "$1" || $S vim-cmd vmsvc/power.on "$1"; say "$said"; return 1; }',
    'kill_guest() { $S vim-cmd vmsvc/power.off "$1"; }',
    `name() { say "$all" | while read -r id rest; do [ "$id" != "$1" ] || { rest=\${rest%%\\[*}; say "$id (\${rest%"\${rest##*[! ]}"})"; }; done; }`,
  ],
);
