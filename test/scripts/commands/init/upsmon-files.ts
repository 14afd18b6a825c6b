import { importUpsmon } from '../../../../scripts/commands/init/from/upsmon.js';
import type { Checked } from './drafts.js';
import { checked, inFolder } from './drafts.js';

export const monitor =
  'MONITOR office@localhost 1 monuser "s3cret word" primary\nSHUTDOWNCMD "/sbin/shutdown -h +0"\n';

/** What init makes of this upsmon.conf, with other files beside it. */
export const carried = (upsmon: string, others: Readonly<Record<string, string>> = {}): Checked =>
  inFolder({ 'upsmon.conf': upsmon, ...others }, (folder) => checked(importUpsmon(folder)));

export const executed = ['ONBATT', 'ONLINE', 'REPLBATT', 'LOWBATT', 'COMMBAD', 'NOPARENT']
  .map((type) => `NOTIFYFLAG ${type} SYSLOG+EXEC\n`)
  .join('');

export const script = `#!/bin/sh
case $1 in
  # dark) shutdown ;;
  dark|cold)
    logger "$1"
    /sbin/upsmon -c fsd
    ;;
  lamp) /usr/local/bin/lamp --no-shutdown-here ;;
  *) logger "$1" ;;
esac
`;
