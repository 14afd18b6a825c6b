// Reads the scores of a battery by day, and its newest discharges with their curves.
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import * as t from 'io-ts';
import { OutageCause } from '../../../shared/domain/outage/outage.js';
import { finite, orNull } from '../../../shared/domain/base/units.js';
import type { BatteryHistoryBody, DischargeRow } from '../../../shared/http/battery-bodies.js';
import { DischargeCurve } from '../../../shared/http/battery-bodies.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { ReadOptions, ReadPool } from './read-pool.js';

/** Two years. */
const maxDays = 731;
/** A curve of 200 points is a few kB. */
const maxOutputLength = 256 * 1024;
const inflate = promisify(inflateRaw);

const Days = t.readonlyArray(
  t.type({ day: finite, series: finite, score: orNull(finite), ratio: orNull(finite) }),
);
const Discharges = t.readonlyArray(
  t.type({
    id: finite,
    series: finite,
    cause: OutageCause,
    started: finite,
    ended: orNull(finite),
    seconds: finite,
    load: orNull(finite),
    fromCharge: orNull(finite),
    toCharge: orNull(finite),
    joules: orNull(finite),
    measured: finite,
    capacity: orNull(finite),
    curve: t.UnknownRecord,
  }),
);

export type BatteryHistory = Omit<BatteryHistoryBody, 'ups'>;

export function readBatteryHistory(
  pool: ReadPool,
  groupId: string,
  limit: number,
  options: ReadOptions,
): Promise<Outcome<BatteryHistory>> {
  const ofUps = 'ups = (SELECT key FROM ups WHERE group_id = $group)';
  return pool.read(
    `battery ${groupId} ${String(limit)}`,
    async (ask) => {
      const days = [
        ...checkRows(
          Days,
          await ask(
            `SELECT day * 86400 AS day, series, score, ratio FROM battery_days WHERE ${ofUps}
             ORDER BY battery_days.day DESC LIMIT $limit`,
            { $group: groupId, $limit: maxDays },
          ),
        ),
      ].reverse();
      const rows = await ask(
        `SELECT key AS id, series, cause, started, ended, seconds, load, from_charge AS fromCharge, to_charge AS toCharge,
           joules, measured, capacity, curve FROM battery_discharges WHERE ${ofUps} ORDER BY key DESC LIMIT $limit`,
        { $group: groupId, $limit: limit },
      );
      return {
        days: {
          day: days.map(({ day }) => day),
          series: days.map(({ series }) => series),
          score: days.map(({ score }) => score),
          runtimeRatio: days.map(({ ratio }) => ratio),
        },
        discharges: await Promise.all(checkRows(Discharges, rows).map(dischargeRow)),
      };
    },
    options,
  );
}

async function dischargeRow(stored: t.TypeOf<typeof Discharges>[number]): Promise<DischargeRow> {
  const { started, ended, joules, measured, curve, load, capacity, ...row } = stored;
  const text = await inflate(curve as unknown as Buffer, { maxOutputLength });
  return {
    ...row,
    start: started / 1000,
    end: ended === null ? null : ended / 1000,
    load: roundTo(load, 10),
    wh: roundTo(joules === null ? null : joules / 3600, 10),
    energyEstimated: measured === 0,
    capacity: roundTo(capacity, 1000),
    curve: checkRows(DischargeCurve, JSON.parse(text.toString('utf8'))),
  };
}

function roundTo(value: number | null, scale: number): number | null {
  return value === null ? null : Math.round(value * scale) / scale;
}

/** Rows of the database; any other shape is a bug. */
function checkRows<C extends t.Mixed>(codec: C, rows: unknown): t.TypeOf<C> {
  if (!codec.is(rows)) throw new Error('unexpected row of a battery');
  return rows as t.TypeOf<C>;
}
