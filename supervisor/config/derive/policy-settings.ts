// The part of the configuration that policy uses.
import type { PolicySettings } from '../../policy/base/inputs.js';
import type { Configuration } from '../configuration/configuration.js';

export function policySettings(configuration: Configuration): PolicySettings {
  return {
    ups: configuration.ups.map((ups) => ups.policy),
    redundancyGroups: configuration.redundancyGroups.map((group) => group.policy),
    voltageHysteresisMs: configuration.voltageHysteresisMs,
  };
}
