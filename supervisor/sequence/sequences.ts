// All sequences of this daemon: the plan of every group, which of them run, and what is recorded of them.
import type { EventType } from '../../shared/domain/events.js';
import type { Plan } from '../../shared/domain/plan.js';
import type { SequenceModel } from '../../shared/domain/status-model.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Performers } from './actuator.js';
import { realActuator, rehearsal } from './actuator.js';
import { PowerOff } from './phases/power-off.js';
import type { PowerOffTools } from './phases/power-off.js';
import { tellUsers } from './phases/wall.js';
import type { SequenceObserver } from './run.js';
import { Sequence } from './run.js';

export interface SequencesTools {
  readonly run: PowerOffTools['run'];
  readonly later: PowerOffTools['later'];
  /** Of all kinds of actions but those of a host as a whole: wall and the power-off, which sequences share. */
  readonly performers: Partial<Performers>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Records an event and tells people. */
  readonly record: (group: string, type: EventType, detail: string) => void;
  /** The read model of the sequence has changed. */
  readonly changed: () => void;
  /** A sequence is over: policy re-arms the group by this and by nothing else. */
  readonly ended: (group: string, cancelled: boolean) => void;
  /** True when the group's power is confirmed to be back. */
  readonly powerIsBack: (group: string) => boolean;
}

interface SharedPowerOff {
  readonly powerOff: PowerOff;
  /** Those that have come to it. */
  readonly groups: Set<string>;
}

export class Sequences {
  readonly #tools: SequencesTools;
  #plans: ReadonlyMap<string, Plan> = new Map();
  readonly #running = new Map<string, Sequence>();
  #latest: Sequence | undefined;
  /** Shared by the sequences that run side by side now. */
  #shared: SharedPowerOff;
  /** The one that was begun last: it may still be trying. Only another power-off takes over from it. */
  #begun: PowerOff | undefined;

  constructor(tools: SequencesTools) {
    this.#tools = tools;
    this.#shared = this.#newPowerOff();
  }

  /** The plans of a newly loaded configuration. A sequence that runs keeps the plan it started with. */
  load(plans: readonly Plan[]): void {
    this.#plans = new Map(plans.map((plan) => [plan.group, plan]));
  }

  planOf(group: string): Plan | undefined {
    return this.#plans.get(group);
  }

  get active(): boolean {
    return this.#running.size > 0;
  }

  /** The host's power-off has begun: nothing is left to finish before the daemon may end. */
  get powerOffBegun(): boolean {
    return this.#shared.powerOff.begun;
  }

  /** Starts the group's plan; its first command has been started when this returns. */
  start(group: string, why: string): void {
    const plan = this.#plans.get(group);
    if (plan === undefined || this.#running.has(group)) return;
    // Sequences that run side by side share one power-off; a later one, in another outage, has its own.
    if (!this.active) this.#shared = this.#newPowerOff();
    const shared = this.#shared;
    const performers: Partial<Performers> = {
      ...this.#tools.performers,
      wall: ({ message }, _, signal) => tellUsers(this.#tools.run, message, signal),
      poweroff: (action, _, signal) => this.#begin(shared, group).perform(action, signal),
    };
    const sequence: Sequence = new Sequence(plan, {
      clock: this.#tools.clock,
      actuator: plan.dryRun ? rehearsal(this.#tools.log) : realActuator(performers),
      later: this.#tools.later,
      powerIsBack: () => this.#tools.powerIsBack(group),
      observer: this.#observe(plan, () => sequence),
    });
    this.#running.set(group, sequence);
    this.#latest = sequence;
    const mode = plan.dryRun ? ' (dry run: nothing is really run)' : '';
    const text = `shutdown sequence of ${plan.label} started${mode}: ${why}`;
    this.#tools.log.warning(text, { category: 'shutdown', group });
    sequence.start();
  }

  powerReturned(group: string): void {
    this.#running.get(group)?.powerReturned();
  }

  /** Calls off every running sequence that still can be; the groups whose sequence was cancelled. */
  cancel(principal: string): readonly string[] {
    const running = [...this.#running].filter(([, sequence]) => sequence.cancel(`cancelled by ${principal}`));
    return running.map(([group]) => group);
  }

  model(): SequenceModel {
    return this.#latest?.model() ?? { active: false };
  }

  /** The daemon ends. */
  stop(): void {
    this.#shared.powerOff.stop();
    this.#begun?.stop();
  }

  /** The group has come to its power-off: that of an earlier outage, which may still be trying, has had its time. */
  #begin({ powerOff, groups }: SharedPowerOff, group: string): PowerOff {
    groups.add(group);
    if (this.#begun !== powerOff) this.#begun?.stop();
    this.#begun = powerOff;
    return powerOff;
  }

  #observe(plan: Plan, sequence: () => Sequence): SequenceObserver {
    const { record, changed } = this.#tools;
    const { group } = plan;
    return {
      changed,
      phaseStarted: (phase) => {
        record(group, 'SHUTDOWN_PHASE_STARTED', `${phase.name} of ${plan.label}`);
      },
      phaseFinished: (phase, failed) => {
        const outcome = failed === 0 ? 'every step done' : `${String(failed)} steps failed`;
        record(group, 'SHUTDOWN_PHASE_FINISHED', `${phase.name} of ${plan.label}: ${outcome}`);
      },
      stepFailed: (step, reason) => {
        record(group, 'SHUTDOWN_STEP_FAILED', `${step.id} (${step.target}): ${reason}`);
      },
      finished: () => {
        this.#running.delete(group);
        this.#finished(plan, sequence());
      },
    };
  }

  #finished(plan: Plan, { state, powerBack }: Sequence): void {
    const cancelled = state.kind === 'cancelled';
    const dry = plan.dryRun ? ' (dry run)' : '';
    if (cancelled)
      this.#tools.record(plan.group, 'SHUTDOWN_CANCELLED', `${plan.label}: ${state.reason}${dry}`);
    else {
      const back = powerBack ? '; power was back before the end' : '';
      const what =
        plan.phases.length === 0 ? 'nothing is configured to be shut down' : 'all phases have ended';
      this.#tools.record(plan.group, 'SHUTDOWN_SEQUENCE_COMPLETE', `${plan.label}: ${what}${back}${dry}`);
    }
    this.#tools.ended(plan.group, cancelled);
  }

  #newPowerOff(): SharedPowerOff {
    const { run, later, record, powerIsBack } = this.#tools;
    const groups = new Set<string>();
    const powerOff = new PowerOff({
      run,
      later,
      failed: (reason) => record('daemon', 'SHUTDOWN_STEP_FAILED', `power-off of this host: ${reason}`),
      powerIsBack: () => [...groups].every(powerIsBack),
    });
    return { powerOff, groups };
  }
}
