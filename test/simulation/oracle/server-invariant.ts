// Judges one server at the end of its step: whoever could be reached has its final command by then.
import type { ServerSpec } from '../plant/plant.js';
import type { Checker } from './checker.js';
import type { SequenceModel, StepState } from './sequence-model.js';
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
  readonly #checker: Checker;
  untilMs = -Infinity;

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  fault(isSilent: boolean, awayMs: number): void {
    const untilMs = (isSilent ? silenceMs : 0) + workerStartMs + awayMs;
    this.untilMs = Math.max(this.untilMs, this.#checker.world.machine.monotonicMs() + untilMs);
  }

  daemonStarted(): void {
    this.untilMs = this.#checker.world.machine.monotonicMs() + workerStartMs;
  }
}

export function checkServer(
  checker: Checker,
  { commanded }: SequenceModel,
  { untilMs }: RemoteDoubt,
  { key, budgetMs, leastMs }: ExpectedStep,
  { beganMs, firstBeganMs, overMs, outcome }: StepState,
): void {
  const server = checker.world.site.plant.servers.find(({ name }) => serverKey(name) === key);
  if (server === undefined) return;
  const endMs = Math.max(firstBeganMs + budgetMs, beganMs + leastMs);
  const hasRoom = untilMs <= beganMs || endMs - untilMs >= leastMs + askedAgainMs;
  // A supervisor that stood still has lost time of the budget.
  const isOnTime = overMs <= endMs;
  if (isReachable(server) && hasRoom && isOnTime && !commanded.has(server.name)) {
    checker.violated(
      'every reachable server has its final command in time',
      `${key}: ${JSON.stringify(outcome)}`,
    );
  }
  if (outcome?.kind === 'done' && !commanded.has(server.name))
    checker.violated('no server is said to be done that has no command', key);
}

function isReachable({ behaviour, connectSeconds }: ServerSpec): boolean {
  return 'actionMs' in behaviour && behaviour.connectMs < connectSeconds * 1000;
}
