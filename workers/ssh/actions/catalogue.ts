// The predefined actions by their names in the configuration (specification/remote-servers.md#actions).
import type { PreShutdownAction } from '../../../shared/domain/outage/plan.js';
import type { Action } from './action.js';
import { stopCompose, stopContainers, stopContainersRootless } from './containers.js';
import { sync, unmountFilesystems } from './filesystems.js';
import { stopEsxiVms, stopProxmoxCts, stopProxmoxVms, stopVms, stopXcpngVms } from './guests.js';

export type PredefinedAction = Exclude<PreShutdownAction['action'], 'command'>;

export const actions: Readonly<Record<PredefinedAction, Action>> = {
  sync,
  stop_containers: stopContainers,
  stop_containers_rootless: stopContainersRootless,
  stop_compose: stopCompose,
  stop_vms: stopVms,
  stop_proxmox_vms: stopProxmoxVms,
  stop_proxmox_cts: stopProxmoxCts,
  stop_xcpng_vms: stopXcpngVms,
  stop_esxi_vms: stopEsxiVms,
  unmount_filesystems: unmountFilesystems,
};
