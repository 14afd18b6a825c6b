// The environment of the tests, also where it is not scripts/test.sh that plays them.
import { join } from 'node:path';
import type { Folder } from './folder.js';
import { tree } from './times.js';

/** upsd, sshd and others are in directories outside a normal user's PATH. */
const systemPrograms = ['/usr/local/sbin', '/usr/sbin', '/sbin'];
/** Of programs whose packages are not installed. */
const tools = join(tree, 'node_modules/.cache/ridethrough-tools');

/** A zone that Node does not know is UTC to it and something else to the programs of the system: UTC for both. */
export function unknownZone(name: string | undefined): boolean {
  if (name === undefined || name === '') return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return false;
  } catch {
    return true;
  }
}

export function testEnvironment(folder: Folder): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  return {
    // Node 20 reads all certificates of that variable whenever a process starts, and the tests start thousands.
    ...env,
    ...folder.environment,
    ...(unknownZone(env['TZ']) ? { TZ: 'UTC' } : {}),
    PATH: [join(tools, 'bin'), env['PATH'] ?? '', ...systemPrograms].join(':'),
  };
}
