// Loaded into each Node.js process of a condition before its own code (NODE_OPTIONS=--import): workers of the daemon have an
// environment of their own, and would have the clock of this machine.
import childProcess from 'node:child_process';
import type { SpawnOptions } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

const names = [
  ...['LD_PRELOAD', 'FAKETIME', 'FAKETIME_SHARED', 'FAKETIME_TIMESTAMP_FILE', 'FAKETIME_CACHE_DURATION'],
  ...['FAKETIME_DONT_FAKE_MONOTONIC', 'DONT_FAKE_MONOTONIC', 'NO_FAKE_STAT'],
];
const clock = Object.fromEntries(
  names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
);
const ours = process.env['NODE_OPTIONS'] ?? '';
const { spawn } = childProcess;

/** A test may load something of its own into a daemon, by the same variable. */
function withClock({ NODE_OPTIONS: options, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if ('RIDETHROUGH_SUPERVISOR' in env) return { ...env, ...clock };
  if (options === undefined || !('FAKETIME' in env)) return { ...env, NODE_OPTIONS: options };
  return { ...env, NODE_OPTIONS: options.includes(ours) ? options : `${options} ${ours}` };
}

/** Chromium does not start with libfaketime; its pages take the time from the daemon. */
const isBrowser = (command: string): boolean => command.endsWith('/chromium');

function withoutClock(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}

childProcess.spawn = ((command: string, args: readonly string[] | SpawnOptions, given?: SpawnOptions) => {
  if (Array.isArray(args)) {
    const env = given?.env ?? process.env;
    return spawn(command, args as readonly string[], {
      ...given,
      env: isBrowser(command) ? withoutClock(env) : withClock(env),
    });
  }
  return spawn(command, args as SpawnOptions);
}) as typeof spawn;
syncBuiltinESMExports();
