// The actuator of a drill: checks that each step of the plan could run. Changes nothing, here or on a server.
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { OutputReturn } from '../../../shared/domain/ups/output-return.js';
import type { pollerContract } from '../../../shared/protocol/poller.js';
import { controlFailure } from '../../../shared/protocol/poller.js';
import type { Need } from '../../../shared/domain/actions/kind.js';
import type { ActionOf } from '../../../shared/domain/actions/table.js';
import { actionKinds, kindOf } from '../../../shared/domain/actions/table.js';
import type { Actuator, Performer, Performers } from '../../../supervisor/sequence/actuator.js';
import { realActuator, sameFor } from '../../../supervisor/sequence/actuator.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import { failureOf } from '../../../supervisor/sequence/outcome.js';
import type { ContainerAction } from '../../../supervisor/sequence/phases/kept-off.js';
import { unmetNeeds } from '../../../supervisor/config/programs/programs.js';
import type { WorkerHandle } from '../../../supervisor/supervision/worker-spec.js';

export interface CheckDependencies {
  /** From the reader of the configuration, which every drill starts. */
  readonly missingPrograms: readonly string[];
  /** The programs with which the poller of a UPS cuts its output. */
  readonly needsOfUps: (groupId: string) => readonly Need[];
  /** What a person must know of the containers of this host that the step stops; empty for nothing. */
  readonly remarks: (action: ContainerAction) => Promise<string>;
  readonly remote: Performer<'remote'>;
  /** What the UPS shows of the return of its output. */
  readonly judged: (cut: ActionOf<'upsOutputOff'>, output: OutputReturn) => void;
  readonly poller: (groupId: string) => Pick<WorkerHandle<typeof pollerContract>, 'request'> | undefined;
}

export function checkingActuator(deps: CheckDependencies): Actuator {
  const program = ({ action }: PlanStep): StepOutcome => {
    const needs = kindOf(action).needs(action);
    return needs.length === 0 ? nothingToDo : programOf(needs, deps.missingPrograms);
  };
  const local = (_: unknown, step: PlanStep) => Promise.resolve(program(step));
  const containers = async (action: ContainerAction, step: PlanStep): Promise<StepOutcome> => {
    const found = program(step);
    const detail = found.kind === 'done' ? await deps.remarks(action) : '';
    return detail === '' ? found : { kind: 'done', detail };
  };
  const own: Partial<Performers> = {
    stopCompose: containers,
    stopContainers: containers,
    remote: deps.remote,
    poweroffDelegate: ({ work }, step, signal, found) =>
      deps.remote({ kind: 'remote', work }, step, signal, found),
    upsOutputOff: (action, step) => {
      const found = programOf(deps.needsOfUps(action.ups), deps.missingPrograms);
      return found.kind === 'done' ? outputOf(action, deps, step) : Promise.resolve(found);
    },
  };
  return realActuator({ ...sameFor(actionKinds, local), ...own });
}

/** Without programs there is nothing that a drill could check. */
const nothingToDo: StepOutcome = { kind: 'skipped', reason: 'not part of a drill' };

/** Its programs are on this machine and executable for this user. */
function programOf(needs: readonly Need[], missing: readonly string[]): StepOutcome {
  const [unmet] = unmetNeeds(needs, missing);
  if (unmet === undefined) return { kind: 'done' };
  return failureOf(`${unmet.anyOf.join(' or ')} is not installed or may not be run: ${unmet.without}`);
}

/** The command is offered; the detail says why the output may stay off when mains is back. */
async function outputOf(
  action: ActionOf<'upsOutputOff'>,
  { poller: pollerOf, judged }: CheckDependencies,
  { budgetSeconds }: PlanStep,
): Promise<StepOutcome> {
  const poller = pollerOf(action.ups);
  if (poller === undefined) return failureOf('its UPS is not configured');
  const checked = await poller.request('output.check', {}, budgetSeconds * 1000);
  if (!checked.ok && checked.error.code === controlFailure.unsupported)
    judged(action, { verdict: 'may_not_return', reason: checked.error.message });
  if (!checked.ok) return failureOf(checked.error.message);
  judged(action, checked.value);
  const { verdict, reason } = checked.value;
  if (verdict === 'returns') return { kind: 'done' };
  const word = verdict === 'unknown' ? 'not known whether it comes back' : 'may not come back';
  return { kind: 'done', detail: `${word}: ${reason}` };
}
