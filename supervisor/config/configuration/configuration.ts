// The configuration as the program uses it: defaults applied, per-UPS overrides merged, durations of timers in ms, secrets
// read. decode/ makes it once per load, its names and units from the declarations in schema/; nothing outside config/ uses the shape of the file.
import type { BatterySettings } from '../../../shared/domain/ups/battery/health.js';
import type { ConfigSummary } from '../../../shared/domain/status/config-summary.js';
import type { Problem } from '../../../shared/domain/base/decode.js';
import type { PeriodName } from '../../../shared/domain/base/local-calendar.js';
import type { PreShutdownAction } from '../../../shared/domain/actions/remote-work.js';
import type { UpsAddress } from '../../../shared/domain/ups/ups-name.js';
import type { HookConfiguration, NotificationsConfiguration } from './outbound.js';
import type { GroupSettings, UpsSettings } from '../../policy/base/inputs.js';
import type { UpsmonArrangement } from './upsmon.js';
import type { Settings } from '../../../shared/domain/base/keys.js';
import type { selfTestKeys } from '../schema/battery.js';
import type { sectionKeys } from '../schema/file.js';
import type { localResourceKeys } from '../schema/local-resources.js';
import type { ownControlKeys } from '../schema/nut.js';
import type { remoteServerKeys, shutdownKeys } from '../schema/remote-server.js';
import type { upsOutputKeys } from '../schema/ups-output.js';

type Sections = Settings<typeof sectionKeys>;
type RemoteServerSettings = Settings<typeof remoteServerKeys>;
type Local = Settings<typeof localResourceKeys>;
type NutLogin = { readonly username: string; readonly password: string };

export type ControlConfiguration = Omit<Settings<typeof ownControlKeys>, 'password'> & NutLogin;

/** The command that the UPS gets as the last step before the power-off. */
export type OutputConfiguration = Omit<Settings<typeof upsOutputKeys>, 'offAfterShutdown'> & NutLogin;

/** How the battery is tested, and when. */
export interface SelfTestConfiguration extends Settings<typeof selfTestKeys> {
  /** `nut_control` lets operators start `command`. */
  readonly isAllowed: boolean;
  /** Null when nothing may start a test, or when the NUT user has no password. */
  readonly login: (NutLogin & { readonly timeoutMs: number }) | null;
}

export type BatteryConfiguration = Omit<BatterySettings, 'groupId' | 'feedsHost'>;

export type Mount = Local['filesystems']['unmount']['mounts'][number];

export interface RemoteServerConfiguration extends Omit<
  RemoteServerSettings,
  | keyof Settings<typeof shutdownKeys>
  | 'shutdownCommand'
  | 'preShutdownCommands'
  | 'wake'
  | 'bootOrder'
  | 'bootCheck'
> {
  /** A secret, as text; null when the server is disabled, or when its key is unusable and `keyWarning` has the reason. */
  readonly privateKey: string | null;
  readonly keyWarning: string | null;
  readonly hasWake: boolean;
  /** In lower case with colons; null without a wake-up by Wake-on-LAN. */
  readonly wakeMac: string | null;
  /** `commanded` also where it cannot be found whether the server is off. */
  readonly waitFor: 'off' | 'commanded';
  readonly haltTimeoutSeconds: number;
  readonly haltSettleSeconds: number;
  readonly offCheck: 'tcp' | 'ping' | 'none';
  readonly offPort: number;
  /** Null on a host delegate without the key: `local_shutdown.command` powers it off. */
  readonly shutdownCommand: string | null;
  readonly preShutdownCommands: readonly PreShutdownAction[];
}

/** The resources of a group: on this machine (only the local group) and over SSH. */
export interface ResourcesConfiguration extends Omit<Local, 'containers'> {
  readonly remoteServers: readonly RemoteServerConfiguration[];
  readonly containers: Omit<Local['containers'], 'composeFiles'> & {
    readonly composeFiles: readonly { readonly path: string; readonly stopTimeoutSeconds: number }[];
  };
}

export interface UpsConfiguration {
  readonly policy: UpsSettings;
  readonly address: UpsAddress;
  /** Null: the server is read without a login. */
  readonly readLogin: NutLogin | null;
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

export type RemoteHealthConfiguration = Sections['remoteHealth'];

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

export interface Configuration extends Pick<
  Sections,
  'api' | 'energy' | 'heartbeat' | 'localShutdown' | 'recovery' | 'remoteHealth' | 'statistics' | 'supervisor'
> {
  readonly ups: readonly UpsConfiguration[];
  readonly redundancyGroups: readonly RedundancyGroupConfiguration[];
  readonly dryRun: boolean;
  /** The daemon runs in a container: the machine to power off is its host. */
  readonly inContainer: boolean;
  readonly metrics: Sections['prometheus'];
  readonly mqtt: Omit<Sections['mqtt'], 'broker' | 'username' | 'password'> & {
    /** `username` and `password` are "" for none. */
    readonly broker: NutLogin & { readonly tls: boolean; readonly host: string; readonly port: number };
  };
  readonly nut: Omit<Sections['nut'], keyof NutLogin> & {
    readonly caPem: string | null;
    /** The certificate that a server may ask for, with its key. */
    readonly client: { readonly certPem: string; readonly keyPem: string } | null;
  };
  readonly voltageHysteresisMs: number;
  readonly reports: ReportsConfiguration;
  readonly notifications: NotificationsConfiguration;
  readonly hooks: readonly HookConfiguration[];
  readonly logging: Omit<Sections['logging'], 'syslog'> & {
    readonly syslog: { readonly address: string; readonly facility: string } | null;
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
  /** The settings, with all below them, of which a running daemon keeps the value that it was started with. */
  readonly needRestart: readonly SettingPath[];
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
