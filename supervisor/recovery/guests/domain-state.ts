// What libvirt says of a guest. It has no date of a start, and knows how a guest ended until it restarts. Pure.
import { singleLine } from '../../../shared/domain/base/single-line.js';
import type { Verdict } from './verdict.js';

const active = new Set(['running', 'idle', 'paused', 'in shutdown', 'pmsuspended']);

/** Of `virsh domstate --reason`, which is `STATE (REASON)`. Without the disks. `isOtherBoot`: the guest was stopped before its machine booted. */
export function domainVerdict(text: string, isOtherBoot: boolean): Verdict {
  const [, state, reason] = /^([a-z ]+?)(?: \(([^()]*)\))?$/.exec(text.trim()) ?? [];
  if (state !== undefined && active.has(state)) return { kind: 'runs' };
  if (state !== 'shut off') return { kind: 'stays', why: `its state is ${singleLine(text.trim())}` };
  if (reason === 'migrated') return { kind: 'over', why: 'it was migrated to another host' };
  // After a boot the reason of one that was not started since is `unknown`.
  return isOtherBoot && (reason === 'shutdown' || reason === 'destroyed')
    ? { kind: 'over', why: 'it was started since, and has ended again' }
    : { kind: 'start', after: [] };
}
