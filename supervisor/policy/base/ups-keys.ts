// The keys of [[ups]] that policy reads as the file has them: a new one is its line here, and its use.
import { count, duration, onOff } from '../../../shared/domain/base/keys.js';

export const policyKeys = {
  is_local: onOff(false),
  check_interval: duration(0.2, 30, 1),
  /** Consecutive failed polls. */
  max_stale_data_tolerance: count(1, 100, 3),
};
