// The steps that daemons began and ended on this boot, by what they act on.
import type { CommandLine } from '../../../shared/domain/commands/command-line.js';
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';
import type { CommandOutcome } from '../../../supervisor/host/run-command.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import { isPowerOff } from '../configuration.js';
import type { Observer } from '../observer.js';
import type { Moment } from './moment.js';
import type { SequenceRecord } from './sequence-record.js';

export interface StepRun {
  readonly key: string;
  /** Null: a single command, the power-off of this host. */
  readonly step: PlanStep | null;
  readonly by: object;
  readonly beganMs: number;
  /** The first begin, and the budget of then: a restart leaves the rest of it. */
  readonly firstBeganMs: number;
  readonly budgetMs: number;
  readonly endedMs: number | null;
  readonly outcome: StepOutcome | null;
  /** The daemon died in it, or its record may be missing on the disk. */
  readonly mayRunAgain: boolean;
}

export const hostKey = 'host';
export const serverKey = (server: string): string => `server ${server}`;

export function keyOf({ id, action }: PlanStep): string {
  if (action.kind === 'remote' && action.work.final !== null) return serverKey(action.work.server);
  if (action.kind === 'awaitOff') return `off ${action.server}`;
  if (action.kind === 'upsOutputOff') return `output ${action.ups}`;
  return action.kind === 'poweroffDelegate' ? hostKey : id;
}

export class StepRecord implements Partial<Observer> {
  readonly #moment: Moment;
  readonly #sequences: SequenceRecord;
  readonly #runs = new Map<string, StepRun>();
  /** Of sequences that had ended when another outage began. */
  readonly #former = new Map<string, StepRun>();
  /** Monotonic ms of the last begin or end of any step. */
  movedMs = -Infinity;
  /** When each server got its final command on this boot. */
  readonly commandedMs = new Map<string, number>();

  constructor(moment: Moment, sequences: SequenceRecord) {
    this.#moment = moment;
    this.#sequences = sequences;
  }

  get all(): readonly StepRun[] {
    return [...this.#runs.values()];
  }

  get running(): readonly StepRun[] {
    return this.all.filter(({ endedMs }) => endedMs === null);
  }

  of(key: string): StepRun | undefined {
    return this.#runs.get(key);
  }

  /** The run of a step that has not ended; undefined: another has begun since. */
  open(step: PlanStep): StepRun | undefined {
    const run = this.of(keyOf(step));
    return run?.by === step && run.endedMs === null ? run : undefined;
  }

  began(step: PlanStep): void {
    this.#begin(keyOf(step), step, step);
  }

  ran(command: CommandLine): void {
    if (isPowerOff(command)) this.#begin(hostKey, null, command);
  }

  ended(step: PlanStep, outcome: StepOutcome | null): void {
    this.#end(step, outcome);
  }

  commandEnded(outcome: CommandOutcome, command: CommandLine): void {
    if (!isPowerOff(command)) return;
    const isDone = outcome.kind === 'exited' && outcome.code === 0;
    this.#end(command, isDone ? { kind: 'done' } : null);
  }

  commanded(server: string): void {
    this.commandedMs.set(server, this.#moment.nowMs);
  }

  /** What another outage begins again. Its first steps have begun before its event. */
  recorded({ type, source }: RecordedEvent): void {
    if (type === 'SHUTDOWN_RESUMED') this.#restore(source);
    if (type !== 'SHUTDOWN_TRIGGERED') return;
    const { nowMs } = this.#moment;
    const isAnother = this.#sequences.last(source) !== undefined || this.#sequences.running.length === 0;
    if (!isAnother) return;
    const isBeside = this.#sequences.running.length > 0;
    for (const run of this.all) {
      if (run.beganMs === nowMs) {
        const budgetMs = (run.step?.budgetSeconds ?? 0) * 1000;
        this.#runs.set(run.key, { ...run, firstBeganMs: nowMs, budgetMs });
      }
      if (run.endedMs === null || run.beganMs === nowMs) continue;
      // What an open sequence shares stays done; which of them it shares is not said here.
      if (isBeside) this.#runs.set(run.key, { ...run, mayRunAgain: true, firstBeganMs: Infinity });
      else {
        this.#former.set(run.key, run);
        this.#runs.delete(run.key);
      }
    }
  }

  /** The end of a resumed sequence is not on the disk: what another outage began again was still of this one. */
  #restore(group: string): void {
    const sequence = this.#sequences.last(group);
    if (sequence === undefined) return;
    const endedMs = sequence.endedMs ?? Infinity;
    for (const run of this.#former.values())
      if (run.beganMs >= sequence.sinceMs && run.beganMs <= endedMs && !this.#runs.has(run.key))
        this.#runs.set(run.key, { ...run, mayRunAgain: true, firstBeganMs: Infinity });
  }

  daemonDied(isWithin: boolean): void {
    const { nowMs, world, writtenMs } = this.#moment;
    for (const run of this.all) {
      const isUnwritten = world.tmpfs.full || (isWithin && run.endedMs === nowMs);
      // Of a begin that is not on the disk the next daemon knows nothing.
      const isKnown = run.firstBeganMs < writtenMs || (!isWithin && writtenMs === nowMs);
      const firstBeganMs = isKnown ? run.firstBeganMs : Infinity;
      if (run.endedMs === null || isUnwritten)
        this.#runs.set(run.key, { ...run, endedMs: run.endedMs ?? nowMs, mayRunAgain: true, firstBeganMs });
    }
  }

  /** The next daemon may know of no step. */
  lost(): void {
    for (const { key, endedMs } of this.all) if (endedMs !== null) this.#runs.delete(key);
  }

  hostDown(): void {
    this.#runs.clear();
    this.#former.clear();
    this.commandedMs.clear();
    this.movedMs = -Infinity;
  }

  #begin(key: string, step: PlanStep | null, by: object): void {
    const { nowMs } = this.#moment;
    const before = this.#runs.get(key);
    // Each sequence has its own wait for a server.
    if (before?.endedMs === null)
      this.#runs.set(`${key}, of another`, { ...before, key: `${key}, of another` });
    const goesOn = before?.mayRunAgain === true && before.firstBeganMs !== Infinity;
    const firstBeganMs = goesOn ? before.firstBeganMs : nowMs;
    const budgetMs = goesOn ? before.budgetMs : (step?.budgetSeconds ?? 0) * 1000;
    this.movedMs = nowMs;
    this.#runs.set(key, {
      ...{ key, step, by, firstBeganMs, budgetMs, beganMs: nowMs },
      ...{ endedMs: null, outcome: null, mayRunAgain: false },
    });
  }

  #end(by: object, outcome: StepOutcome | null): void {
    const run = this.all.find((one) => one.by === by && one.endedMs === null);
    if (run === undefined) return;
    const { nowMs, world } = this.#moment;
    const isUnwritten = world.tmpfs.full || world.daemon.stalled;
    this.movedMs = nowMs;
    this.#runs.set(run.key, { ...run, endedMs: nowMs, outcome, mayRunAgain: isUnwritten });
  }
}
