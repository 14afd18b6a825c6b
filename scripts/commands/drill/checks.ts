// What a drill does in place of a shutdown: looks whether each step of the plan could be done. Runs nothing that changes
// anything, here or on a server.
import type { PlanStep } from '../../../shared/domain/plan.js';
import type { pollerContract } from '../../../shared/protocol/poller.js';
import { controlFailure } from '../../../shared/protocol/poller.js';
import type { Actuator, Performer, Performers } from '../../../supervisor/sequence/actuator.js';
import { realActuator } from '../../../supervisor/sequence/actuator.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import { failed } from '../../../supervisor/sequence/outcome.js';
import { unmetNeeds } from '../../../supervisor/config/programs.js';
import type { WorkerHandle } from '../../../supervisor/worker-spec.js';

export interface CheckTools {
  /** As the configuration's reader found them on this machine. */
  readonly missingPrograms: readonly string[];
  /** Logs in, asks, and runs none of the work. */
  readonly remote: Performer<'remote'>;
  readonly poller: (groupId: string) => Pick<WorkerHandle<typeof pollerContract>, 'request'> | undefined;
}

/** Checks every step of a plan in place of doing it. */
export function checkingActuator(tools: CheckTools): Actuator {
  const program = (_: unknown, step: PlanStep) => Promise.resolve(programOf(step, tools.missingPrograms));
  const performers: Performers = {
    wall: program,
    stopVirtualMachines: program,
    stopCompose: program,
    stopContainers: program,
    sync: program,
    unmount: program,
    poweroff: program,
    remote: tools.remote,
    poweroffDelegate: ({ work }, step, signal) => tools.remote({ kind: 'remote', work }, step, signal),
    upsOutputOff: ({ ups, command }, step) => outputOf(tools.poller(ups), command, step),
  };
  return realActuator(performers);
}

/** Its programs are on this machine, and this user could have it done. */
function programOf({ action }: PlanStep, missing: readonly string[]): StepOutcome {
  const [unmet] = unmetNeeds(action, missing);
  if (unmet === undefined) return { kind: 'done' };
  return failed(`${unmet.anyOf.join(' or ')} is not installed or may not be run: ${unmet.without}`);
}

async function outputOf(
  poller: ReturnType<CheckTools['poller']>,
  command: string,
  { budgetSeconds }: PlanStep,
): Promise<StepOutcome> {
  if (poller === undefined) return failed('its UPS is not configured');
  const listed = await poller.request('commands.list', {}, budgetSeconds * 1000);
  if (!listed.ok) {
    const { code, message } = listed.error;
    // The account of the plan may cut the output and nothing else: it cannot ask what there is.
    if (code === controlFailure.notAllowed) return { kind: 'skipped', reason: `not looked at: ${message}` };
    return failed(message);
  }
  if (listed.value.commands.some(({ name }) => name === command)) return { kind: 'done' };
  return failed(`the UPS does not offer ${command}`);
}
