// `ridethrough run`: the daemon in the foreground, as systemd starts it.
import { parseArgs } from 'node:util';
import { isIP } from 'node:net';
import type { NotLoaded } from '../../../supervisor/config/configuration/configuration.js';
import type { DirectoryRefusal } from '../../../supervisor/host/runtime-directory.js';
import type { RunOptions } from '../../../supervisor/main.js';
import { configOption, exitCode, UsageError } from '../usage.js';

/**
 * Runs until SIGTERM or SIGINT; 78 and every problem on standard error when the configuration is invalid or this user may
 * not use its runtime directory, 75 when another daemon runs or nobody could read the configuration.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...configOption,
      api: { type: 'boolean' },
      'api-bind': { type: 'string' },
      'api-port': { type: 'string' },
    },
  });
  const api = apiFlags(values.api, values['api-bind'], values['api-port']);
  const { run: startDaemon } = await import('../../../supervisor/main.js');
  const started = await startDaemon({ configPath: values.config, api });
  if (!started.ok) {
    process.stderr.write(
      'refusal' in started ? refusalText(started.refusal) : invalid(values.config, started.invalid),
    );
    const mayPass =
      'refusal' in started ? started.refusal.refused === 'in use' : started.invalid.isUnread === true;
    return mayPass ? exitCode.tryLater : exitCode.configuration;
  }
  await started.ended;
  return exitCode.fine;
}

/** `--api-bind` and `--api-port` imply `--api` (specification/api.md#enabling). */
function apiFlags(api?: boolean, bind?: string, port?: string): RunOptions['api'] {
  if (bind !== undefined && isIP(bind) === 0)
    throw new UsageError(`--api-bind expects an IP address, not "${bind}"`);
  // Number() alone would also accept "1e3" and "".
  const number = port === undefined ? undefined : /^\d{1,5}$/.test(port) ? Number(port) : NaN;
  if (number !== undefined && !(number <= 65535)) {
    throw new UsageError(`--api-port expects a port from 0 to 65535, not "${String(port)}"`);
  }
  const enabled = api === true || bind !== undefined || port !== undefined;
  return {
    ...(enabled ? { enabled } : {}),
    ...(bind === undefined ? {} : { bind }),
    ...(number === undefined ? {} : { port: number }),
  };
}

function invalid(path: string, { problems, isUnread }: NotLoaded): string {
  const lines = problems.map(
    ({ path: where, message }) => `  ${where === '' ? '' : `${where}: `}${message}\n`,
  );
  if (isUnread === true)
    return `${path} could not be checked:\n${lines.join('')}The daemon did not start. The file may be valid: start it \
again (systemd does so after a second).\n`;
  const advice = `The daemon did not start. Without a valid configuration it monitors nothing and shuts nothing down.
Correct the file and try again. \`ridethrough validate --config ${path}\` checks it and starts nothing.
`;
  return `${path} is not a valid configuration:\n${lines.join('')}${advice}`;
}

function refusalText(refusal: DirectoryRefusal): string {
  const { directory } = refusal;
  if (refusal.refused === 'in use')
    return `Another daemon runs with the runtime directory ${directory}: a second one would command the same servers, and \
did not start.
Use that one (\`ridethrough status\`) or end it (\`systemctl stop ridethrough\`). For another set of UPSes give this one its
own supervisor.runtime_directory.
`;
  return `This user may not use the runtime directory ${directory} (${refusal.cause}). Another daemon would not be \
noticed, so this one did not start.
Start it as root, or set supervisor.runtime_directory to a folder that this user may write, such as one in its home.
`;
}
