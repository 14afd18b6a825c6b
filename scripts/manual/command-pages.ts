// ridethrough(8) and one page for each command, from the catalogue.
import { partsOf, usagesOf, wordsOf } from '../commands/help.js';
import type { CommandEntry, ExitCodes, Items } from '../commands/usage.js';
import { defaultConfigPath } from '../commands/usage.js';
import type { Title } from './roff.js';
import { bold, escapeRoff, item, prose, section, term } from './roff.js';

export interface Page extends Title {
  readonly body: string;
}

/** What is true of every command (specification/command-line.md#exit-codes). */
const exitCodes: ExitCodes = [
  [0, 'Done.'],
  [1, 'The operation failed.'],
  [2, 'Wrong usage.'],
  [75, 'Nobody could read the configuration in time; of "run" also: another daemon runs. Try again.'],
  [78, 'The configuration is invalid or missing.'],
];

interface Item {
  readonly term: string;
  readonly text: string;
}

const files: readonly Item[] = [
  { term: defaultConfigPath, text: 'The configuration, see ridethrough.toml(5).' },
  { term: '/var/lib/ridethrough/', text: 'History, users, API keys and the host keys of servers.' },
  {
    term: '/run/ridethrough/',
    text: 'The control socket, and what a restarted daemon needs in an outage: snapshot and journal.',
  },
];

const signals: readonly Item[] = [
  {
    term: 'SIGTERM, SIGINT',
    text: 'End the daemon. In a sequence it ends when the sequence has ended or the power-off has begun.',
  },
  { term: 'SIGHUP', text: 'Reload the configuration.' },
  { term: 'SIGUSR2', text: 'Write to the log how far every trigger is from firing.' },
];

export function commandPages(catalogue: readonly CommandEntry[]): readonly Page[] {
  return [mainPage(catalogue), ...catalogue.map(commandPage)];
}

function mainPage(catalogue: readonly CommandEntry[]): Page {
  const names = catalogue.map(({ name }) => pageOf(name));
  return {
    name: 'ridethrough',
    number: 8,
    summary: 'UPS daemon above NUT that shuts machines down in order and in time',
    body: [
      section('Synopsis'),
      '.SY ridethrough\n.I COMMAND\n.RI [ OPTIONS ]\n.YS\n',
      '.SY ridethrough\n.B help\n.RI [ COMMAND ]\n.YS\n.SY ridethrough\n.B \\-\\-version\n.YS\n',
      section('Description'),
      prose(
        'Ridethrough watches UPSes over NUT and shuts virtual machines, containers, file systems, remote servers and ' +
          'this machine down, in order, before a battery is empty. The daemon is "ridethrough run"; its unit is ' +
          'ridethrough.service. All other commands look at it, check it or drill it. Without a configuration nothing ' +
          'is shut down.',
      ),
      section('Commands'),
      ...catalogue.map(({ name, summary }) =>
        item(bold(name), `${capital(summary)}. See ${pageOf(name)}(8).`),
      ),
      section('Options'),
      item(term('-h, --help'), 'Print the commands; after a command, describe it.'),
      item(term('--version'), 'Print the version.'),
      section('Signals'),
      ...signals.map((one) => item(bold(one.term), one.text)),
      codes(exitCodes),
      section('Files'),
      ...files.map((one) => item(`\\fI${escapeRoff(one.term)}\\fR`, one.text)),
      seeAlso(['ridethrough.toml(5)', ...names.map((name) => `${name}(8)`), 'upsd(8)', 'upsc(8)']),
    ].join(''),
  };
}

function commandPage(entry: CommandEntry): Page {
  return {
    name: pageOf(entry.name),
    number: 8,
    summary: entry.summary,
    body: [
      section('Synopsis'),
      ...usagesOf(entry).map((usage) => {
        const parts = partsOf(entry, usage).filter((part) => part !== '\n');
        return `.SY "ridethrough ${escapeRoff(wordsOf(entry, usage).join(' '))}"\n${parts.map(synopsis).join('')}.YS\n`;
      }),
      section('Description'),
      ...entry.text.map(block),
      codes(entry.exitCodes),
      seeAlso(['ridethrough(8)', 'ridethrough.toml(5)']),
    ].join(''),
  };
}

/** One line for each part: the formatter breaks between lines only. */
function synopsis(part: string): string {
  const lines = part.endsWith('...') ? [part.slice(0, -3), '...'] : [part];
  const terms = lines.map(term);
  return terms.map((line) => `${line.length > 80 ? line.replace(' ', '\n') : line}\n`).join('');
}

function block(of: CommandEntry['text'][number], place: number): string {
  if (typeof of === 'string') return (place === 0 ? '' : '.PP\n') + prose(of);
  const list = (items: Items) => items.map((one) => item(term(one[0]), one[1])).join('');
  return 'lead' in of ? block(of.lead, place) + list(of.items) : list(of);
}

const codes = (all: ExitCodes): string =>
  section('Exit status') + all.map(([code, text]) => item(bold(String(code)), text)).join('');

function seeAlso(names: readonly string[]): string {
  const lines = names.map((name, index) => {
    const [, page = '', number = ''] = /^(.*)(\(\d\))$/.exec(name) ?? [];
    return `.BR ${escapeRoff(page)} ${number}${index < names.length - 1 ? ',' : ''}\n`;
  });
  return section('See also') + lines.join('');
}

const pageOf = (command: string): string => `ridethrough-${command}`;
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
