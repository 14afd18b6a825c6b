// The text of `ridethrough demo`, for the catalogue.
import type { CommandEntry } from '../usage.js';

export const demoEntry: CommandEntry = {
  name: 'demo',
  summary: 'run the daemon on a simulated UPS; nothing is ever shut down',
  usages: [
    { options: 'scenario:outage,mains,brownout,self-test,flapping,dying-battery,fsd port \n speed once' },
  ],
  text: [
    `Runs the daemon as a dry run on a simulated UPS, with the dashboard on 127.0.0.1, until Ctrl-C.
Needs no configuration and removes its files at the end.`,
    [
      ['--scenario NAME', 'default outage; while it runs, type another name and Enter'],
      ['--port PORT', 'of the dashboard and the API; default 9191; 0: one that the system chooses'],
      ['--speed N', 'speed of the simulated UPS; 1 to 1000, default 20'],
      ['--once', 'end after one run of the scenario'],
    ],
  ],
  gap: 3,
  exitCodes: [
    [0, 'ended by Ctrl-C'],
    [1, 'a program could not be started'],
    [2, 'wrong usage; if the daemon ends, its exit code'],
  ],
  ignoresBrokenPipe: true,
  load: async () => (await import('./demo.js')).demo,
};
