// Builds the configuration from a valid file: applies defaults, merges overrides, inserts secrets. Reads no file.
import type {
  BatteryConfiguration,
  Configuration,
  ControlConfiguration,
  OutputConfiguration,
  RemoteHealthConfiguration,
  ReportsConfiguration,
  SelfTestConfiguration,
  UpsConfiguration,
} from '../configuration/configuration.js';
import { addressOf, groupsOfMembers } from '../check/findings.js';
import { hookSettings } from './hooks.js';
import { inactiveFeatures } from './not-active.js';
import { notificationSettings } from './notification-settings.js';
import { groupPolicy, upsPolicy } from './policies.js';
import { buildResources } from './resources.js';
import type { ConfigFile, UpsEntry } from '../schema/file.js';
import { batteryHealthKeys, selfTestKeys } from '../schema/battery.js';
import { fileKeys } from '../schema/file.js';
import type { WithDefaults } from '../schema/key.js';
import { withDefaults } from '../schema/key.js';
import { ownControlKeys, ownNutKeys } from '../schema/nut.js';
import type { reportKeys } from '../schema/energy.js';
import type { remoteHealthKeys } from '../schema/remote-health.js';
import { upsOutputKeys } from '../schema/ups-output.js';
import { ms } from '../schema/values.js';
import { workerSections } from '../schema/worker-sections.js';
import type { Secrets } from '../read/secrets.js';
import { linesOfKey } from '../read/ssh-keys.js';
import type { ReadFiles } from './settings.js';
import { flattenSettings } from './settings.js';
import { buildSummary } from './summary.js';

/** Data from other files. */
export interface BuildInputs extends ReadFiles {
  readonly warnings: readonly string[];
  readonly inContainer: boolean;
}

/** The configuration of a file without problems. Plain data: the reader sends it as JSON. */
export function buildConfiguration(file: ConfigFile, inputs: BuildInputs): Configuration {
  const { secrets, keys, caPem, client, warnings, inContainer } = inputs;
  const {
    behavior,
    local_shutdown: local,
    logging,
    nut,
    supervisor,
    ...others
  } = withDefaults(fileKeys, file);
  const groups = groupsOfMembers(file);
  return {
    ups: (file.ups ?? []).map((entry) => ({
      policy: upsPolicy(file, entry, groups.get(entry) ?? []),
      address: addressOf(entry.name),
      readLogin: readLogin(file, entry, secrets),
      role: entry.nut_role === undefined || entry.nut_role === 'observer' ? null : entry.nut_role,
      control: controlSettings(file, entry, secrets),
      output: outputSettings(file, entry, secrets),
      selfTest: selfTestSettings(file, entry, secrets),
      battery: batterySettings(file, entry),
      resources: buildResources(file, entry, keys),
      ratedWatts: entry.nominal_power ?? entry.energy?.nominal_power ?? others.energy.nominal_power,
    })),
    redundancyGroups: (file.redundancy_groups ?? []).map((group) => ({
      policy: groupPolicy(file, group),
      resources: buildResources(file, group, keys),
    })),
    dryRun: behavior.dry_run,
    inContainer,
    localShutdown: {
      enabled: local.enabled,
      command: local.command,
      message: local.message,
      fallbackCommand: local.fallback_command.length === 0 ? null : local.fallback_command,
      drainOnLocalShutdown: local.drain_on_local_shutdown,
      triggerOn: local.trigger_on,
      wall: local.wall,
      waitForTargets: local.wait_for_targets,
      powerdownFlag: local.powerdown_flag,
    },
    nut: {
      tls: nut.tls,
      caPem,
      pinSha256: nut.pin_sha256 === null ? null : nut.pin_sha256.replaceAll(':', '').toLowerCase() || null,
      client,
      sharesConnections: nut.connections === 'per_server',
      maxPollers: nut.max_pollers,
      hostsyncSeconds: nut.hostsync,
    },
    ...workerSections(others, secrets),
    voltageHysteresisMs: ms(others.notifications.voltage_hysteresis_seconds),
    statistics: {
      enabled: others.statistics.enabled,
      directory: others.statistics.db_directory,
      flushIntervalMs: ms(others.statistics.flush_interval),
      retention: {
        rawHours: others.statistics.retention.raw_hours,
        fiveMinuteDays: others.statistics.retention.agg_5min_days,
        hourlyDays: others.statistics.retention.agg_hourly_days,
      },
    },
    energy: {
      enabled: others.energy.enabled,
      costPerKwh: others.energy.cost_per_kwh,
      currency: others.energy.currency,
    },
    reports: reportSettings(others.reports),
    remoteHealth: remoteHealthSettings(others.remote_health),
    notifications: notificationSettings(others.notifications, secrets, file),
    logging: {
      format: logging.format,
      level: logging.level,
      file: logging.file === '' ? null : logging.file,
      syslog: logging.syslog.enabled
        ? { address: logging.syslog.address, facility: logging.syslog.facility }
        : null,
    },
    supervisor: {
      runtimeDirectory: supervisor.runtime_directory,
      workerUsers: supervisor.worker_users,
    },
    hooks: hookSettings(file),
    secrets: [...secrets.redacted, ...keys.redacted, ...linesOfKey(client?.keyPem ?? '')],
    notActive: inactiveFeatures(file),
    warnings,
    upsmon: null,
    missingPrograms: [],
    summary: buildSummary(file),
    settings: flattenSettings(file, { secrets, keys, caPem, client }),
  };
}

function remoteHealthSettings(section: WithDefaults<typeof remoteHealthKeys>): RemoteHealthConfiguration {
  return {
    enabled: section.enabled,
    startupCheck: section.startup_check,
    intervalMs: ms(section.interval),
    probeCommand: section.probe_command,
    failureThreshold: section.failure_threshold,
    notifyOnFailure: section.notify_on_failure,
    notifyOnRecovery: section.notify_on_recovery,
    checkPrivileges: section.check_privileges,
  };
}

function reportSettings(section: WithDefaults<typeof reportKeys>): ReportsConfiguration {
  const { enabled, daily, weekly, monthly, time } = section;
  const days = { sunday: 0, monday: 1, tuesday: 2, wednesday: 3, thursday: 4, friday: 5, saturday: 6 };
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return {
    periods: enabled
      ? [
          ...(daily ? ['day' as const] : []),
          ...(weekly ? ['week' as const] : []),
          ...(monthly ? ['month' as const] : []),
        ]
      : [],
    hour,
    minute,
    weekday: days[section.weekly_day],
    dayOfMonth: section.monthly_day,
  };
}

function readLogin(file: ConfigFile, entry: UpsEntry, secrets: Secrets): UpsConfiguration['readLogin'] {
  const { username } = withDefaults(ownNutKeys, file.nut, entry.nut);
  const password = secrets.readPasswords.get(entry.name) ?? secrets.readPassword;
  return username === null || password === null ? null : { username, password };
}

function controlSettings(file: ConfigFile, entry: UpsEntry, secrets: Secrets): ControlConfiguration | null {
  if (file.nut_control?.enabled !== true) return null;
  const control = withDefaults(ownControlKeys, file.nut_control, entry.nut_control);
  return {
    username: control.username,
    password: passwordFor(entry, secrets) ?? '',
    allowedCommands: control.allowed_commands,
    allowedVariables: control.allowed_variables,
    timeoutMs: ms(control.timeout),
  };
}

function batterySettings(file: ConfigFile, entry: UpsEntry): BatteryConfiguration | null {
  const health = withDefaults(batteryHealthKeys, file.battery_health, entry.battery_health);
  if (!health.enabled) return null;
  return {
    updateIntervalSeconds: health.update_interval,
    nominalRuntimeSeconds: health.nominal_runtime_seconds,
    installDate: health.battery_install_date,
    expectedLifeYears: health.expected_life_years,
    warnScore: health.warn_score,
    criticalScore: health.critical_score,
    thresholdScore: health.replacement.threshold_score,
    horizonDays: health.replacement.horizon_days,
    minHistoryDays: health.replacement.min_history_days,
  };
}

/** As for the output: [nut_control] names the user, also while it is disabled. */
function selfTestSettings(file: ConfigFile, entry: UpsEntry, secrets: Secrets): SelfTestConfiguration {
  const test = withDefaults(selfTestKeys, file.self_test, entry.self_test);
  const control = withDefaults(ownControlKeys, file.nut_control, entry.nut_control);
  const password = passwordFor(entry, secrets);
  const { enabled, command, schedule, time } = test;
  const isAllowed =
    file.nut_control?.enabled === true && control.allowed_commands.some((one) => one === command);
  const { username } = control;
  const hasLogin = (enabled || isAllowed) && password !== null;
  const login = hasLogin ? { username, password, timeoutMs: ms(control.timeout) } : null;
  return { enabled, isAllowed, command, schedule, time, resultAfterMs: ms(test.result_poll_after), login };
}

/** Uses the user of [nut_control] even while that is disabled: `enabled` switches only control by operators and the API. */
function outputSettings(file: ConfigFile, entry: UpsEntry, secrets: Secrets): OutputConfiguration | null {
  const output = withDefaults(upsOutputKeys, file.ups_output, entry.ups_output);
  const password = passwordFor(entry, secrets);
  if (!output.off_after_shutdown || password === null) return null;
  const { username } = withDefaults(ownControlKeys, file.nut_control, entry.nut_control);
  return { username, password, command: output.command, offDelaySeconds: Math.ceil(output.off_delay) };
}

function passwordFor(entry: UpsEntry, secrets: Secrets): string | null {
  return secrets.upsPasswords.get(entry.name) ?? secrets.controlPassword;
}
