// Reads the energy of one UPS by local day or month.
import * as t from 'io-ts';
import { finite } from '../../../shared/domain/base/units.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { ReadOptions, ReadPool } from './read-pool.js';
import { checkRows } from './report-steps.js';

/** `day`: YYYYMMDD, or YYYYMM00 for a month. `since`: when the counting began, in ms. */
const EnergySum = t.type({ day: finite, joules: finite, seconds: finite, estimated: finite, since: finite });
export type EnergySum = t.TypeOf<typeof EnergySum>;

const sql = `SELECT day / $unit * $unit AS day, sum(d.joules) AS joules, sum(seconds) AS seconds, max(d.estimated) AS estimated, since
  FROM energy_days d JOIN energy_last l ON l.ups = d.ups
  WHERE d.ups = (SELECT key FROM ups WHERE group_id = $group) AND day >= $first GROUP BY day / $unit ORDER BY day`;

export interface EnergyQuery {
  readonly groupId: string;
  readonly by: 'day' | 'month';
  /** YYYYMMDD. */
  readonly first: number;
}

/** From the day `first` on, oldest first. */
export function readEnergy(
  pool: ReadPool,
  query: EnergyQuery,
  options: ReadOptions,
): Promise<Outcome<readonly EnergySum[]>> {
  const { groupId, by, first } = query;
  const params = { $group: groupId, $unit: by === 'day' ? 1 : 100, $first: first };
  return pool.read(
    `energy ${JSON.stringify(query)}`,
    async (ask) => checkRows(EnergySum, await ask(sql, params)),
    options,
  );
}
