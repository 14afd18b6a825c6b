// "Phases keep their order; nothing runs without its sequence, so nothing after a cancel." Of the local group: it alone has local
// phases, and a server of it that begins with its phase begins after them.
import type { PlanStep, PhaseName } from '../../../shared/domain/outage/plan.js';
import { phaseOrder } from '../../../shared/domain/outage/plan.js';
import { Invariant } from './invariant.js';
import type { StepRun } from './step-record.js';
import { hostKey } from './step-record.js';

export class Order extends Invariant {
  /** Steps that began in this input, before the event of their sequence. */
  #begun: PlanStep[] = [];
  #backwards: string[] = [];

  /** Before the record has it. */
  began(step: PlanStep): void {
    this.#begun.push(step);
    const place = this.#placeOf(step);
    if (place === null) return;
    const others = this.facts.steps.all.flatMap((run) => {
      const other = run.step === null ? null : this.#placeOf(run.step);
      return other === null ? [] : [{ run, place: other }];
    });
    const open = others.find((other) => other.place < place && other.run.endedMs === null);
    if (open !== undefined)
      this.facts.violated('phases keep their order', `${step.id} began in ${open.run.key}`);
    const later = others.find((other) => other.place > place && isOfThis(other.run));
    const isAgain = this.facts.steps.all.some(({ mayRunAgain }) => mayRunAgain) || this.#hasCrashed();
    if (later !== undefined && !isAgain) this.#backwards.push(`${step.id} began after ${later.run.key}`);
  }

  checked(): void {
    const { running } = this.facts.sequences;
    const isOver = this.facts.events.some(({ type }) => type === 'SHUTDOWN_SEQUENCE_COMPLETE');
    const isNew = this.facts.events.some(({ type }) => type === 'SHUTDOWN_TRIGGERED');
    for (const text of isNew ? [] : this.#backwards) this.facts.violated('phases keep their order', text);
    this.#backwards = [];
    // The power-off is tried again after the end of its sequence.
    const first = this.#begun.find(({ action }) => action.kind !== 'poweroffDelegate');
    if (first !== undefined && running.length === 0 && !isOver && !this.facts.sequences.hasLost)
      this.facts.violated('no sequence, no step', first.id);
    this.#begun = [];
  }

  daemonDied(): void {
    this.#begun = [];
    this.#backwards = [];
  }

  #hasCrashed(): boolean {
    return this.facts.sequences.running.some(({ crashes }) => crashes > 0);
  }

  /** The place of a phase of the local group; null: a step of another, or one that runs beside the phases. */
  #placeOf({ phase, action, begins }: PlanStep): number | null {
    if (begins === 'with_sequence' || action.kind === 'wall' || action.kind === 'awaitOff') return null;
    const place = phaseOrder.indexOf(phase);
    if (action.kind === 'remote' && action.work.final !== null) {
      const { servers } = this.facts.world.site.plant;
      const owner = servers.find(({ name }) => name === action.work.server)?.owner;
      return this.#isLocal(owner ?? '') ? place : null;
    }
    return local.has(phase) &&
      !(phase === 'virtual_machines' && action.kind === 'remote' && isWall(action.work))
      ? place
      : null;
  }

  #isLocal(group: string): boolean {
    return this.facts.policy(group)?.isLocal === true || this.facts.group(group)?.isLocal === true;
  }
}

const local = new Set<PhaseName>([
  'virtual_machines',
  'containers',
  'filesystem_sync',
  'filesystem_unmount',
  'final_sync',
  'local_poweroff',
]);

const isOfThis = ({ key }: StepRun): boolean => key !== hostKey;
const isWall = ({ actions }: { readonly actions: readonly { readonly command: string | null }[] }): boolean =>
  actions.some(({ command }) => command?.includes('wall') === true);
