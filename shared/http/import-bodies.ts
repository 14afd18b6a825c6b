// What the control socket sends to the command line before an import.
import * as t from 'io-ts';
import { Retention } from '../protocol/storage.js';

export const ImportTargets = t.type(
  {
    /** `statistics.enabled`. */
    enabled: t.boolean,
    retention: Retention,
    ups: t.readonlyArray(t.type({ name: t.string, groupId: t.string, label: t.string })),
  },
  'ImportTargets',
);
export type ImportTargets = t.TypeOf<typeof ImportTargets>;
