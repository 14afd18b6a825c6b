// [statistics]: the history database.
import * as t from 'io-ts';
import { optional, table } from './key.js';
import { absolutePath, count, seconds } from './values.js';

export const statisticsKeys = {
  enabled: optional(t.boolean, true),
  db_directory: optional(absolutePath, '/var/lib/ridethrough'),
  flush_interval: optional(seconds(0.1, 3600), 10),
  retention: table({
    raw_hours: optional(count(1, 8760, 'hours'), 24),
    agg_5min_days: optional(count(1, 3650, 'days'), 30),
    agg_hourly_days: optional(count(1, 36_500, 'days'), 1825),
  }),
};
