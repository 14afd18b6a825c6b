// What a predefined action on a server is (specification/remote-servers.md#actions): a script for a POSIX shell, and the commands
// that a drill checks. The script is text: the SSH client of a worker runs it, and nothing else does.
import * as t from 'io-ts';
import { finite, oneOf, orNull } from '../base/units.js';

/** The container engine; `auto`: containers of all engines, and podman's compose programs before docker's. */
export const ContainerRuntime = oneOf('auto', 'podman', 'docker');
export type ContainerRuntime = t.TypeOf<typeof ContainerRuntime>;

/** The parameters of actions: each takes what it needs. */
export const parameters = {
  /** Compose projects by their files or folders, stopped side by side. */
  projects: t.readonlyArray(t.readonly(t.type({ path: t.string, timeoutSeconds: finite }))),
  mounts: t.readonlyArray(t.readonly(t.type({ path: t.string, options: t.string }))),
  /** `containers.runtime` and `virtual_machines.uri` on a delegate; null: the engine and libvirt that the login finds. */
  runtime: orNull(ContainerRuntime),
  uri: orNull(t.string),
};

/** An action of the plan with its remaining time, which may be less than its timeout. */
export interface ActionOrder extends Readonly<t.TypeOf<t.TypeC<typeof parameters>>> {
  readonly useSudo: boolean;
  readonly seconds: number;
  /** The container of this daemon, which is never stopped. */
  readonly ownContainer: string | null;
  /** Begins each line that names a guest it found running. Random for each run: no name of a guest can begin one. */
  readonly ranMark: string;
}

export interface ServerAction {
  /** Lines for `script` of workers/ssh/shell.ts. They report on standard output and end with `finish STATUS`. */
  lines(order: ActionOrder): readonly string[];
  /** Commands it would run, one of which must exist. Arguments as in a sudo rule. */
  needs(action: Pick<ActionOrder, 'runtime'>): readonly string[];
  /** The commands by which it stops something: no probe may run one (probe-command.ts). */
  readonly stops: readonly string[];
  /** Lines for a drill that print what may stay off of what it would stop (commands/kept-off.ts); changes nothing. */
  policies?(order: ActionOrder): readonly string[];
}
