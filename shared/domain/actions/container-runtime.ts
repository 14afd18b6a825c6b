// Which container engine an action is about.
import type * as t from 'io-ts';
import { oneOf } from '../base/units.js';

/** The container engine; `auto`: containers of all engines, and podman's compose programs before docker's. */
export const ContainerRuntime = oneOf('auto', 'podman', 'docker');
export type ContainerRuntime = t.TypeOf<typeof ContainerRuntime>;
