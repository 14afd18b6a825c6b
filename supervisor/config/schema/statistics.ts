// [statistics]: the history database.
import { count, duration, key, onOff, shown, table } from '../../../shared/domain/base/keys.js';
import { absolutePath } from './values.js';

export const statisticsKeys = {
  enabled: shown(onOff(true)),
  db_directory: key(absolutePath, '/var/lib/ridethrough'),
  flush_interval: duration(0.1, 3600, 10),
  retention: shown(
    table({
      raw_hours: count(1, 8760, 24, 'hours'),
      agg_5min_days: count(1, 3650, 30, 'days'),
      agg_hourly_days: count(1, 36_500, 1825, 'days'),
    }),
  ),
};
