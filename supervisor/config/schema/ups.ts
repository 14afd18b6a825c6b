// [[ups]]: one UPS, its polls, and the servers and resources that it powers.
import * as t from 'io-ts';
import { parseUpsName } from '../../../shared/domain/ups/ups-name.js';
import { numberFrom, oneOf } from '../../../shared/domain/base/units.js';
import { batteryHealthKeys, selfTestKeys } from './battery.js';
import { nominalPower } from './energy.js';
import { optional, required, rows, table } from './key.js';
import { localResourceKeys } from './local-resources.js';
import { ownControlKeys, ownNutKeys, transport } from './nut.js';
import { remoteServerKeys } from './remote-server.js';
import { triggerKeys } from './triggers.js';
import { upsOutputKeys } from './ups-output.js';
import { count, filledLine, seconds, textThat } from './values.js';

/** The NUT tools would read a leading "-" as an option. */
const upsName = textThat(
  'NAME@HOST[:PORT], such as "office@127.0.0.1:3493" (NAME alone means @localhost)',
  (text) => filledLine(256).is(text) && !text.startsWith('-') && parseUpsName(text) !== undefined,
);

export const upsKeys = {
  name: required(upsName),
  display_name: optional(filledLine(128), null),
  is_local: optional(t.boolean, false),
  check_interval: optional(numberFrom(0.2, 30, 'seconds'), 1),
  max_stale_data_tolerance: optional(count(1, 100), 3),
  transport: optional(transport, null),
  trust: optional(oneOf('status', 'charge'), 'status'),
  value_hold: optional(seconds(0, 300), null),
  status_hold: optional(seconds(0, 300), null),
  nut_role: optional(oneOf('observer', 'secondary', 'primary'), 'observer'),
  connection_loss_grace_period: table({
    enabled: optional(t.boolean, true),
    duration: optional(seconds(0, 86_400), 60),
    flap_threshold: optional(count(1, 10_000), 5),
  }),
  triggers: table(triggerKeys),
  nut: table(ownNutKeys),
  nut_control: table(ownControlKeys),
  remote_servers: rows(remoteServerKeys, 100),
  ...localResourceKeys,
  battery_health: table(batteryHealthKeys),
  self_test: table(selfTestKeys),
  /** Also accepted as [ups.energy] nominal_power; both together are an error. */
  nominal_power: optional(nominalPower, null),
  energy: table({ nominal_power: optional(nominalPower, null) }),
  ups_output: table(upsOutputKeys),
};
