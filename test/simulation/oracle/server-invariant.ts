// Checks a server at the end of its step: if it was reachable, it has received its final command.
import type { ServerSpec } from '../plant/plant.js';
import type { OracleContext } from './oracle-context.js';
import type { SequenceModel, StepState } from './sequence-model.js';
import type { ExpectedStep } from './expected-plan.js';
import { serverKey } from './expected-plan.js';

/** Start time of the worker of a new daemon. */
const workerStartMs = 400;
/** A worker without a heartbeat for this long is killed. */
const silenceMs = 2_000;
/** From the restart of a worker to the next request, plus the time reserved for its answer. */
const askedAgainMs = 1_500;

/** Until when the remote worker was unavailable. */
export class RemoteDoubt {
  readonly #context: OracleContext;
  untilMs = -Infinity;

  constructor(context: OracleContext) {
    this.#context = context;
  }

  fault(isSilent: boolean, awayMs: number): void {
    const untilMs = (isSilent ? silenceMs : 0) + workerStartMs + awayMs;
    this.untilMs = Math.max(this.untilMs, this.#context.world.machine.monotonicMs() + untilMs);
  }

  daemonStarted(): void {
    this.untilMs = this.#context.world.machine.monotonicMs() + workerStartMs;
  }
}

export function checkServer(
  context: OracleContext,
  { commanded }: SequenceModel,
  { untilMs }: RemoteDoubt,
  { key, budgetMs, leastMs }: ExpectedStep,
  { beganMs, firstBeganMs, overMs, outcome }: StepState,
): void {
  const server = context.world.site.plant.servers.find(({ name }) => serverKey(name) === key);
  if (server === undefined) return;
  const endMs = Math.max(firstBeganMs + budgetMs, beganMs + leastMs);
  const hasRoom = untilMs <= beganMs || endMs - untilMs >= leastMs + askedAgainMs;
  // A stalled supervisor has lost time of the budget.
  const isOnTime = overMs <= endMs;
  if (isReachable(server) && hasRoom && isOnTime && !commanded.has(server.name)) {
    context.violated(
      'every reachable server has its final command in time',
      `${key}: ${JSON.stringify(outcome)}`,
    );
  }
  if (outcome?.kind === 'done' && !commanded.has(server.name))
    context.violated('no server is said to be done that has no command', key);
}

function isReachable({ behaviour, connectSeconds }: ServerSpec): boolean {
  return 'actionMs' in behaviour && behaviour.connectMs < connectSeconds * 1000;
}
