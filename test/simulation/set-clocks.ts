// What a wall clock that is set must not change: the course of the same world with a steady clock beside it.
import type { Observer } from './observer.js';
import { bindMethods } from './observer.js';
import type { Scenario } from './scenario.js';

/** A world whose clock is set. With exceptions in it one more call, of a log, would be another world. */
export function isClockSet({ site, worldEvents }: Scenario): boolean {
  const has = (kind: string) => worldEvents.some(({ worldEvent }) => worldEvent.kind === kind);
  return (site.clockAtBootSeconds !== 0 || has('wallStep')) && !has('throws');
}

export function withSteadyClock({ site, worldEvents, durationMs }: Scenario): Scenario {
  return {
    site: { ...site, clockAtBootSeconds: 0 },
    worldEvents: worldEvents.filter(({ worldEvent }) => worldEvent.kind !== 'wallStep'),
    durationMs,
  };
}

/** `note` gets every event, step and command, in order. */
export function noting(inner: Observer, note: (what: string) => void): Observer {
  return {
    ...bindMethods(inner),
    recorded: (event) => {
      note(`${event.source} ${event.type}: ${event.detail}`);
      inner.recorded(event);
    },
    began: (step) => {
      note(`begins ${step.id}`);
      inner.began(step);
    },
    ended: (step, outcome) => {
      note(`ends ${step.id} ${outcome?.kind ?? ''}`);
      inner.ended(step, outcome);
    },
    ran: (command) => {
      note(`runs ${command.join(' ')}`);
      inner.ran(command);
    },
    commanded: (server) => {
      note(`commands ${server}`);
      inner.commanded(server);
    },
    cut: (ups) => {
      note(`cuts ${ups}`);
      inner.cut(ups);
    },
    reported: (poll, truth) => inner.reported(poll, truth),
    worldChanged: (worldEvent) => inner.worldChanged(worldEvent),
    commandEnded: (outcome, command) => inner.commandEnded(outcome, command),
    configured: (policies) => inner.configured(policies),
    daemonStarted: () => inner.daemonStarted(),
    daemonDied: (isWithin) => inner.daemonDied(isWithin),
    snapshotWritten: () => inner.snapshotWritten(),
    lost: (loss) => inner.lost(loss),
    hostDown: (why) => inner.hostDown(why),
    hostUp: () => inner.hostUp(),
  };
}
