// The predefined actions on a server by their names in the configuration (specification/remote-servers.md#actions). To add one,
// write its file and its line here.
import { stopComposeOnServer } from './compose.js';
import { stopContainersOnServer, stopRootlessOnServer } from './containers.js';
import { stopEsxiVms } from './esxi.js';
import { stopProxmoxCts, stopProxmoxVms } from './proxmox.js';
import type { ServerAction } from './server-action.js';
import { syncOnServer } from './sync.js';
import { unmountOnServer } from './unmount.js';
import { stopVmsOnServer } from './virtual-machines.js';
import { stopXcpngVms } from './xcpng.js';

const table = {
  sync: syncOnServer,
  stop_containers: stopContainersOnServer,
  stop_containers_rootless: stopRootlessOnServer,
  stop_compose: stopComposeOnServer,
  stop_vms: stopVmsOnServer,
  stop_proxmox_vms: stopProxmoxVms,
  stop_proxmox_cts: stopProxmoxCts,
  stop_xcpng_vms: stopXcpngVms,
  stop_esxi_vms: stopEsxiVms,
  unmount_filesystems: unmountOnServer,
};

export type ServerActionName = keyof typeof table;
export const serverActions: Readonly<Record<ServerActionName, ServerAction>> = table;
/** In the order of the messages. */
export const serverActionNames = Object.keys(table) as readonly ServerActionName[] as readonly [
  ServerActionName,
  ...ServerActionName[],
];
