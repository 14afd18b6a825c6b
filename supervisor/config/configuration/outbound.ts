// [notifications] and [[hooks]] as the program uses them: what leaves the daemon at events. Types only.
import type { EventType } from '../../../shared/domain/status/events.js';
import type { CommandLine } from '../../../shared/domain/commands/command-line.js';
import type { NotifySettings, ServiceSettings } from '../../../shared/protocol/notify.js';

/** What is sent to a service, besides safety events, which always are. */
export interface ServiceFilter {
  readonly verbosity: number;
  /** Empty: all. */
  readonly events: readonly string[];
  /** groupIds; empty: all. */
  readonly sources: readonly string[];
}

export interface NotificationService extends ServiceSettings {
  readonly filter: ServiceFilter;
  /** 0: what stays open is not repeated. */
  readonly repeatMs: number;
}

export interface HookConfiguration {
  /** By its content: the same over a restart and a reload. */
  readonly id: string;
  /** For messages: `hooks[0]`. */
  readonly label: string;
  readonly on: readonly EventType[];
  /** groupIds; empty: all, and the daemon. */
  readonly sources: readonly string[];
  readonly afterMs: number;
  readonly cancelOn: readonly EventType[];
  readonly command: CommandLine;
  readonly timeoutMs: number;
  readonly inDryRun: boolean;
}

export interface NotificationsConfiguration extends Readonly<Omit<NotifySettings, 'services' | 'sources'>> {
  readonly services: readonly NotificationService[];
  readonly retentionSeconds: number;
  readonly suppress: readonly EventType[];
}
