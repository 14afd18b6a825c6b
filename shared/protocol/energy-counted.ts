// What the storage worker has counted of the energy of each UPS.
import * as t from 'io-ts';
import { finite, textUpTo } from '../domain/base/units.js';

/** The energy of each UPS in the windows of local time that contain now; `totalKwh` since the counting began. */
export const EnergyCounted = t.type({
  ups: t.readonlyArray(
    t.readonly(
      t.type({
        groupId: textUpTo(256),
        todayKwh: finite,
        monthKwh: finite,
        yearKwh: finite,
        totalKwh: finite,
        /** As of `Power`. */
        estimated: finite,
        partial: t.boolean,
      }),
    ),
  ),
});
export type EnergyCounted = t.TypeOf<typeof EnergyCounted>;
