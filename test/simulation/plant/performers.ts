// The performers of a simulated daemon: the real ones with simulated dependencies, observed.
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { StepDependencies } from '../../../supervisor/engine/dependencies.js';
import { performersOf } from '../../../supervisor/daemon/performers.js';
import type { FedLoad } from '../../../supervisor/policy/view/output.js';
import type { PolicyState } from '../../../supervisor/policy/state/state.js';
import type { ActionKind } from '../../../shared/domain/actions/table.js';
import type { Performer } from '../../../supervisor/sequence/actuator.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import type { AwaitOff } from '../../../supervisor/sequence/phases/off-waits.js';
import type { ShutDownTarget } from '../../../supervisor/sequence/phases/remote-servers.js';
import type { CutOutput } from '../../../supervisor/sequence/phases/ups-output.js';
import type { SequencerDependencies } from '../../../supervisor/sequence/dependencies.js';
import { plainHost } from '../../fixtures/idle-parts.js';

export interface SimulatedDependencies extends StepDependencies {
  readonly shutDown: ShutDownTarget;
  readonly awaitOff: AwaitOff;
  readonly cut: CutOutput;
  readonly state: () => PolicyState;
  readonly loads: () => readonly FedLoad[];
  /** The daemon that started the step is alive. */
  readonly isAlive: () => boolean;
  readonly began: (step: PlanStep) => void;
  /** Null: the step was abandoned. */
  readonly ended: (step: PlanStep, outcome: StepOutcome | null) => void;
}

export function simulatedPerformers(sources: SimulatedDependencies): SequencerDependencies['performers'] {
  const real = performersOf({
    ...sources,
    host: plainHost,
    // No UPS of a site has this host as its primary.
    setFsd: () => Promise.resolve({ ok: true, value: { clients: [] } }),
    fsdNoted: () => undefined,
    // No world records who was up.
    recordOnDisk: { update: () => undefined, untilSynced: () => Promise.resolve() },
  });
  const performers = Object.entries(real) as [ActionKind, Performer<ActionKind>][];
  return Object.fromEntries(
    performers.map(([kind, performer]) => [kind, observed(sources, performer)]),
  ) as unknown as typeof real;
}

/** A step ends with its performer or with its budget; what its performer finds later still counts for its caller. */
function observed<K extends ActionKind>(
  { isAlive, began, ended }: SimulatedDependencies,
  performer: Performer<K>,
): Performer<K> {
  return (action, step, signal, found) =>
    new Promise((resolve, reject) => {
      if (!isAlive()) return;
      began(step);
      let isOver = false;
      const end = (outcome: StepOutcome | null) => {
        if (isOver || !isAlive()) return;
        isOver = true;
        ended(step, outcome);
      };
      signal.addEventListener('abort', () => end(null), { once: true });
      performer(action, step, signal, found).then((outcome) => {
        end(outcome);
        if (isAlive()) resolve(outcome);
      }, reject);
    });
}
