// "Phases keep their order; nothing runs without its sequence, so nothing after a cancel." Of the local group: it alone has local
// phases, and a server of it that begins with its phase begins after them.
import type { PhaseName, PlanStep } from '../../../shared/domain/outage/plan.js';
import { phaseOrder } from '../../../shared/domain/outage/plan.js';
import type { Invariant } from './invariant.js';
import { hostKey } from './step-record.js';

const local = new Set<PhaseName>([
  ...(['virtual_machines', 'containers', 'filesystem_sync', 'filesystem_unmount'] as const),
  ...(['final_sync', 'local_poweroff'] as const),
]);

export const order: Invariant = (facts) => {
  const { steps, sequences } = facts;

  /** The place of a phase of the local group; null: a step of another, or one that runs beside the phases. */
  function placeOf({ phase, action, begins }: PlanStep): number | null {
    if (begins === 'with_sequence' || action.kind === 'wall' || action.kind === 'awaitOff') return null;
    const isRemote = action.kind === 'remote';
    const isServer = isRemote && action.work.final !== null;
    const isWall = isRemote && action.work.actions.some(({ command }) => command?.includes('wall') === true);
    const isOwn = isServer
      ? facts.isLocal(facts.server(action.work.server)?.owner ?? '')
      : local.has(phase) && !(phase === 'virtual_machines' && isWall);
    return isOwn ? phaseOrder.indexOf(phase) : null;
  }

  return {
    /** Before the record has it. */
    began(step) {
      const isTry = step.action.kind === 'poweroffDelegate';
      facts.atEnd(() => {
        const isOver = facts.events.some(({ type }) => type === 'SHUTDOWN_SEQUENCE_COMPLETE');
        // The power-off is tried again after the end of its sequence.
        if (!isTry && sequences.running.length === 0 && !isOver && !sequences.hasLost)
          facts.violated('no sequence, no step', step.id);
      });
      const own = placeOf(step);
      if (own === null) return;
      const others = steps.all.flatMap((run) => {
        const place = run.step === null ? null : placeOf(run.step);
        return place === null ? [] : [{ ...run, place }];
      });
      const rule = 'phases keep their order';
      const open = others.find(({ place, endedMs }) => place < own && endedMs === null);
      if (open !== undefined) facts.violated(rule, `${step.id} began in ${open.key}`);
      const later = others.find(({ place, key }) => place > own && key !== hostKey);
      const isAgain = steps.all.some(({ mayRunAgain }) => mayRunAgain) || sequences.hasCrashed;
      if (later !== undefined && !isAgain)
        facts.atEnd(() => {
          if (facts.starts.length === 0) facts.violated(rule, `${step.id} began after ${later.key}`);
        });
    },
  };
};
