// The command `init` in the catalogue.
import type { CommandEntry } from '../usage.js';

export const initEntry: CommandEntry = {
  name: 'init',
  summary: 'write a first configuration, a dry run, by questions or from another program',
  usages: [
    { options: 'output force' },
    { options: 'nut:HOST* ups* local* server* api \n nut-user+nut-password-file output force' },
    { options: '!from-upsmon|from-eneru|from-apcupsd|from-powerpanel \n ups output force' },
  ],
  text: [
    `Looks for the UPSes of NUT servers, shows for which triggers each has data, and writes a short configuration with comments
that "ridethrough validate" accepts. It is a dry run. Without flags it asks. With a --from-… it carries the numbers of
another program over and lists what has no counterpart. Passwords go into files of their own and are not printed.`,
    [
      ['--nut HOST[:PORT]', 'a NUT server; default localhost, or those of the named UPSes'],
      ['--ups NAME', 'a UPS to watch, NAME@HOST[:PORT]; default every UPS that is found'],
      ['--local NAME', 'a UPS that powers this machine; with several, one of them is enough'],
      ['--server NAME=USER@HOST', 'a machine to shut down over SSH before this one'],
      ['--api', 'serve the dashboard and the API on 127.0.0.1'],
      ['--nut-user NAME', 'for NUT servers that want a login for reads; with --nut-password-file'],
      ['--nut-password-file FILE', 'the password; the configuration names this file'],
      ['--from-upsmon DIR', 'the folder with upsmon.conf, and upssched.conf and ups.conf if they are there'],
      ['--from-eneru FILE', 'the configuration of Eneru'],
      ['--from-apcupsd FILE', 'apcupsd.conf'],
      ['--from-powerpanel FILE', 'pwrstatd.conf'],
      ['--output FILE', 'default /etc/ridethrough/config.toml; "-" prints'],
      ['--force', 'replace a file that exists'],
    ],
  ],
  exitCodes: [
    [0, 'written'],
    [1, 'not written'],
    [2, 'wrong usage'],
    [78, 'what was composed is not a valid configuration'],
  ],
  load: async () => (await import('./init.js')).init,
};
