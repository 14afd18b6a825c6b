// What a predefined action on a server is (specification/remote-servers.md#actions): a script for a POSIX shell, and the commands
// that a drill checks. The script is text: the SSH client of a worker runs it, and nothing else does.
import * as t from 'io-ts';
import { finite } from '../base/units.js';
import type { ContainerRuntime } from './container-runtime.js';

/** A compose project by its file or folder, with its timeout. */
export const ComposeProject = t.readonly(t.type({ path: t.string, timeoutSeconds: finite }));
export const Mount = t.readonly(t.type({ path: t.string, options: t.string }));

/** An action of the plan with its remaining time, which may be less than its timeout. */
export interface ActionOrder {
  /** Stopped side by side. */
  readonly projects: readonly t.TypeOf<typeof ComposeProject>[];
  readonly mounts: readonly t.TypeOf<typeof Mount>[];
  /** `containers.runtime` and `virtual_machines.uri` on a delegate; null: the engine and libvirt that the login finds. */
  readonly runtime: ContainerRuntime | null;
  readonly uri: string | null;
  readonly useSudo: boolean;
  readonly seconds: number;
  /** The container of this daemon, which is never stopped. */
  readonly ownContainer: string | null;
}

export interface ServerAction {
  /** Lines for `script` of workers/ssh/shell.ts. They report on standard output and end with `finish STATUS`. */
  lines(order: ActionOrder): readonly string[];
  /** Commands it would run; one of each list must exist. Arguments as in a sudo rule. */
  needs(action: Pick<ActionOrder, 'runtime'>): readonly (readonly string[])[];
  /** Lines for a drill that print `inspect` of the containers it would stop; changes nothing. */
  policies?(order: ActionOrder): readonly string[];
}
