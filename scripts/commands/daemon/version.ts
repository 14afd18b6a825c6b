// `ridethrough version`: the version of this build.
import { parseArgs } from 'node:util';
import { version as build } from '../../../shared/domain/base/version.js';
import { exitCode, jsonOption } from '../usage.js';

export function version(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: jsonOption });
  process.stdout.write(values.json ? `${JSON.stringify({ version: build })}\n` : `ridethrough ${build}\n`);
  return Promise.resolve(exitCode.fine);
}
