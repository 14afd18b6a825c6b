// What `virsh domstate --reason` says of a guest, in the locale C, and what it needs before it can shut down
// (specification/sequence.md#virtual-machines). Pure.

export type GuestState =
  /** A shutdown request reaches it. */
  | { readonly kind: 'runs' }
  /** Paused by a person or at its start: resumed. */
  | { readonly kind: 'paused' }
  /** In its own power management (S3): woken. */
  | { readonly kind: 'asleep' }
  /** Paused by work on it. Resuming the source of a migration destroys its disk. */
  | { readonly kind: 'held'; readonly why: string };

/** The names of libvirt's virDomainPausedReason, as virsh prints them; old versions print none. */
const resumable: ReadonlySet<string> = new Set(['', 'unknown', 'user', 'starting up']);
/** It does not run again, whatever is done: destroyed as one that ignores its request. */
const dead: ReadonlySet<string> = new Set(['crashed', 'shutting down']);

export function guestState(printed: string): GuestState {
  const [, state = '', reason = ''] = /^\s*(.*?)\s*(?:\((.*)\))?\s*$/s.exec(printed) ?? [];
  if (state === 'pmsuspended') return { kind: 'asleep' };
  if (state !== 'paused' || dead.has(reason)) return { kind: 'runs' };
  return resumable.has(reason) ? { kind: 'paused' } : { kind: 'held', why: `paused: ${reason}` };
}
