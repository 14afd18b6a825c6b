// Another try for servers that never got their final command: the command alone, once for each server at a time, however
// many sequences try. An abandoned try may still end; its result counts for the next one.
import type { RemoteWork } from '../../../shared/domain/actions/remote-work.js';
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { ActionOf } from '../../../shared/domain/actions/table.js';
import type { Performer } from '../actuator.js';
import type { StepOutcome } from '../outcome.js';
import { isUnsent } from '../outcome.js';

export interface TryDependencies {
  /** The outcome of the server so far in this shutdown; undefined while it is being commanded, or without one. */
  readonly outcomeOf: (server: string) => StepOutcome | undefined;
  /** The server has its command now. */
  readonly commanded: (server: string, outcome: StepOutcome) => void;
  readonly remote: (action: ActionOf<'remote'>, step: PlanStep, signal: AbortSignal) => Promise<StepOutcome>;
}

export class Tries {
  readonly #running = new Map<string, Promise<StepOutcome>>();

  performer(deps: TryDependencies): Performer<'commandAgain'> {
    return async ({ works }, step, signal) => {
      const missed = works.filter(({ server }) => isUnsent(deps.outcomeOf(server)));
      if (missed.length === 0) return { kind: 'skipped', reason: 'every server got its command' };
      const ends = await Promise.all(
        missed.map(async (work) => ({ work, outcome: await this.#try(work, step, signal, deps) })),
      );
      const reached = ends.filter(({ outcome }) => !isUnsent(outcome));
      const names = (list: typeof ends): string => list.map(({ work }) => work.server).join(', ');
      if (reached.length > 0) return { kind: 'done', detail: `${names(reached)} got the command` };
      return { kind: 'skipped', reason: `not reached again: ${names(ends)}` };
    };
  }

  #try(
    work: RemoteWork,
    step: PlanStep,
    signal: AbortSignal,
    { remote, commanded }: TryDependencies,
  ): Promise<StepOutcome> {
    const known = this.#running.get(work.server);
    if (known !== undefined) return known;
    const running = remote({ kind: 'remote', work }, step, signal)
      .then((outcome) => {
        if (!isUnsent(outcome)) commanded(work.server, outcome);
        return outcome;
      })
      .finally(() => this.#running.delete(work.server));
    this.#running.set(work.server, running);
    return running;
  }
}
