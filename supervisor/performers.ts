// Who carries out what in a real sequence: this host's own programs, and the pollers. Wiring only.
import type { Clock } from '../shared/runtime/clock.js';
import type { Logger } from '../shared/runtime/log.js';
import type { HostView } from './host-view.js';
import { later } from './later.js';
import { outputStaysOn } from './policy/output.js';
import type { PolicyState } from './policy/state.js';
import type { Pollers } from './pollers.js';
import type { Performers } from './sequence/actuator.js';
import { runCommand } from './sequence/command.js';
import { localPerformers } from './sequence/local-performers.js';

export interface PerformerSources {
  readonly clock: Clock;
  readonly log: Logger;
  readonly host: HostView;
  readonly pollers: () => Pollers;
  readonly state: () => PolicyState;
}

export function performersOf({ pollers, state, ...tools }: PerformerSources): Partial<Performers> {
  return localPerformers(
    { ...tools, run: runCommand, later },
    {
      cut: (ups, deadlineMs) => pollers().cutOutput(ups, deadlineMs),
      staysOn: (ups) => outputStaysOn(state(), ups),
    },
  );
}
