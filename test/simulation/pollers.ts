// The pollers of a simulated daemon without supervision: one per UPS, a poll every interval, no faults.
import type { Configuration } from '../../supervisor/config/configuration/configuration.js';
import type { UpsSettings } from '../../supervisor/policy/base/inputs.js';
import type { PollerFleet, Polled } from './poller-fleet.js';
import type { Machine } from './machine.js';
import { polling } from './nut-server.js';

export class Pollers implements PollerFleet {
  readonly #machine: Machine;
  readonly #polled: ReadonlyMap<string, Polled>;
  #policies = new Map<string, UpsSettings>();
  #generation = 0;

  constructor(machine: Machine, polled: readonly Polled[]) {
    this.#machine = machine;
    this.#polled = new Map(polled.map((one) => [one.spec.policy.groupId, one]));
  }

  apply({ ups }: Configuration): void {
    const before = this.#policies;
    this.#policies = new Map(ups.map(({ policy }) => [policy.groupId, policy]));
    for (const groupId of this.#policies.keys())
      if (!before.has(groupId)) this.#poll(groupId, this.#generation);
  }

  /** They keep themselves alive. */
  tick(): boolean {
    return true;
  }

  fault(): void {
    // Nothing is ever wrong with them: workers that fail are those of the real supervision.
  }

  die(): void {
    this.#generation += 1;
    this.#policies = new Map();
  }

  #poll(groupId: string, generation: number): void {
    const policy = this.#policies.get(groupId);
    const target = this.#polled.get(groupId);
    if (policy === undefined || target === undefined || generation !== this.#generation) return;
    const startedAt = this.#machine.monotonicMs();
    const { tookMs, outcome } = polling(
      target.server(),
      target.reporter,
      target.truth().atMs,
      target.spec.latencyMs,
      policy.pollDeadlineMs,
    );
    // After the answer: the truth knows the sample that the driver shows.
    const truth = target.truth();
    this.#machine.after(tookMs, () => {
      if (generation !== this.#generation || !this.#policies.has(groupId)) return;
      const endedAt = this.#machine.monotonicMs();
      target.report({ startedAt, endedAt, outcome }, truth);
      const dueAt = startedAt + policy.checkIntervalMs;
      this.#machine.after(Math.max(0, dueAt - endedAt), () => this.#poll(groupId, generation));
    });
  }
}
