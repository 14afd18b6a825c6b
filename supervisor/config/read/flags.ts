// The flags of `ridethrough run`: they win over the file, at every reload too. Owns no reading and no checking of either.
import type { Configuration } from '../configuration.js';

/** The keys of the table `api` that the command line gave (specification/configuration.md#flags). */
export interface ApiFlags {
  readonly enabled?: boolean;
  readonly bind?: string;
  readonly port?: number;
}

/** The configuration as it is in force. What a flag overrides is no change, whatever the file says of it later. */
export function withFlags(configuration: Configuration, flags: ApiFlags): Configuration {
  const given = Object.entries(flags).map(([key, value]) => [`api.${key}`, JSON.stringify(value)]);
  return {
    ...configuration,
    api: { ...configuration.api, ...flags },
    settings: { ...configuration.settings, ...(Object.fromEntries(given) as Record<string, string>) },
  };
}
