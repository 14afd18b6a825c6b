// The worker that logs in to servers, and the servers themselves: answers as the real one does, dies, hangs and comes
// back. What it has commanded stays commanded, whoever lives to hear of it.
import type { RemoteWork } from '../../../shared/domain/plan.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { TargetOutcome } from '../../../shared/protocol/remote.js';
import type { ShutDownTarget } from '../../../supervisor/sequence/phases/remote-servers.js';
import type { ServerSpec } from './plant.js';
import type { PlantClock } from './plant-clock.js';

/** A worker that died is started again at once; a hung one is killed after two seconds of silence. */
const startMs = 300;
const silenceMs = 2_000;

type Answer = Outcome<TargetOutcome>;

const gone: Answer = { ok: false, error: { code: 'WORKER_GONE', message: 'the worker has ended' } };

export class RemoteWorker {
  readonly #around: PlantClock;
  readonly #servers: ReadonlyMap<string, ServerSpec>;
  readonly #commanded: (server: string) => void;
  /** Of the worker's process: what an earlier one had begun goes no further. */
  #generation = 0;
  #up = false;
  readonly #asked = new Set<(answer: Answer) => void>();

  /** `commanded`: a server has its final command. */
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

  /** `awayMs`: how long no other one comes up, beyond what a start takes. */
  fault(fault: 'dies' | 'hangs', awayMs: number): void {
    if (!this.#up) return;
    this.#generation += 1;
    this.#up = false;
    const noticedMs = fault === 'hangs' ? silenceMs : 0;
    this.#setTimer(noticedMs, () => this.#tellGone());
    this.#comesUp(noticedMs + startMs + awayMs);
  }

  /** With its supervisor, whose successor starts another one. */
  die(): void {
    this.#generation += 1;
    this.#up = false;
    this.#asked.clear();
  }

  /** With a new one. */
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
      // Whose connection is lost in its final command is on its way down.
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

/** Work before the final command stops early for it. */
function actionsMs({ actions, commandTimeoutSeconds }: RemoteWork, actionMs: number, leftMs: number): number {
  const wishedMs = actions.reduce(
    (sum, { timeoutSeconds }) => sum + Math.min(actionMs, timeoutSeconds * 1000),
    0,
  );
  return Math.min(wishedMs, Math.max(0, leftMs - commandTimeoutSeconds * 1000));
}

function told(result: TargetOutcome['result'], delivered: boolean): Answer {
  return { ok: true, value: { result, detail: '', delivered, steps: [] } };
}
