// `ridethrough support`: an archive for a bug report from the running daemon, as a file.
import { open } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { errorMessage } from '../../../shared/domain/base/error-message.js';
import { requestBytes, socketOf } from '../control/control-socket.js';
import { configOption, complain, exitCode, UsageError } from '../usage.js';

/** The daemon asks for details of each UPS for 20 s at most. */
const answerMs = 60_000;
/** It names hosts and users. */
const fileMode = 0o600;

/** Returns the exit code: 0 with a complete file, 1 without. */
export async function support(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { ...configOption, socket: { type: 'string' }, output: { type: 'string' } },
  });
  const path = values.output ?? defaultName();
  if (path === '') throw new UsageError('--output expects the name of a file, or - for standard output');
  if (path === '-' && process.stdout.isTTY)
    throw new UsageError('the archive is not for a terminal: redirect it, or name a file with --output');
  const socket = await socketOf(values);
  if (!socket.ok) return complain('support', socket.message, socket.code);
  const archive = await requestBytes(socket.path, 'support', answerMs);
  if (!archive.ok) return complain('support', archive.message);
  if (path === '-') {
    process.stdout.write(archive.value);
    return exitCode.fine;
  }
  try {
    // Never over another file, nor through a link.
    const file = await open(path, 'wx', fileMode);
    try {
      await file.writeFile(archive.value);
    } finally {
      await file.close();
    }
  } catch (error) {
    return complain('support', `the archive cannot be written: ${errorMessage(error)}`);
  }
  process.stdout.write(`${path}\n`);
  process.stderr.write(
    'Read README.txt in it before you send it to anybody: it names hosts, users and serial numbers.\n',
  );
  return exitCode.fine;
}

function defaultName(): string {
  const at = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  return `ridethrough-support-${at}.tar.gz`;
}
