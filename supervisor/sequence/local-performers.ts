// The performers of steps on this host and its UPS. Remote servers have their own performer.
import type { Performers } from './actuator.js';
import { composePerformer } from './phases/compose.js';
import { containerPerformer } from './phases/containers.js';
import { syncPerformer } from './phases/sync.js';
import { unmountPerformer } from './phases/unmount.js';
import type { LocalDependencies } from './phases/local-calls.js';
import { powerdownFlagPerformer } from './phases/powerdown-flag.js';
import type { UpsOutputs } from './phases/ups-output.js';
import { upsOutputPerformer } from './phases/ups-output.js';
import { virtualMachinePerformer } from './phases/virtual-machines.js';

export function localPerformers(deps: LocalDependencies, outputs: UpsOutputs) {
  return {
    stopVirtualMachines: virtualMachinePerformer(deps),
    stopCompose: composePerformer(deps),
    stopContainers: containerPerformer(deps),
    sync: syncPerformer(deps),
    unmount: unmountPerformer(deps),
    powerdownFlag: powerdownFlagPerformer(deps),
    upsOutputOff: upsOutputPerformer(outputs),
  } satisfies Partial<Performers>;
}
