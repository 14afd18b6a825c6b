// Builds the shutdown plan of a group as a value. Pure: the API shows it; the sequencer, a dry run and a drill run it
// with different actuators.
import type { Plan, PlanStep } from '../../../shared/domain/outage/plan.js';
import { delegateFinalSync, delegatePoweroff, delegateSteps, delegateWall } from './delegate-steps.js';
import { containerSteps, recordStep, syncStep, unmountSteps, virtualMachineSteps } from './local-steps.js';
import { powerdownFlagStep, poweroffStep, secondariesStep, upsOutputStep, wallStep } from './power-steps.js';
import { remoteSteps } from './remote-steps.js';
import type { PlanSettings } from './settings.js';
import { timed } from './timing.js';
import { withFollows, withTries } from './waits.js';

/** The plan of one group. A group that shuts nothing down has a plan without phases. */
export function planOf(settings: PlanSettings): Plan {
  const { delegate, powersOffHost } = settings;
  const local = localSteps(settings);
  const remote = remoteSteps(settings);
  const steps = [
    ...local,
    ...remote,
    ...finalSync(settings, local, remote),
    ...(powersOffHost && settings.keepsRecord ? [recordStep()] : []),
    ...(powersOffHost
      ? settings.primaries.map((primary) => secondariesStep(primary, settings.hostsyncSeconds))
      : []),
    ...(powersOffHost && settings.powerdownFlag !== null ? [powerdownFlagStep(settings.powerdownFlag)] : []),
    ...settings.upsOutputs.map(upsOutputStep),
    ...(powersOffHost
      ? [delegate === null ? poweroffStep(settings) : delegatePoweroff(delegate, settings)]
      : []),
  ];
  const plan = timed(settings, steps);
  const first = plan.phases[0];
  if (first === undefined || !powersOffHost || !settings.poweroff.wall) return withWaitsAndTries(plan);
  const wall =
    delegate === null ? wallStep(settings, first.name) : delegateWall(delegate, settings, first.name);
  return withWaitsAndTries(timed(settings, [wall, ...steps]));
}

function withWaitsAndTries(plan: Plan): Plan {
  const tried = timed(plan, withTries(plan));
  return timed(tried, withFollows(tried));
}

function localSteps({ local, delegate, powersOffHost }: PlanSettings): readonly PlanStep[] {
  if (local === null) return [];
  const stops = [...virtualMachineSteps(local), ...containerSteps(local)];
  const unmounts = unmountSteps(local);
  // Synced only if something on this host ends.
  const sync = local.sync && (powersOffHost || stops.length > 0 || unmounts.length > 0);
  if (delegate !== null) return delegateSteps(delegate, { ...local, sync });
  return [...stops, ...(sync ? [syncStep('filesystem_sync')] : []), ...unmounts];
}

/** A second sync before the power-off, if anything may have written since the first. */
function finalSync(
  { local, delegate, powersOffHost }: PlanSettings,
  before: readonly PlanStep[],
  remote: readonly PlanStep[],
): readonly PlanStep[] {
  if (local?.sync !== true || !powersOffHost) return [];
  const between = remote.length > 0 || before.some(({ phase }) => phase === 'filesystem_unmount');
  if (!between) return [];
  return [delegate === null ? syncStep('final_sync') : delegateFinalSync(delegate)];
}
