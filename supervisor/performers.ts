// Who carries out what in a real sequence: this host's own programs, the pollers, the worker that logs in to servers.
// Wiring only.
import type { Clock } from '../shared/runtime/clock.js';
import type { Logger } from '../shared/runtime/log.js';
import type { Configuration } from './config/configuration.js';
import type { HostView } from './host-view.js';
import { later } from './later.js';
import { outputStaysOn } from './policy/output.js';
import type { PolicyState } from './policy/state.js';
import { plansOf } from './plans.js';
import type { Pollers } from './pollers.js';
import type { ActionKind } from './sequence/actuator.js';
import { runCommand } from './sequence/command.js';
import { localPerformers } from './sequence/local-performers.js';
import type { ShutDownTarget } from './sequence/phases/remote-servers.js';
import { remotePerformer } from './sequence/phases/remote-servers.js';
import type { SequencesTools } from './sequence/sequences.js';

/** To be said at start: what is configured and cannot reach the host from here. Null when all can. */
export function hostTrouble({ trouble }: HostView, configuration: Configuration): string | null {
  const steps = plansOf(configuration).flatMap(({ phases }) => phases.flatMap((phase) => phase.steps));
  return steps.some(({ action }) => throughMounts.has(action.kind)) ? trouble : null;
}

const throughMounts: ReadonlySet<ActionKind> = new Set(['stopCompose', 'stopContainers', 'unmount']);

export interface PerformerSources {
  readonly clock: Clock;
  readonly log: Logger;
  readonly host: HostView;
  readonly pollers: () => Pollers;
  readonly shutDown: ShutDownTarget;
  readonly state: () => PolicyState;
}

export function performersOf({
  pollers,
  shutDown,
  state,
  ...tools
}: PerformerSources): SequencesTools['performers'] {
  const remote = remotePerformer({ shutDown, clock: tools.clock, later });
  const outputs = {
    cut: (ups: string, deadlineMs: number) => pollers().cutOutput(ups, deadlineMs),
    staysOn: (ups: string) => outputStaysOn(state(), ups),
  };
  return {
    ...localPerformers({ ...tools, run: runCommand, later }, outputs),
    remote,
    poweroffDelegate: remote,
  };
}
