import { loadText } from '../../supervisor/config/load/load.js';
import type { Configuration, UpsConfiguration } from '../../supervisor/config/configuration/configuration.js';
import type { CommandLine } from '../../shared/domain/commands/command-line.js';
import { localShutdownOf, outputOf, resourcesOf } from './plant/resources.js';
import type { Policies, Site } from './scenario.js';

/** Not a real program; the simulation starts none. */
const powerOffCommand = 'simulated-power-off';
export const fallbackCommand = 'simulated-fallback';
const restartCommand = 'simulated-restart';

export function isPowerOff([program]: CommandLine): boolean {
  return program === powerOffCommand || program === fallbackCommand;
}

export const isRestart = ([program]: CommandLine): boolean => program === restartCommand;

const file = `
[[ups]]
name = "first@localhost"
is_local = true
[ups.filesystems]
sync_enabled = false
[local_shutdown]
command = "${powerOffCommand}"
[api]
enabled = false
`;

let known: { readonly configuration: Configuration; readonly ups: UpsConfiguration } | undefined;

/** Read once: the site replaces everything that a decision depends on. */
function base(): NonNullable<typeof known> {
  if (known !== undefined) return known;
  const loaded = loadText(file, {});
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const [ups] = loaded.configuration.ups;
  if (ups === undefined) throw new Error('the small file has one UPS');
  known = { configuration: loaded.configuration, ups };
  return known;
}

export function configurationOf(site: Site, policies: Policies): Configuration {
  const { configuration, ups } = base();
  const { enabled, triggerOn, fallback } = site.localShutdown;
  return {
    ...configuration,
    ups: policies.ups.map((policy) => ({
      ...ups,
      policy,
      address: { ...ups.address, ups: policy.name },
      output: outputOf(site, policy.groupId),
      resources: resourcesOf(site.plant, policy, ups.resources),
    })),
    redundancyGroups: policies.groups.map((policy) => ({
      policy,
      resources: resourcesOf(site.plant, policy, ups.resources),
    })),
    inContainer: site.plant.delegate !== null,
    dryRun: site.dryRun,
    recovery: { ...configuration.recovery, enabled: site.restart !== null },
    voltageHysteresisMs: site.voltageHysteresisMs,
    localShutdown: {
      ...localShutdownOf(site.plant, configuration.localShutdown),
      enabled,
      triggerOn,
      command: [powerOffCommand],
      restartCommand: [restartCommand],
      fallbackCommand: fallback ? [fallbackCommand] : null,
    },
  };
}
