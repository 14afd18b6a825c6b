// One UPS of the file as the program uses it.
import { settingsOf } from '../../../shared/domain/base/keys.js';
import { addressOf } from '../check/findings.js';
import type { BatteryConfiguration, UpsConfiguration } from '../configuration/configuration.js';
import type { SshKeys } from '../read/ssh-keys.js';
import { batteryHealthKeys, selfTestKeys } from '../schema/battery.js';
import { energyKeys } from '../schema/energy.js';
import type { ConfigFile, UpsEntry } from '../schema/file.js';
import { ownControlKeys, ownNutKeys } from '../schema/nut.js';
import { upsOutputKeys } from '../schema/ups-output.js';
import { upsPolicy } from './policies.js';
import { resourcesOf } from './resources.js';

/** `groups`: the names of its redundancy groups. */
export function upsOf(
  file: ConfigFile,
  entry: UpsEntry,
  groups: readonly string[],
  keys: SshKeys,
): UpsConfiguration {
  const read = settingsOf(ownNutKeys, file.nut, entry.nut);
  // It names the user of tests and of the output also while it is disabled: `enabled` switches only control by operators.
  const control = settingsOf(ownControlKeys, file.nut_control, entry.nut_control);
  const isControlled = file.nut_control?.enabled === true;
  const { username, password, timeoutMs } = control;
  const test = settingsOf(selfTestKeys, file.self_test, entry.self_test);
  const isAllowed = isControlled && control.allowedCommands.includes(test.command);
  const { offAfterShutdown, ...output } = settingsOf(upsOutputKeys, file.ups_output, entry.ups_output);
  return {
    policy: upsPolicy(file, entry, groups),
    address: addressOf(entry.name),
    readLogin:
      read.username === null || read.password === null
        ? null
        : { username: read.username, password: read.password },
    role: entry.nut_role === undefined || entry.nut_role === 'observer' ? null : entry.nut_role,
    control: isControlled ? { ...control, password: password ?? '' } : null,
    output: offAfterShutdown && password !== null ? { ...output, username, password } : null,
    selfTest: {
      ...test,
      isAllowed,
      login: (test.enabled || isAllowed) && password !== null ? { username, password, timeoutMs } : null,
    },
    battery: batteryOf(file, entry),
    resources: resourcesOf(file, entry, keys),
    ratedWatts: entry.nominal_power ?? settingsOf(energyKeys, file.energy, entry.energy).nominalPower,
  };
}

function batteryOf(file: ConfigFile, entry: UpsEntry): BatteryConfiguration | null {
  const health = settingsOf(batteryHealthKeys, file.battery_health, entry.battery_health);
  const { enabled, batteryInstallDate: installDate, replacement, ...others } = health;
  return enabled ? { ...others, ...replacement, installDate } : null;
}
