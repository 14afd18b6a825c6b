// The first lines of a daemon's log: its version, and the warnings an operator should read.
import { countText } from '../../shared/domain/base/format.js';
import { version } from '../../shared/domain/base/version.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Configuration } from '../config/configuration/configuration.js';

/** `hostProblems` were found at start, outside the configuration. */
export function logStartup(
  log: Logger,
  { dryRun, notActive, warnings, ups, upsmon }: Configuration,
  hostProblems: readonly (string | null)[],
): void {
  log.info(`ridethrough ${version} watches ${countText(ups.length, 'UPS', 'UPSes')}`);
  if (dryRun) log.warning('dry run: sequences are only simulated and logged, nothing is shut down');
  for (const text of [...warnings, ...notActive]) log.warning(text);
  if (upsmon !== null && upsmon.kind !== 'conflict') log.info(upsmon.text);
  for (const text of hostProblems) if (text !== null) log.error(text);
}
