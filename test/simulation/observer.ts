// The interface of observers of a simulated world.
import type { UpsPolled } from '../../shared/protocol/poller.js';
import type { Truth } from './truth.js';
import type { Loss, WorldEvent, Policies } from './scenario.js';
import type { CommandLine } from '../../shared/domain/commands/command-line.js';
import type { CommandOutcome } from '../../supervisor/host/run-command.js';
import type { DaemonWatcher } from './daemon-watcher.js';

/** Called for everything that happens, immediately after it. */
export interface Observer extends Omit<DaemonWatcher, 'ran' | 'ticking'> {
  /** A report of the state `truth` is in transit to the daemon. */
  reported(poll: UpsPolled, truth: Truth): void;
  worldChanged(worldEvent: WorldEvent): void;
  ran(command: CommandLine): void;
  /** A server has received its final command. */
  commanded(server: string): void;
  /** A UPS has received the command to turn its output off. */
  cut(ups: string): void;
  commandEnded(outcome: CommandOutcome, command: CommandLine): void;
  configured(policies: Policies): void;
  daemonStarted(): void;
  /** `isWithin`: during an input, whose last records may be missing. */
  daemonDied(isWithin: boolean): void;
  snapshotWritten(): void;
  /** While no daemon runs. */
  lost(loss: Loss): void;
  hostDown(why: 'power-off' | 'blackout'): void;
  hostUp(): void;
}

/** The methods of an observer, bound, as the daemon takes them. */
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

const calls = [
  ...(['recorded', 'notified', 'began', 'ended', 'recovered', 'loggedError', 'polled', 'ticked'] as const),
  ...(['handledOther', 'reported', 'worldChanged', 'ran', 'commanded', 'cut', 'commandEnded'] as const),
  ...([
    'configured',
    'daemonStarted',
    'daemonDied',
    'snapshotWritten',
    'lost',
    'hostDown',
    'hostUp',
  ] as const),
] satisfies readonly (keyof Observer)[];

/** Passes every call to each in turn. */
export function observers(all: readonly Partial<Observer>[]): Observer {
  const passOn = (name: keyof Observer) => {
    const methods = all.flatMap(
      (one) => (one[name] as ((...args: unknown[]) => void) | undefined)?.bind(one) ?? [],
    );
    return (...args: unknown[]) => {
      for (const method of methods) method(...args);
    };
  };
  return Object.fromEntries(calls.map((name) => [name, passOn(name)])) as unknown as Observer;
}
