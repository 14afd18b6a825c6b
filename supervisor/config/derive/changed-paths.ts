// The settings that a reload changes, by path. Never contains values: some are secrets.
import type { Configuration, SettingPath } from '../configuration/configuration.js';

/**
 * Dotted paths of the differences, sorted (specification/api-writes.md#reload). An added or removed UPS, group or server is one
 * path, without those below it.
 */
export function changedPaths(before: Configuration, after: Configuration): readonly SettingPath[] {
  const paths = [...new Set([...Object.keys(before.settings), ...Object.keys(after.settings)])].sort();
  const changed = paths.filter((path) => valueOf(before, path) !== valueOf(after, path));
  // In sorted order an element is directly followed by everything below it.
  let element: string | undefined;
  return changed.filter((path) => {
    if (element !== undefined && path.startsWith(element)) return false;
    if ((valueOf(before, path) ?? valueOf(after, path)) === '') element = `${path}.`;
    return true;
  });
}

function valueOf(configuration: Configuration, path: SettingPath): string | undefined {
  return Object.hasOwn(configuration.settings, path) ? configuration.settings[path] : undefined;
}
