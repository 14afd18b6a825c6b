// [[ups]]: one UPS, its polls, and the servers and resources that it powers.
import {
  count,
  duration,
  key,
  onOff,
  overriding,
  required,
  rows,
  table,
  word,
} from '../../../shared/domain/base/keys.js';
import { parseUpsName } from '../../../shared/domain/ups/ups-name.js';
import { policyKeys } from '../../policy/base/ups-keys.js';
import { batteryHealthKeys, selfTestKeys } from './battery.js';
import { nominalPower } from './energy.js';
import { localResourceKeys } from './local-resources.js';
import { ownControlKeys, ownNutKeys, transport } from './nut.js';
import { remoteServerKeys } from './remote-server.js';
import { triggerKeys } from '../../../shared/domain/triggers/table.js';
import { upsOutputKeys } from './ups-output.js';
import { filledLine, textThat } from './values.js';

/** The NUT tools would read a leading "-" as an option. */
const upsName = textThat(
  'NAME@HOST[:PORT], such as "office@127.0.0.1:3493" (NAME alone means @localhost)',
  (text) => filledLine(256).is(text) && !text.startsWith('-') && parseUpsName(text) !== undefined,
);

export const upsKeys = {
  name: required(upsName),
  display_name: key(filledLine(128), null),
  ...policyKeys,
  transport: transport(null),
  trust: word(['status', 'charge'], 'status'),
  value_hold: duration(0, 300, null),
  status_hold: duration(0, 300, null),
  nut_role: word(['observer', 'secondary', 'primary'], 'observer'),
  connection_loss_grace_period: table({
    enabled: onOff(true),
    duration: duration(0, 86_400, 60),
    flap_threshold: count(1, 10_000, 5),
  }),
  triggers: overriding(triggerKeys),
  nut: overriding(ownNutKeys),
  nut_control: overriding(ownControlKeys),
  remote_servers: rows(remoteServerKeys, 100),
  ...localResourceKeys,
  battery_health: overriding(batteryHealthKeys),
  self_test: overriding(selfTestKeys),
  /** Also accepted as [ups.energy] nominal_power; both together are an error. */
  nominal_power: nominalPower(null),
  energy: overriding({ nominal_power: nominalPower(null) }),
  ups_output: overriding(upsOutputKeys),
};
