// The public view of a configuration and its servers.
import type { ConfigSummary } from '../../../shared/domain/status/config-summary.js';
import type { RemoteHealthRow } from '../../../shared/domain/status/status-model.js';
import { configurationFrom, office } from '../../supervisor/config/loading.js';

export const remoteServer: RemoteHealthRow = {
  server: 'nas',
  host: '192.0.2.9',
  user: 'root',
  group: 'office-127.0.0.1',
  groupKind: 'ups',
  status: 'HEALTHY',
  lastCheckedAt: 1_790_000_000,
  lastSuccessAt: 1_790_000_000,
  lastError: null,
  latencyMs: 12,
  consecutiveFailures: 0,
};

const defaults = configurationFrom(office).summary.ups[0]?.triggers;
if (defaults === undefined) throw new Error('no UPS');

const triggers: ConfigSummary['ups'][number]['triggers'] = {
  ...defaults,
  lowBatteryThreshold: 20,
  criticalRuntimeThreshold: 600,
  onBatteryStabilizationDelay: 30,
  confirmations: 2,
  triggerOnLowBatteryFlag: true,
  failsafeDelay: 15,
  voltageSensitivity: 'normal',
  depletion: { window: 300, criticalRate: 15, gracePeriod: 90, runtimeHold: 120 },
  extendedTime: { enabled: true, threshold: 900 },
};

/** The view of one UPS with one server. */
export const summary: ConfigSummary = {
  ups: [
    {
      groupId: 'office-127.0.0.1',
      name: 'office@127.0.0.1',
      label: 'Office',
      isLocal: true,
      transport: 'network',
      triggers,
      remoteServers: [
        {
          name: 'nas',
          host: '192.0.2.9',
          enabled: true,
          shutdownOrder: 1,
          hasPreShutdownCommands: true,
          hasSshKey: true,
          user: 'root',
          preShutdownCommandCount: 2,
          shutdownSafetyMargin: 60,
        },
      ],
      nutControl: { allowedCommands: ['beeper.toggle'], allowedVariables: ['ups.delay.shutdown'] },
    },
  ],
  redundancyGroups: [],
  metrics: { enabled: true, prefix: 'svc', nutExporterNames: false },
  remoteHealth: { enabled: true, startupCheck: true, interval: 3600, failureThreshold: 2 },
  heartbeat: { enabled: false, every: 60, when: 'alive' },
  mqtt: { enabled: false, brokerConfigured: false, topicPrefix: 'svc', publishInterval: 10 },
  notifications: { enabled: true, serviceCount: 2 },
  nutControl: { enabled: true, allowedCommands: ['beeper.toggle'], allowedVariables: [] },
  statistics: { enabled: true, retention: { rawHours: 24, agg5minDays: 30, aggHourlyDays: 1825 } },
  localShutdown: { enabled: true },
  dryRun: false,
};

/** The answers of a supervisor whose UPS supports everything. */
export const controlAnswers: Readonly<Record<string, unknown>> = {
  'control.commands': {
    supported: [
      { name: 'beeper.toggle', description: 'Toggle the beeper' },
      { name: 'load.off', description: 'Turn off the load immediately' },
    ],
  },
  'control.run': { output: 'OK' },
  'control.variables': {
    variables: [{ name: 'ups.delay.shutdown', type: 'STRING', value: '20', range: [{ min: 0, max: 600 }] }],
  },
  'control.write': { output: 'OK' },
  'events.delete': { deleted: 1 },
  'configuration.reload': {
    reloaded: true,
    applied: ['triggers.low_battery_threshold'],
    restartedWorkers: [],
    restartRequired: [],
    errors: [],
  },
  'sequence.cancel': { cancelled: true },
};
