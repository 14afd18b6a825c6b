// The performers of all that is done on this host itself, and by its UPS. Remote servers are another worker's.
import type { Performers } from './actuator.js';
import { composePerformer } from './phases/compose.js';
import { containerPerformer } from './phases/containers.js';
import { syncPerformer, unmountPerformer } from './phases/filesystems.js';
import type { LocalDependencies } from './phases/local-calls.js';
import type { UpsOutputs } from './phases/ups-output.js';
import { upsOutputPerformer } from './phases/ups-output.js';
import { virtualMachinePerformer } from './phases/virtual-machines.js';

type LocalKind =
  'stopVirtualMachines' | 'stopCompose' | 'stopContainers' | 'sync' | 'unmount' | 'upsOutputOff';

export function localPerformers(tools: LocalDependencies, outputs: UpsOutputs): Pick<Performers, LocalKind> {
  return {
    stopVirtualMachines: virtualMachinePerformer(tools),
    stopCompose: composePerformer(tools),
    stopContainers: containerPerformer(tools),
    sync: syncPerformer(tools),
    unmount: unmountPerformer(tools),
    upsOutputOff: upsOutputPerformer(outputs),
  };
}
