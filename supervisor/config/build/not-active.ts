// Features with validated settings that this version does not implement. The start and `validate` warn an operator who has
// configured one. Remove a line with the implementation of its feature.
import type { ConfigFile } from '../schema/file.js';
import { fileKeys } from '../schema/file.js';
import { withDefaults } from '../schema/key.js';

/** One sentence for each feature that the file configures; none for one that is only on by default. */
export function inactiveFeatures(file: ConfigFile): readonly string[] {
  const all = withDefaults(fileKeys, file);
  const features: readonly (readonly [boolean, string])[] = [
    [all.recovery.enabled, 'recovery: configured, but this version does not start anything again yet'],
  ];
  return features.filter(([isConfigured]) => isConfigured).map(([, sentence]) => sentence);
}
