// Features whose settings are checked but whose code is not part of this version. An operator who has configured one
// is told, at start and by `validate`; a line goes from here when the feature comes.
import { nonDefaultKeys } from '../schema/non-default-keys.js';
import type { ConfigFile } from '../schema/file.js';
import { fileKeys } from '../schema/file.js';
import { withDefaults } from '../schema/key.js';

/** One sentence per feature that the file really asks for; silent about what is merely left at its default. */
export function inactiveFeatures(file: ConfigFile): readonly string[] {
  const all = withDefaults(fileKeys, file);
  const upses = file.ups ?? [];
  const asksFor = (section: 'battery_health' | 'energy'): boolean =>
    nonDefaultKeys(fileKeys[section].keys, file[section]).length > 0;
  const features: readonly (readonly [boolean, string])[] = [
    [
      asksFor('battery_health') && all.battery_health.enabled,
      'battery_health: configured, but this version does not judge batteries yet',
    ],
    [
      all.self_test.enabled || upses.some((ups) => ups.self_test?.enabled === true),
      'self_test: configured, but this version does not start tests yet',
    ],
    [
      asksFor('energy') && all.energy.enabled,
      'energy: configured, but this version does not count energy yet',
    ],
    [all.reports.enabled, 'reports: configured, but this version does not write any yet'],
    [all.recovery.enabled, 'recovery: configured, but this version does not start anything again yet'],
  ];
  return features.filter(([asked]) => asked).map(([, sentence]) => sentence);
}
