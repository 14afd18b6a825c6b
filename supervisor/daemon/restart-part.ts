// What this daemon knows for a restart of its host in place of a power-off: its UPSes, and the count in the recovery records.
import type { Plan } from '../../shared/domain/outage/plan.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Configuration } from '../config/configuration/configuration.js';
import { plansOf } from '../config/derive/plans.js';
import type { ShutdownEngine } from '../engine/engine.js';
import { powerIsBack } from '../policy/decision/power.js';
import type { Recovery } from '../recovery/recovery.js';
import { powersOffHost } from '../sequence/journal/fold.js';
import type { HostRestarts } from '../sequence/restart-rule.js';
import { restartUpses } from './restart-upses.js';

export interface RestartPartDependencies {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly configuration: () => Configuration;
  readonly engine: () => Pick<ShutdownEngine, 'state' | 'trouble'>;
  /** Undefined while recovery has never been enabled. */
  readonly recovery: () => Pick<Recovery, 'restarts' | 'countRestarts' | 'untilSynced'> | undefined;
  readonly isInOutage: (group: string) => boolean;
}

/** Longer than the outages of one storm are apart. After so long on line power restarts of this host are counted from 0. */
const settledMs = 900_000;

export class RestartPart implements HostRestarts {
  readonly #deps: RestartPartDependencies;
  /** Groups with power, since when. */
  readonly #backSinceMs = new Map<string, number>();

  constructor(deps: RestartPartDependencies) {
    this.#deps = deps;
  }

  isEnabled(): boolean {
    return this.#deps.configuration().recovery.enabled;
  }

  isPolicyInDoubt(): boolean {
    return this.#deps.engine().trouble !== null;
  }

  upses(): ReturnType<HostRestarts['upses']> {
    return restartUpses(this.#deps.engine().state, this.#deps.configuration().ups, this.#plans());
  }

  /** Also those that another group has asked for: the outages of several UPSes are one storm. */
  count(groups: readonly string[]): number | null {
    const recovery = this.#deps.recovery();
    const own = recovery?.restarts(groups) ?? null;
    if (recovery === undefined || own === null) return null;
    return Math.max(own, ...this.#plans().map(({ group }) => recovery.restarts([group]) ?? 0));
  }

  async keep(groups: readonly string[], number: number): Promise<void> {
    const recovery = this.#deps.recovery();
    if (recovery === undefined) throw new Error('nothing is recorded');
    recovery.countRestarts(groups, number);
    // The record of another group, which may be too large, says nothing of this host's restarts.
    await recovery.untilSynced(groups);
  }

  #plans(): readonly Plan[] {
    return plansOf(this.#deps.configuration()).filter(powersOffHost);
  }

  /** Notes whether the group is on line power, by readings of this daemon: true once it has been for long enough. Call it with each update of the record. */
  followLinePower(group: string): boolean {
    const { clock, engine, isInOutage } = this.#deps;
    const nowMs = clock.monotonicMs();
    const isBack = !isInOutage(group) && powerIsBack(engine().state, group);
    if (!isBack) this.#backSinceMs.delete(group);
    else if (!this.#backSinceMs.has(group)) this.#backSinceMs.set(group, nowMs);
    const since = this.#backSinceMs.get(group);
    return since !== undefined && nowMs - since >= settledMs;
  }
}
