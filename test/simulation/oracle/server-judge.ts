// Judges one server at the end of its step: whoever could be reached has its final command by then.
import type { ServerSpec } from '../plant/plant.js';
import type { Checker } from './court.js';
import type { Episode, StepState } from './episode.js';
import type { ExpectedStep } from './expected-plan.js';
import { serverKey } from './expected-plan.js';

/** The worker of a new daemon is there after that long. */
const workerStartMs = 400;
/** A worker that says nothing for so long is ended. */
const silenceMs = 2_000;
/** From a worker that is back to the next time it is asked, and what it keeps for its answer. */
const askedAgainMs = 1_500;

/** Until when the worker that logs in to servers was not there. */
export class RemoteDoubt {
  readonly #court: Checker;
  untilMs = -Infinity;

  constructor(court: Checker) {
    this.#court = court;
  }

  fault(isSilent: boolean, awayMs: number): void {
    const untilMs = (isSilent ? silenceMs : 0) + workerStartMs + awayMs;
    this.untilMs = Math.max(this.untilMs, this.#court.world.machine.monotonicMs() + untilMs);
  }

  daemonStarted(): void {
    this.untilMs = this.#court.world.machine.monotonicMs() + workerStartMs;
  }
}

export function judgeServer(
  court: Checker,
  { commanded }: Episode,
  { untilMs }: RemoteDoubt,
  { key, budgetMs, leastMs }: ExpectedStep,
  { beganMs, firstBeganMs, overMs, outcome }: StepState,
): void {
  const server = court.world.site.plant.servers.find(({ name }) => serverKey(name) === key);
  if (server === undefined) return;
  const endMs = Math.max(firstBeganMs + budgetMs, beganMs + leastMs);
  const hasRoom = untilMs <= beganMs || endMs - untilMs >= leastMs + askedAgainMs;
  // A supervisor that stood still has lost time of the budget.
  const isOnTime = overMs <= endMs;
  if (isReachable(server) && hasRoom && isOnTime && !commanded.has(server.name)) {
    court.violated(
      'every reachable server has its final command in time',
      `${key}: ${JSON.stringify(outcome)}`,
    );
  }
  if (outcome?.kind === 'done' && !commanded.has(server.name))
    court.violated('no server is said to be done that has no command', key);
}

function isReachable({ conduct, connectSeconds }: ServerSpec): boolean {
  return 'actionMs' in conduct && conduct.connectMs < connectSeconds * 1000;
}
