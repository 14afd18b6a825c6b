// The text of `ridethrough import`, for the catalogue.
import type { CommandEntry } from '../usage.js';
import { config, exitCodes, json, socket } from '../usage.js';

export const importEntry: CommandEntry = {
  name: 'import',
  summary: 'add the history that upslog or Eneru has recorded',
  usages: [
    {
      word: 'upslog',
      operands: 'FILE',
      takesFile: true,
      options: 'format ups ups-host skip-damaged dry-run \n config socket json',
    },
    {
      word: 'eneru',
      operands: 'DIR|FILE',
      takesFile: true,
      options: 'ups skip-damaged dry-run config socket json',
    },
  ],
  text: [
    `Adds readings, means, events and outages of another program to the history. It changes nothing that is there already, so
the daemon's own data wins and a second import adds nothing; an interrupted import is repeated. All lines are checked before the first is
added: a damaged one is reported with its number, and nothing changes.
The running daemon writes what is added. When none runs, the database is written directly, as its owner: use sudo then.
Else needs root or membership in the group ridethrough-admin.`,
    [
      [
        'FILE',
        'a log of upslog. Its times are local: TZ=Europe/Berlin in the environment for those of another zone',
      ],
      [
        '--format STRING',
        `the format that upslog had with -f; default that of upslog without -f.
With -N it is '%UPSHOST%%t' and that format`,
      ],
      [
        'DIR',
        'statistics.db_directory of Eneru; FILE: one of its databases. They are copied and not changed',
      ],
      [
        '--ups NAME',
        'the UPS as this configuration names it; default the only one, or the one that a database is named after',
      ],
      [
        '--ups-host NAME',
        'the UPS as %UPSHOST% in the format names it; default the name of the UPS. Lines of others are left out',
      ],
      ['--skip-damaged', 'leave damaged lines out'],
      ['--dry-run', 'only print what would be added'],
      config,
      socket,
      json,
    ],
  ],
  gap: 2,
  exitCodes: exitCodes('done', 'it failed and, unless the message says otherwise, nothing was added'),
  load: async () => (await import('./import.js')).importHistory,
};
