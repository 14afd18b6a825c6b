// The text of `ridethrough outages`, for the catalogue.
import type { CommandEntry } from '../usage.js';
import { exitCodes, runtimeConfig, socket } from '../usage.js';

export const outagesEntry: CommandEntry = {
  name: 'outages',
  summary: 'list the outages, or show one with its shutdowns, events and readings',
  usages: [
    { options: 'limit since ups config socket json|csv' },
    { word: 'show', operands: 'N', options: 'config socket json|csv|html' },
  ],
  text: [
    `Prints the newest times on battery of the running daemon's history, oldest first, in local time; or one of them as a
timeline, with the plan beside what each step took. Needs root or membership in the group ridethrough-admin.`,
    [
      ['--limit N', 'maximum number of outages, 1 to 1000; default 100'],
      [
        '--since TIME',
        'not over before: 2h or 7d ago, "14:30", "2026-01-31", "2026-01-31 14:30:00", or Unix seconds',
      ],
      ['--ups NAME', 'of one UPS, also one that is no longer configured'],
      runtimeConfig,
      socket,
      ['--json', 'as the API has it at /api/v1/outages and /api/v1/outages/{id}'],
      ['--csv', 'the list; or the timeline and every change of a variable'],
      ['--html', 'one page in one file, with curves: ridethrough outages show 7 --html > outage-7.html'],
    ],
  ],
  exitCodes: exitCodes('success', 'the daemon did not answer or has no such outage'),
  load: async () => (await import('./outages.js')).outages,
};
