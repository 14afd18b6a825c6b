// `ridethrough init`: a first configuration, by questions, by flags, or from the files of another program.
import { parseArgs } from 'node:util';
import type { Setup } from '../../../shared/domain/setup/setup.js';
import { composeSetup } from '../../../shared/domain/setup/setup.js';
import { printable } from '../terminal/printable.js';
import { TerminalQuestions } from '../terminal/questions.js';
import { complain, defaultConfigPath, exitCode, UsageError } from '../usage.js';
import type { Draft } from './delivery.js';
import { deliver, refusalToWrite } from './delivery.js';
import { setupFromFlags } from './flags.js';
import { importDraft, programs } from './from/programs.js';
import { interview } from './interview.js';
import { report } from './report.js';
import { search } from './search.js';

const options = {
  nut: { type: 'string', multiple: true },
  ups: { type: 'string', multiple: true },
  local: { type: 'string', multiple: true },
  'nut-user': { type: 'string' },
  'nut-password-file': { type: 'string' },
  server: { type: 'string', multiple: true },
  api: { type: 'boolean', default: false },
  'from-upsmon': { type: 'string' },
  'from-eneru': { type: 'string' },
  'from-apcupsd': { type: 'string' },
  'from-powerpanel': { type: 'string' },
  output: { type: 'string', default: defaultConfigPath },
  force: { type: 'boolean', default: false },
} as const;

type Values = ReturnType<typeof parsed>;
const parsed = (args: readonly string[]) => parseArgs({ args: [...args], options, strict: true }).values;

export async function init(args: readonly string[]): Promise<number> {
  const values = parsed(args);
  const source = chosenSource(values);
  const { output, force } = values;
  const refused = await refusalToWrite(output, force);
  if (refused !== null) return complain('init', refused);
  const made = await draftOf(values, source);
  if (!made.ok) return complain('init', made.message);
  const delivered = await deliver(made.draft, output, force);
  if (!delivered.ok)
    return complain(
      'init',
      delivered.message,
      delivered.isInvalid ? exitCode.configuration : exitCode.failed,
    );
  if (delivered.text === null) process.stdout.write(printable(report(delivered, made.draft)));
  else {
    process.stdout.write(delivered.text);
    process.stderr.write(printable(`\n${report(delivered, made.draft)}`));
  }
  return exitCode.fine;
}

type Made = { readonly ok: true; readonly draft: Draft } | { readonly ok: false; readonly message: string };

interface Source {
  readonly program: keyof typeof programs;
  readonly path: string;
}

function chosenSource(values: Values): Source | undefined {
  const sources = (Object.keys(programs) as (keyof typeof programs)[]).flatMap((program) => {
    const path = values[`from-${program}`];
    return path === undefined ? [] : [{ program, path }];
  });
  if (sources.length > 1) throw new UsageError('only one --from-… is read at a time');
  const [source] = sources;
  const { nut, local, server, ups = [], 'nut-user': user, 'nut-password-file': file } = values;
  const others = nut ?? local ?? server ?? user ?? file;
  if (source !== undefined && (others !== undefined || values.api || ups.length > 1))
    throw new UsageError('a --from-… goes with --output, --force and at most one --ups');
  return source;
}

async function draftOf(values: Values, source: Source | undefined): Promise<Made> {
  if (source !== undefined) return importDraft(source.program, source.path, values.ups?.[0]);
  const isAsked = ['nut', 'ups', 'local', 'server', 'nut-user', 'nut-password-file'] as const;
  if (isAsked.some((name) => values[name] !== undefined) || values.api) {
    const flagged = await setupFromFlags(values, search, (text) => process.stderr.write(printable(text)));
    return flagged.ok ? { ok: true, draft: draftFor(flagged.setup, []) } : flagged;
  }
  if (!process.stdin.isTTY)
    throw new UsageError(
      'there is no terminal to ask at: give --local NAME@HOST or --ups NAME@HOST, or --nut HOST, or a --from-…',
    );
  const questions = new TerminalQuestions();
  try {
    const answers = await interview(questions, search);
    if (answers === null) return { ok: false, message: 'ended; nothing was written' };
    const secrets = answers.secrets.map((secret) => ({ ...secret, of: 'the password for the NUT server' }));
    return { ok: true, draft: draftFor(answers.setup, secrets) };
  } finally {
    questions.close();
  }
}

/** The secrets of the setup are names of files, or absolute paths of the operator's own. */
function draftFor(setup: Setup, secrets: Draft['secrets']): Draft {
  const placed = (directory: string): Setup => ({
    ...setup,
    upses: setup.upses.map((ups) => {
      const { login } = ups;
      if (login === null || login.passwordFile.startsWith('/')) return ups;
      return { ...ups, login: { ...login, passwordFile: `${directory}/${login.passwordFile}` } };
    }),
  });
  const unread = setup.upses.filter(({ isRead }) => !isRead).map(({ name }) => name);
  return { secrets, unread, compose: (directory) => composeSetup(placed(directory), 'ridethrough init') };
}
