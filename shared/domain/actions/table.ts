// The kinds of action of a plan. To add one, write its file and its line here; the compiler then names what must perform it.
import * as t from 'io-ts';
import { stopCompose } from './compose.js';
import { stopContainers } from './containers.js';
import { keepRecord } from './keep-record.js';
import type { ActionDescription } from './kind.js';
import { forceShutdown } from './nut-secondaries.js';
import { awaitOff } from './off-waits.js';
import { poweroff, poweroffDelegate } from './power-off.js';
import { powerdownFlag } from './powerdown-flag.js';
import { remote } from './remote-servers.js';
import { sync } from './sync.js';
import { commandAgain } from './tries.js';
import { unmount } from './unmount.js';
import { upsOutputOff } from './ups-output.js';
import { stopVirtualMachines } from './virtual-machines.js';
import { wall } from './wall.js';

const table = [
  wall,
  stopVirtualMachines,
  stopCompose,
  stopContainers,
  sync,
  unmount,
  remote,
  awaitOff,
  commandAgain,
  keepRecord,
  forceShutdown,
  powerdownFlag,
  upsOutputOff,
  poweroff,
  poweroffDelegate,
] as const;

/** What a step does. A closed set: code that can power a machine off accepts a step of the plan, never free text. */
export type StepAction = t.TypeOf<(typeof table)[number]['codec']>;
type Codec = t.Type<StepAction>;
export const StepAction: Codec = t.union(
  table.map(({ codec }) => codec) as unknown as [Codec, Codec],
  'StepAction',
);

export type ActionKind = StepAction['kind'];
export type ActionOf<K extends ActionKind> = Extract<StepAction, { kind: K }>;
export const actionKinds: readonly ActionKind[] = table.map(({ name }) => name);

const definitions = Object.fromEntries(
  table.map((definition) => [definition.name, definition]),
) as unknown as Readonly<Record<ActionKind, ActionDescription<StepAction>>>;

/** The definition of its kind. */
export function kindOf({ kind }: StepAction): ActionDescription<StepAction> {
  return definitions[kind];
}
