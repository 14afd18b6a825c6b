// [triggers], also under [[ups]] and [[redundancy_groups]]: when a shutdown starts (specification/policy.md#triggers).
import * as t from 'io-ts';
import { numberFrom, oneOf } from '../../../shared/domain/units.js';
import { optional, table } from './key.js';
import { count, seconds } from './values.js';

const day = 86_400;

export const triggerKeys = {
  low_battery_threshold: optional(numberFrom(0, 100, 'percent'), 20),
  critical_runtime_threshold: optional(seconds(0, day), 600),
  on_battery_stabilization_delay: optional(seconds(0, 3600), 30),
  confirmations: optional(count(1, 100), 2),
  trigger_on_low_battery_flag: optional(t.boolean, true),
  failsafe_delay: optional(seconds(0, 3600), 15),
  voltage_sensitivity: optional(oneOf('tight', 'normal', 'loose'), 'normal'),
  depletion: table({
    window: optional(seconds(1, day), 300),
    critical_rate: optional(numberFrom(0.01, 10_000, 'percent per minute'), 15),
    grace_period: optional(seconds(0, day), 90),
  }),
  extended_time: table({
    enabled: optional(t.boolean, true),
    threshold: optional(seconds(0, 7 * day), 900),
  }),
};
