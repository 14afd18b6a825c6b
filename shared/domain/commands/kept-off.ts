// Containers that stay off at the next boot once they are stopped: an engine starts one with the restart policy `unless-stopped` only
// where nobody has stopped it.
import { listNames } from '../base/list-names.js';

export const restartPolicyFormat = '{{.Name}} {{.HostConfig.RestartPolicy.Name}}';

/** The names, from the output of `inspect` in this format. */
export function keptOffIn(output: string): readonly string[] {
  return output.split('\n').flatMap((line) => {
    const [, name] = /^\/?(\S+) unless-stopped$/.exec(line.trim()) ?? [];
    return name === undefined ? [] : [name];
  });
}

/** What a person must know of them; empty for none. */
export function keptOffText(names: readonly string[]): string {
  if (names.length === 0) return '';
  return `once stopped, these stay off at the next boot (restart policy unless-stopped): ${listNames(names)}; with the policy always they start`;
}

/** Begins a line that names a guest which HA of Proxmox was requested to keep started. */
export const haGuestMark = 'ha guest';

export function haGuestsIn(output: string): readonly string[] {
  return output.split('\n').flatMap((line) => {
    const [, id] = /^ha guest ((?:vm|ct):\d{1,9})$/.exec(line.trim()) ?? [];
    return id === undefined ? [] : [id];
  });
}

/** proxmox/pve-docs ha-manager: a stop of a guest by `qm` sets its requested state to stopped. Empty for none. */
export function haGuestsText(ids: readonly string[]): string {
  if (ids.length === 0) return '';
  return `HA keeps these, and unless it is disarmed before, their stop is a request to keep them stopped, so they stay off: ${listNames(ids)}`;
}

/** Of `docker info`. */
export const swarmFormat = 'swarm node: {{.Swarm.NodeID}}';

export function isInSwarm(output: string): boolean {
  return output.split('\n').some((line) => /^swarm node: \S/.test(line.trim()));
}

/** Of a server, which nothing sets active again after its boot. */
export const swarmText =
  'it is a node of a Docker swarm, which starts its tasks again after their stop: they end with the server. Drain it before, and set it active after its boot, where that is not enough';
