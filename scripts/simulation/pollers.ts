// The pollers of a simulated daemon as they are when nothing is wrong with them: one per UPS, a poll every interval.
import type { UpsPolled } from '../../shared/protocol/poller.js';
import type { UpsPolicy } from '../../supervisor/policy/inputs.js';
import type { Reporter } from './firmware.js';
import type { Machine } from './machine.js';
import { polling } from './nut-server.js';
import type { ServerState, UpsSpec } from './site.js';

/** How a UPS really is at the moment of an answer. */
export interface Truth {
  /** World time. */
  readonly atMs: number;
  readonly onBattery: boolean;
  /** What has to be said of it: TEST or CAL. */
  readonly words: readonly string[];
}

/** What a poller polls, and whom it tells. */
export interface Polled {
  readonly spec: UpsSpec;
  readonly reporter: Reporter;
  server(): ServerState;
  /** The truth of this moment, which the poll that begins now is going to tell. */
  truth(): Truth;
  report(poll: UpsPolled, truth: Truth): void;
}

export class Pollers {
  readonly #machine: Machine;
  readonly #polled: ReadonlyMap<string, Polled>;
  #policies = new Map<string, UpsPolicy>();
  #life = 0;

  constructor(machine: Machine, polled: readonly Polled[]) {
    this.#machine = machine;
    this.#polled = new Map(polled.map((one) => [one.spec.policy.groupId, one]));
  }

  /** The pollers of `policies`: those that stay go on, new ones begin at once. */
  apply(policies: readonly UpsPolicy[]): void {
    const before = this.#policies;
    this.#policies = new Map(policies.map((policy) => [policy.groupId, policy]));
    for (const groupId of this.#policies.keys()) if (!before.has(groupId)) this.#poll(groupId, this.#life);
  }

  /** They die with their supervisor. */
  die(): void {
    this.#life += 1;
    this.#policies = new Map();
  }

  #poll(groupId: string, life: number): void {
    const policy = this.#policies.get(groupId);
    const target = this.#polled.get(groupId);
    if (policy === undefined || target === undefined || life !== this.#life) return;
    const truth = target.truth();
    const startedAt = this.#machine.monotonicMs();
    const { tookMs, outcome } = polling(
      target.server(),
      target.reporter,
      truth.atMs,
      target.spec.latencyMs,
      policy.pollDeadlineMs,
    );
    this.#machine.after(tookMs, () => {
      if (life !== this.#life || !this.#policies.has(groupId)) return;
      const endedAt = this.#machine.monotonicMs();
      target.report({ startedAt, endedAt, outcome }, truth);
      const dueAt = startedAt + policy.checkIntervalMs;
      this.#machine.after(Math.max(0, dueAt - endedAt), () => this.#poll(groupId, life));
    });
  }
}
