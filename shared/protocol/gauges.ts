// Which UPSes the history has values above 0 of: one without a gauge reports 0 at all times. Codecs only.
import * as t from 'io-ts';
import { textUpTo } from '../domain/base/units.js';

export const GaugeRead = t.readonly(
  t.type({ groupId: textUpTo(256), charge: t.boolean, runtime: t.boolean }),
  'GaugeRead',
);
export type GaugeRead = t.TypeOf<typeof GaugeRead>;

/** Several times the UPSes that one daemon watches. */
export const maxGauges = 10_000;

export const gaugesRead = t.refinement(
  t.readonlyArray(GaugeRead),
  (gauges) => gauges.length <= maxGauges,
  `at most ${String(maxGauges)} UPSes`,
);
