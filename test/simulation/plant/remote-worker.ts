// The remote worker and the servers. Answers as the real worker does; can die, hang and restart. A delivered command stays
// delivered, even if its answer is lost.
import type { RemoteWork } from '../../../shared/domain/actions/remote-work.js';
import type { CommandOutcome } from '../../../supervisor/host/run-command.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { TargetOutcome } from '../../../shared/protocol/remote.js';
import type { AwaitOff } from '../../../supervisor/sequence/phases/off-waits.js';
import type { ShutDownTarget } from '../../../supervisor/sequence/phases/remote-servers.js';
import type { Plant, ServerSpec } from './plant.js';
import type { PlantClock } from './plant-clock.js';

/** A dead worker restarts immediately; a hung one is killed after 2 s. */
const startMs = 300;
const silenceMs = 2_000;

export interface ServersTold {
  /** A server receives its final command. */
  commanded(server: string): void;
  /** The host of the daemon's container receives its own; the outcome is known within `ms`. */
  poweredOff(ms: number): Promise<CommandOutcome>;
}

type Answer = Outcome<TargetOutcome>;
type OffAnswer = Awaited<ReturnType<AwaitOff>>;

/** The supervisor gives up a request at the first tick after its deadline. */
const tickMs = 250;
const late: Outcome<never> = {
  ok: false,
  error: { code: 'DEADLINE_EXCEEDED', message: 'no answer in time' },
};
const gone: Outcome<never> = { ok: false, error: { code: 'WORKER_GONE', message: 'the worker has ended' } };

export class RemoteWorker {
  readonly #around: PlantClock;
  readonly #servers: ReadonlyMap<string, ServerSpec>;
  readonly #delegate: string | undefined;
  readonly #told: ServersTold;
  /** Generation of the process: work of an earlier one stops. */
  #generation = 0;
  #up = false;
  readonly #asked = new Set<(answer: Outcome<never>) => void>();
  /** By server: ends the shutdown that it has. */
  readonly #newest = new Map<string, () => void>();
  /** When each server got its last command: it had answered a login. */
  readonly #commandedMs = new Map<string, number>();

  constructor(around: PlantClock, { servers, delegate }: Plant, told: ServersTold) {
    this.#around = around;
    const all = delegate === null ? servers : [...servers, delegate];
    this.#servers = new Map(all.map((server) => [server.name, server]));
    this.#delegate = delegate?.name;
    this.#told = told;
  }

  readonly shutDown: ShutDownTarget = (work, budgetMs) => {
    if (!this.#up) return Promise.resolve(gone);
    return new Promise((resolve) => {
      const answer = (outcome: Answer) => {
        this.#asked.delete(answer);
        resolve(outcome);
      };
      this.#asked.add(answer);
      // The newest of several for one server is the only one.
      if (work.final !== null) {
        this.#newest.get(work.server)?.();
        this.#newest.set(work.server, () => answer(told('failed', false)));
      }
      this.#begin(work, budgetMs, answer);
    });
  };

  /** Of the servers' own truth: the worker finds exactly that. */
  readonly awaitOff: AwaitOff = (name, _, budgetMs) => {
    if (!this.#up) return Promise.resolve(gone);
    return new Promise((resolve) => {
      const answer = (outcome: OffAnswer) => {
        this.#asked.delete(answer);
        resolve(outcome);
      };
      this.#asked.add(answer);
      const leftMs = this.offInMs(name);
      const off = leftMs !== null && leftMs <= budgetMs;
      const afterMs = this.#servers.get(name)?.offMs ?? 0;
      this.#setTimer(Math.max(0, off ? leftMs : budgetMs), () =>
        answer({ ok: true, value: { off, afterMs, reason: off ? '' : 'it still answers' } }),
      );
    });
  };

  /** Until the server is off, negative since; null: it has no command, or never goes down. */
  offInMs(name: string): number | null {
    const commandedMs = this.#commandedMs.get(name);
    const offMs = this.#servers.get(name)?.offMs ?? null;
    return commandedMs === undefined || offMs === null
      ? null
      : commandedMs + offMs - this.#around.monotonicMs();
  }

  /** Since the server got its command; null without one. */
  commandedAgoMs(name: string): number | null {
    const commandedMs = this.#commandedMs.get(name);
    return commandedMs === undefined ? null : this.#around.monotonicMs() - commandedMs;
  }

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
    if (behaviour.kind === 'never-ends') {
      this.#setTimer(budgetMs + tickMs, () => answer(late));
      return;
    }
    const limitMs = Math.min(work.connectTimeoutSeconds * 1000, budgetMs);
    const connectMs =
      behaviour.kind === 'hangs-in-connect' ? limitMs : Math.min(behaviour.connectMs, limitMs);
    if (!('actionMs' in behaviour) || connectMs >= limitMs) {
      this.#setTimer(connectMs, () => answer(told('unreachable', false)));
      return;
    }
    this.#setTimer(connectMs + actionsMs(work, behaviour.actionMs, budgetMs - connectMs), () => {
      const commandMs = work.commandTimeoutSeconds * 1000;
      if (!this.#asked.has(answer)) return;
      if (work.final === null) {
        const isLate = work.actions.some(({ timeoutSeconds }) => behaviour.actionMs > timeoutSeconds * 1000);
        answer(told(isLate ? 'timeout' : 'ok', false));
        return;
      }
      if (work.server === this.#delegate) {
        this.#powerOff(commandMs, answer);
        return;
      }
      this.#commandedMs.set(work.server, this.#around.monotonicMs());
      this.#told.commanded(work.server);
      const isHung = behaviour.kind === 'hangs-in-final';
      // A lost connection during the final command means that the server goes down.
      const result = isHung ? 'timeout' : behaviour.kind === 'fails' ? 'failed' : 'ok';
      this.#setTimer(isHung ? commandMs : Math.min(behaviour.finalMs, commandMs), () =>
        answer(told(result, true)),
      );
    });
  }

  #powerOff(commandMs: number, answer: (outcome: Answer) => void): void {
    const generation = this.#generation;
    void this.#told.poweredOff(commandMs).then((outcome) => {
      if (generation !== this.#generation) return;
      const isDone = outcome.kind === 'exited' && outcome.code === 0;
      answer(told(isDone ? 'ok' : outcome.kind === 'abandoned' ? 'timeout' : 'failed', true));
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
  return {
    ok: true,
    value: { result, detail: '', delivered, sent: delivered, maybeSent: false, unchecked: '', steps: [] },
  };
}
