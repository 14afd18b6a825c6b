// The configuration as the program uses it: defaults applied, per-UPS overrides merged, durations of timers in ms, secrets
// read. `buildConfiguration` builds it once per load; nothing outside config/ uses the shape of the file.
import type { BatterySettings } from '../../../shared/domain/ups/battery/health.js';
import type { ConfigSummary } from '../../../shared/domain/status/config-summary.js';
import type { Problem } from '../../../shared/domain/base/decode.js';
import type { PeriodName } from '../../../shared/domain/base/local-calendar.js';
import type { CommandLine } from '../../../shared/domain/commands/command-line.js';
import type { PreShutdownAction } from '../../../shared/domain/actions/remote-work.js';
import type { UpsAddress } from '../../../shared/domain/ups/ups-name.js';
import type { HookConfiguration, NotificationsConfiguration } from './outbound.js';
import type { GroupSettings, UpsSettings } from '../../policy/base/inputs.js';
import type { UpsmonArrangement } from './upsmon.js';
import type { WorkerSections } from '../schema/worker-sections.js';

export interface ControlConfiguration {
  readonly username: string;
  readonly password: string;
  readonly allowedCommands: readonly string[];
  readonly allowedVariables: readonly string[];
  readonly timeoutMs: number;
}

/** The command that the UPS gets as the last step before the power-off. */
export interface OutputConfiguration {
  readonly username: string;
  readonly password: string;
  readonly command: string;
  readonly offDelaySeconds: number;
}

/** How the battery is tested, and when. */
export interface SelfTestConfiguration {
  /** The daemon starts tests by `schedule`. */
  readonly enabled: boolean;
  /** `nut_control` lets operators start `command`. */
  readonly isAllowed: boolean;
  readonly command: string;
  readonly schedule: string;
  /** Local time, HH:MM. */
  readonly time: string;
  readonly resultAfterMs: number;
  /** Null when nothing may start a test, or when the NUT user has no password. */
  readonly login: { readonly username: string; readonly password: string; readonly timeoutMs: number } | null;
}

export type BatteryConfiguration = Omit<BatterySettings, 'groupId' | 'feedsHost'>;

export interface Mount {
  readonly path: string;
  readonly options: string;
}

export interface RemoteServerConfiguration {
  readonly name: string;
  readonly enabled: boolean;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly sshKeyPath: string | null;
  /** A secret, as text; null when the server is disabled, or when its key is unusable and `keyWarning` has the reason. */
  readonly privateKey: string | null;
  readonly keyWarning: string | null;
  readonly knownHostsFile: string;
  readonly hostKeyPolicy: 'strict' | 'accept-new';
  readonly connectTimeoutSeconds: number;
  readonly commandTimeoutSeconds: number;
  readonly shutdownOrder: number;
  readonly when: 'after_local' | 'with_local';
  readonly shutdownSafetyMarginSeconds: number;
  /** `commanded` also where it cannot be found whether the server is off. */
  readonly waitFor: 'off' | 'commanded';
  readonly haltTimeoutSeconds: number;
  readonly haltSettleSeconds: number;
  readonly offCheck: 'tcp' | 'ping' | 'none';
  readonly offPort: number;
  readonly useSudo: boolean;
  /** Null on a host delegate without the key: `local_shutdown.command` powers it off. */
  readonly shutdownCommand: string | null;
  readonly hostDelegate: boolean;
  readonly preShutdownCommands: readonly PreShutdownAction[];
}

/** The resources of a group: on this machine (only the local group) and over SSH. */
export interface ResourcesConfiguration {
  readonly remoteServers: readonly RemoteServerConfiguration[];
  readonly virtualMachines: {
    readonly enabled: boolean;
    readonly maxWaitSeconds: number;
    readonly uri: string | null;
  };
  readonly containers: {
    readonly enabled: boolean;
    readonly runtime: 'auto' | 'podman' | 'docker';
    readonly stopTimeoutSeconds: number;
    readonly composeFiles: readonly { readonly path: string; readonly stopTimeoutSeconds: number }[];
    readonly shutdownAllRemaining: boolean;
    readonly includeUserContainers: boolean;
  };
  readonly filesystems: {
    readonly syncEnabled: boolean;
    readonly unmount: {
      readonly enabled: boolean;
      readonly timeoutSeconds: number;
      readonly mounts: readonly Mount[];
    };
  };
}

export interface UpsConfiguration {
  readonly policy: UpsSettings;
  readonly address: UpsAddress;
  /** Null: the server is read without a login. */
  readonly readLogin: { readonly username: string; readonly password: string } | null;
  /** What this host is at the NUT server besides an observer; null: nothing more. */
  readonly role: 'secondary' | 'primary' | null;
  /** Null while nut_control is disabled. */
  readonly control: ControlConfiguration | null;
  /** Null when the output stays on. */
  readonly output: OutputConfiguration | null;
  readonly selfTest: SelfTestConfiguration;
  /** How the battery is assessed; null: it is not. */
  readonly battery: BatteryConfiguration | null;
  readonly resources: ResourcesConfiguration;
  /** The rated power; 0 while the UPS is to report it. */
  readonly ratedWatts: number;
}

export interface RedundancyGroupConfiguration {
  readonly policy: GroupSettings;
  readonly resources: ResourcesConfiguration;
}

export interface RemoteHealthConfiguration {
  readonly enabled: boolean;
  readonly startupCheck: boolean;
  readonly intervalMs: number;
  readonly probeCommand: string;
  readonly failureThreshold: number;
  readonly notifyOnFailure: boolean;
  readonly notifyOnRecovery: boolean;
  /** Whether probes also check that the commands of a shutdown exist and may be run. */
  readonly checkPrivileges: boolean;
}

/** When the reports are sent, in local time. */
export interface ReportsConfiguration {
  /** Empty while reports are off. */
  readonly periods: readonly PeriodName[];
  readonly hour: number;
  readonly minute: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** 1 to 31; the last day of a shorter month. */
  readonly dayOfMonth: number;
}

export interface Configuration extends WorkerSections {
  readonly ups: readonly UpsConfiguration[];
  readonly redundancyGroups: readonly RedundancyGroupConfiguration[];
  readonly dryRun: boolean;
  /** The daemon runs in a container: the machine to power off is its host. */
  readonly inContainer: boolean;
  readonly localShutdown: {
    readonly enabled: boolean;
    readonly command: CommandLine;
    readonly message: string;
    readonly fallbackCommand: CommandLine | null;
    readonly drainOnLocalShutdown: boolean;
    readonly triggerOn: 'any' | 'none';
    readonly wall: boolean;
    readonly waitForTargets: boolean;
    /** Null: NUT's late hook does not cut the power. */
    readonly powerdownFlag: string | null;
  };
  readonly nut: {
    readonly tls: 'off' | 'opportunistic' | 'required';
    readonly caPem: string | null;
    /** SHA-256 of the server's certificate (DER): 64 lower-case hexadecimal digits without colons. */
    readonly pinSha256: string | null;
    /** The certificate that a server may ask for, with its key. */
    readonly client: { readonly certPem: string; readonly keyPem: string } | null;
    readonly sharesConnections: boolean;
    readonly maxPollers: number;
    /** How long the hosts of a primary's UPS have from FSD on. */
    readonly hostsyncSeconds: number;
  };
  readonly voltageHysteresisMs: number;
  readonly statistics: {
    readonly enabled: boolean;
    readonly directory: string;
    readonly flushIntervalMs: number;
    readonly retention: {
      readonly rawHours: number;
      readonly fiveMinuteDays: number;
      readonly hourlyDays: number;
    };
  };
  /** `costPerKwh` 0: no cost is shown. */
  readonly energy: { readonly enabled: boolean; readonly costPerKwh: number; readonly currency: string };
  readonly reports: ReportsConfiguration;
  readonly remoteHealth: RemoteHealthConfiguration;
  readonly notifications: NotificationsConfiguration;
  readonly hooks: readonly HookConfiguration[];
  readonly logging: {
    readonly format: 'text' | 'json';
    readonly level: 'debug' | 'info' | 'warning' | 'error';
    readonly file: string | null;
    readonly syslog: { readonly address: string; readonly facility: string } | null;
  };
  readonly supervisor: {
    readonly runtimeDirectory: string;
    readonly workerUsers: {
      readonly api: string;
      readonly storage: string;
      readonly ssh: string;
      readonly net: string;
      readonly hook: string;
    };
  };
  /** Every secret of the file, literal or from elsewhere: the log redacts them. */
  readonly secrets: readonly string[];
  /** Sections of the file that the customer's specification names and this version does not run; each is logged at start. */
  readonly notActive: readonly string[];
  /** Settings that are valid and probably not intended; each is logged at start and shown by `validate`. */
  readonly warnings: readonly string[];
  readonly upsmon: UpsmonArrangement | null;
  /** Required programs that were missing when the configuration was loaded, as named in the file. */
  readonly missingPrograms: readonly string[];
  /** The public part. */
  readonly summary: ConfigSummary;
  /** Every setting by its dotted path, secrets as digests; `changedPaths` compares them. */
  readonly settings: Readonly<Record<SettingPath, string>>;
}

/** The path of a setting in messages: `ups[Rack-A@nut1].check_interval`. */
export type SettingPath = string;

/** The result of reading a configuration file: the configuration, or all its problems. */
export type Loaded = { readonly ok: true; readonly configuration: Configuration } | NotLoaded;

export interface NotLoaded {
  readonly ok: false;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
  /** Nobody has checked the file, so it may be valid: its reader gave no answer. */
  readonly isUnread?: true;
}
