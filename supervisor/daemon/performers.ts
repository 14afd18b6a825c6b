// Chooses what performs an action of a real sequence: this host's programs, the pollers, the remote worker. wall, tries and
// power-off are of sequence/ (sequences.ts, last-steps.ts). Wiring only.
import type { Configuration } from '../config/configuration/configuration.js';
import type { StepDependencies } from '../engine/dependencies.js';
import {
  guardAwaitOff,
  guardOutputs,
  guardSecondaries,
  guardShutDown,
} from '../engine/guarded-dependencies.js';
import type { HostFacts } from '../host/host-facts.js';
import type { FedLoad } from '../policy/view/output.js';
import { needsNoForcedShutdown, outputStaysOn } from '../policy/view/output.js';
import type { PolicyState } from '../policy/state/state.js';
import { plansOf } from '../config/derive/plans.js';
import { kindOf } from '../../shared/domain/actions/table.js';
import { localPerformers } from '../sequence/local-performers.js';
import type { RecordOnDisk } from '../sequence/phases/keep-record.js';
import { keepRecordPerformer } from '../sequence/phases/keep-record.js';
import type { AwaitOff } from '../sequence/phases/off-waits.js';
import { offWaitPerformer } from '../sequence/phases/off-waits.js';
import type { NutSecondaries, SetFsd } from '../sequence/phases/nut-secondaries.js';
import { secondariesPerformer } from '../sequence/phases/nut-secondaries.js';
import type { ShutDownTarget } from '../sequence/phases/remote-servers.js';
import { remotePerformer } from '../sequence/phases/remote-servers.js';
import type { CutOutput } from '../sequence/phases/ups-output.js';
import type { SequencerDependencies } from '../sequence/dependencies.js';

/** A warning at start for configured actions that cannot reach the host from this container; null for none. */
export function hostWarning({ warning }: HostFacts, configuration: Configuration): string | null {
  const steps = plansOf(configuration).flatMap(({ phases }) => phases.flatMap((phase) => phase.steps));
  return steps.some(({ action }) => kindOf(action).runsInMounts) ? warning : null;
}

export interface PerformerDependencies extends StepDependencies {
  readonly host: HostFacts;
  readonly cut: CutOutput;
  readonly shutDown: ShutDownTarget;
  readonly awaitOff: AwaitOff;
  readonly state: () => PolicyState;
  readonly loads: () => readonly FedLoad[];
  readonly setFsd: SetFsd;
  readonly fsdNoted: NutSecondaries['noted'];
  readonly recordOnDisk: RecordOnDisk;
}

/** The performers of a daemon. Everything they call besides the dependencies of a step is guarded here. */
export function performersOf(deps: PerformerDependencies): SequencerDependencies['performers'] {
  const { guard, host, cut, shutDown, awaitOff, state, loads, setFsd, fsdNoted, recordOnDisk, ...stepDeps } =
    deps;
  const { clock, setTimer } = stepDeps;
  const staysOn = (ups: string) => outputStaysOn(state(), ups, loads());
  const remote = remotePerformer({ shutDown: guardShutDown(guard, shutDown), clock, setTimer });
  return {
    ...localPerformers({ ...stepDeps, host }, guardOutputs(guard, { cut, staysOn })),
    forceShutdown: secondariesPerformer(
      { clock, setTimer },
      guardSecondaries(guard, {
        needsNone: (ups) => needsNoForcedShutdown(state(), ups),
        noted: fsdNoted,
        set: setFsd,
      }),
    ),
    remote,
    keepRecord: keepRecordPerformer(recordOnDisk),
    awaitOff: offWaitPerformer({ awaitOff: guardAwaitOff(guard, awaitOff), clock, setTimer }),
    poweroffDelegate: remote,
  };
}
