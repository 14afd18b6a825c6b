// sd_notify(3) without a native module: spawns systemd-notify, which needs no socket here and no thread of libuv's pool.
import { spawn } from 'node:child_process';
import type { Clock } from '../../shared/runtime/clock.js';
import { launchCommand } from './launcher.js';

/** As TimeoutStopSec= of the unit. */
const extensionMs = 60_000;

export interface ServiceManager {
  ready(status: string): void;
  reloading(): void;
  /** The daemon ends after its sequence: from now on `alive` also extends the time that systemd gives a stop. */
  stopsLater(): void;
  stopping(): void;
  /** Called after every completed policy step; sends WATCHDOG=1 three times per watchdog period. */
  alive(): void;
}

/** The service manager that started this process, or one that does nothing. */
export function serviceManager(environment: NodeJS.ProcessEnv, clock: Clock): ServiceManager {
  const socket = environment['NOTIFY_SOCKET'];
  if (socket === undefined || socket === '') return noManager;
  const notify = (...words: string[]): void => {
    try {
      const { file, args } = launchCommand(['systemd-notify', `--pid=${String(process.pid)}`, ...words]);
      const child = spawn(file, args, {
        stdio: 'ignore',
        env: { NOTIFY_SOCKET: socket, PATH: environment['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin' },
      });
      // When systemd-notify is missing or fails, systemd's own timeouts expire, and its journal says so.
      child.on('error', () => undefined);
      child.unref();
    } catch {
      // ENOMEM and similar: as above. A later step sends WATCHDOG=1 again.
    }
  };
  const watchdogMs = Number(environment['WATCHDOG_USEC'] ?? 0) / 1000;
  let stopsLater = false;
  let lastFedMs = -Infinity;
  return {
    ready: (status) => notify('READY=1', `STATUS=${status}`),
    reloading: () =>
      notify('RELOADING=1', `MONOTONIC_USEC=${String(Math.floor(clock.monotonicMs() * 1000))}`),
    stopsLater: () => {
      stopsLater = true;
      lastFedMs = -Infinity;
    },
    stopping: () => notify('STOPPING=1'),

    alive: () => {
      const now = clock.monotonicMs();
      const periodMs = Math.min(watchdogMs > 0 ? watchdogMs : Infinity, stopsLater ? extensionMs : Infinity);
      if (periodMs === Infinity || now - lastFedMs < periodMs / 3) return;
      lastFedMs = now;
      notify(
        ...(watchdogMs > 0 ? ['WATCHDOG=1'] : []),
        ...(stopsLater ? [`EXTEND_TIMEOUT_USEC=${String(extensionMs * 1000)}`] : []),
      );
    },
  };
}

const noManager: ServiceManager = {
  ready: () => undefined,
  reloading: () => undefined,
  stopsLater: () => undefined,
  stopping: () => undefined,

  alive: () => undefined,
};
