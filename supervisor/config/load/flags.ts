// Applies the flags of `ridethrough run`, which override the file, also at every reload. Reads and checks neither.
import type { Configuration } from '../configuration/configuration.js';

/** The keys of the table `api` that the command line gave (specification/configuration.md#flags). */
export interface ApiFlags {
  readonly enabled?: boolean;
  readonly bind?: string;
  readonly port?: number;
}

/** The configuration with the flags. A later change in the file of a setting that a flag overrides is no change. */
export function withFlags(configuration: Configuration, flags: ApiFlags): Configuration {
  const given = Object.entries(flags).map(([key, value]) => [`api.${key}`, JSON.stringify(value)]);
  return {
    ...configuration,
    api: { ...configuration.api, ...flags },
    settings: { ...configuration.settings, ...(Object.fromEntries(given) as Record<string, string>) },
  };
}
