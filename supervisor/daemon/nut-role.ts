// What this host is at its NUT servers, over the course of an outage: it logs out once its own work is done, so that a primary
// need not wait for it, and logs in again when the outage is over. Removes a powerdown flag that belongs to no shutdown.
import type { Configuration } from '../config/configuration/configuration.js';
import type { ShutdownEngine } from '../engine/engine.js';
import type { Logger } from '../../shared/runtime/log.js';
import { isQuietAt } from '../policy/view/attention.js';
import { StaleFlag } from '../sequence/phases/powerdown-flag.js';
import type { Pollers } from '../workers/poller.js';
import type { DaemonEnvironment } from './environment.js';

export interface NutRoleDependencies extends Pick<DaemonEnvironment, 'run' | 'setTimer' | 'host'> {
  readonly log: Logger;
  readonly configuration: () => Configuration;
  readonly pollers: Pick<Pollers, 'logOut' | 'logIn' | 'loggedOut'>;
  readonly engine: Pick<ShutdownEngine, 'journal' | 'state' | 'isSequenceRunning' | 'hasOpenSequences'>;
}

export class NutRole {
  readonly #deps: NutRoleDependencies;
  readonly #flag: StaleFlag;

  constructor(deps: NutRoleDependencies) {
    this.#deps = deps;
    this.#flag = new StaleFlag(deps);
  }

  tick(): void {
    const { configuration, pollers, engine } = this.#deps;
    const { powerOff } = engine.journal;
    const isGoingDown = powerOff.askedBy.size > 0 && !powerOff.givenUp;
    // One that a killed daemon has left goes on, and does not write its flag again.
    const hasSequence = engine.isSequenceRunning || engine.hasOpenSequences;
    this.#flag.tick(configuration().localShutdown.powerdownFlag, isGoingDown || hasSequence);
    if (isGoingDown && engine.isSequenceRunning) pollers.logOut(null);
    if (engine.isSequenceRunning) return;
    for (const groupId of pollers.loggedOut) if (isQuietAt(engine.state, groupId)) pollers.logIn(groupId);
  }
}
