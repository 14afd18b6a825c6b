// sd_notify(3) without a native module: systemd-notify is spawned, which needs neither a socket nor libuv's pool.
import { spawn } from 'node:child_process';
import type { Clock } from '../../shared/runtime/clock.js';
import { launched } from './launcher.js';

export interface ServiceManager {
  ready(status: string): void;
  reloading(): void;
  stopping(): void;
  status(text: string): void;
  /** To be called after every completed policy step; passes the news on three times per watchdog period. */
  alive(): void;
}

/** Talks to the manager that started us, or to nobody when there is none. */
export function serviceManager(environment: NodeJS.ProcessEnv, clock: Clock): ServiceManager {
  const socket = environment['NOTIFY_SOCKET'];
  if (socket === undefined || socket === '') return nobody;
  const notify = (...words: string[]): void => {
    try {
      const { file, args } = launched(['systemd-notify', `--pid=${String(process.pid)}`, ...words]);
      const child = spawn(file, args, {
        stdio: 'ignore',
        env: { NOTIFY_SOCKET: socket, PATH: environment['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin' },
      });
      // Missing or failing: systemd notices by its own time-outs and says so in the journal.
      child.on('error', () => undefined);
      child.unref();
    } catch {
      // ENOMEM and its like: as above; and what could not be said now is said at the next occasion.
    }
  };
  const watchdogMs = Number(environment['WATCHDOG_USEC'] ?? 0) / 1000;
  let fedAt = -Infinity;
  return {
    ready: (status) => notify('READY=1', `STATUS=${status}`),
    reloading: () =>
      notify('RELOADING=1', `MONOTONIC_USEC=${String(Math.floor(clock.monotonicMs() * 1000))}`),
    stopping: () => notify('STOPPING=1'),
    status: (text) => notify(`STATUS=${text}`),
    alive: () => {
      const now = clock.monotonicMs();
      if (watchdogMs <= 0 || now - fedAt < watchdogMs / 3) return;
      fedAt = now;
      notify('WATCHDOG=1');
    },
  };
}

const nobody: ServiceManager = {
  ready: () => undefined,
  reloading: () => undefined,
  stopping: () => undefined,
  status: () => undefined,
  alive: () => undefined,
};
