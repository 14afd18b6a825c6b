// What a judge of a simulated world is told.
import type { UpsPolled } from '../../shared/protocol/poller.js';
import type { Truth } from './poller-fleet.js';
import type { WorldEvent, Policies } from './site.js';
import type { CommandLine } from '../../shared/domain/plan.js';
import type { CommandOutcome } from '../../supervisor/host/run-command.js';
import type { DaemonWatcher } from './daemon.js';

/** Who judges the world: told of everything that happens, at the moment at which it has happened. */
export interface Observer extends Omit<DaemonWatcher, 'ran' | 'ticking'> {
  /** A report is on its way to the daemon, made of `truth`. */
  reported(poll: UpsPolled, truth: Truth): void;
  worldChanged(worldEvent: WorldEvent): void;
  ran(command: CommandLine): void;
  /** A server has its final command. */
  commanded(server: string): void;
  /** A UPS has been told to cut its output. */
  cut(ups: string): void;
  commandEnded(outcome: CommandOutcome, command: CommandLine): void;
  configured(policies: Policies): void;
  daemonStarted(): void;
  /** `isWithin`: in the middle of something, whose last records may be missing. */
  daemonDied(isWithin: boolean): void;
  snapshotWritten(): void;
  hostDown(why: 'power-off' | 'blackout'): void;
  hostUp(): void;
}

/** A witness is a class; what the daemon is given are its methods. */
export function bindMethods(observer: Observer): Omit<DaemonWatcher, 'ran' | 'ticking'> {
  return {
    recorded: (event) => observer.recorded(event),
    notified: (event) => observer.notified(event),
    began: (step) => observer.began(step),
    ended: (step, outcome) => observer.ended(step, outcome),
    recovered: (done) => observer.recovered(done),
    loggedError: (message) => observer.loggedError(message),
    polled: (groupId, poll) => observer.polled(groupId, poll),
    ticked: () => observer.ticked(),
    handledOther: () => observer.handledOther(),
  };
}
