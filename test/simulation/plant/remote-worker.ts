// The remote worker and the servers. Answers as the real worker does; can die, hang and restart. A delivered command stays
// delivered, even if its answer is lost.
import type { RemoteWork } from '../../../shared/domain/plan.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { TargetOutcome } from '../../../shared/protocol/remote.js';
import type { ShutDownTarget } from '../../../supervisor/sequence/phases/remote-servers.js';
import type { ServerSpec } from './plant.js';
import type { PlantClock } from './plant-clock.js';

/** A dead worker restarts immediately; a hung one is killed after 2 s. */
const startMs = 300;
const silenceMs = 2_000;

type Answer = Outcome<TargetOutcome>;

const gone: Answer = { ok: false, error: { code: 'WORKER_GONE', message: 'the worker has ended' } };

export class RemoteWorker {
  readonly #around: PlantClock;
  readonly #servers: ReadonlyMap<string, ServerSpec>;
  readonly #commanded: (server: string) => void;
  /** Generation of the process: work of an earlier one stops. */
  #generation = 0;
  #up = false;
  readonly #asked = new Set<(answer: Answer) => void>();

  /** `commanded`: called when a server receives its final command. */
  constructor(around: PlantClock, servers: readonly ServerSpec[], commanded: (server: string) => void) {
    this.#around = around;
    this.#servers = new Map(servers.map((server) => [server.name, server]));
    this.#commanded = commanded;
  }

  readonly shutDown: ShutDownTarget = (work, budgetMs) => {
    if (!this.#up) return Promise.resolve(gone);
    return new Promise((resolve) => {
      const answer = (outcome: Answer) => {
        this.#asked.delete(answer);
        resolve(outcome);
      };
      this.#asked.add(answer);
      this.#begin(work, budgetMs, answer);
    });
  };

  /** `awayMs`: additional time until the restart. */
  fault(fault: 'dies' | 'hangs', awayMs: number): void {
    if (!this.#up) return;
    this.#generation += 1;
    this.#up = false;
    const noticedMs = fault === 'hangs' ? silenceMs : 0;
    this.#setTimer(noticedMs, () => this.#tellGone());
    this.#comesUp(noticedMs + startMs + awayMs);
  }

  die(): void {
    this.#generation += 1;
    this.#up = false;
    this.#asked.clear();
  }

  start(): void {
    this.#comesUp(startMs);
  }

  #comesUp(ms: number): void {
    this.#setTimer(ms, () => {
      this.#up = true;
    });
  }

  #tellGone(): void {
    for (const answer of [...this.#asked]) answer(gone);
  }

  #begin(work: RemoteWork, budgetMs: number, answer: (outcome: Answer) => void): void {
    const behaviour = this.#servers.get(work.server)?.behaviour ?? { kind: 'never-ends' };
    if (behaviour.kind === 'never-ends') return;
    const limitMs = Math.min(work.connectTimeoutSeconds * 1000, budgetMs);
    const connectMs =
      behaviour.kind === 'hangs-in-connect' ? limitMs : Math.min(behaviour.connectMs, limitMs);
    if (!('actionMs' in behaviour) || connectMs >= limitMs) {
      this.#setTimer(connectMs, () => answer(told('unreachable', false)));
      return;
    }
    this.#setTimer(connectMs + actionsMs(work, behaviour.actionMs, budgetMs - connectMs), () => {
      this.#commanded(work.server);
      const commandMs = work.commandTimeoutSeconds * 1000;
      const isHung = behaviour.kind === 'hangs-in-final';
      // A lost connection during the final command means that the server goes down.
      const result = isHung ? 'timeout' : behaviour.kind === 'fails' ? 'failed' : 'ok';
      this.#setTimer(isHung ? commandMs : Math.min(behaviour.finalMs, commandMs), () =>
        answer(told(result, true)),
      );
    });
  }

  #setTimer(ms: number, then: () => void): void {
    const generation = this.#generation;
    this.#around.after(ms, () => {
      if (generation === this.#generation) then();
    });
  }
}

/** Duration of the actions, which must leave time for the final command. */
function actionsMs({ actions, commandTimeoutSeconds }: RemoteWork, actionMs: number, leftMs: number): number {
  const wishedMs = actions.reduce(
    (sum, { timeoutSeconds }) => sum + Math.min(actionMs, timeoutSeconds * 1000),
    0,
  );
  return Math.min(wishedMs, Math.max(0, leftMs - commandTimeoutSeconds * 1000));
}

function told(result: TargetOutcome['result'], delivered: boolean): Answer {
  return { ok: true, value: { result, detail: '', delivered, sent: delivered, steps: [] } };
}
