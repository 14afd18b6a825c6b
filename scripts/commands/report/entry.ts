// The text of `ridethrough report`, for the catalogue.
import type { CommandEntry } from '../usage.js';
import { exitCodes, runtimeConfig, socket } from '../usage.js';

export const reportEntry: CommandEntry = {
  name: 'report',
  summary: 'report a day, a week or a month: availability, outages, energy, batteries',
  usages: [{ operands: '[DATE | current]', options: 'period:day,week,month config socket \n json|csv|html' }],
  text: [
    `Prints what the running daemon knows of a period: for each UPS how long it was read and on battery, voltage, load,
energy with its cost, battery and tests; the outages; and what needs attention. Without a date it is the last period
that has ended, in the local time of the daemon. Needs root or membership in the group ridethrough-admin.`,
    [
      ['DATE', 'a day of the period, as 2026-01-31; "current" is the period that is not over yet'],
      ['--period P', 'day, week or month; default day'],
      runtimeConfig,
      socket,
      ['--json', 'as the API has it at /api/v1/reports/{period}'],
      ['--csv', 'one line for each UPS'],
      ['--html', 'one page in one file: ridethrough report --period month --html > report.html'],
    ],
  ],
  exitCodes: exitCodes('success', 'the daemon did not answer'),
  load: async () => (await import('./report.js')).report,
};
