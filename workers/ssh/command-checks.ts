// The checks of a drill in a shell: whether each command of a target exists and may be run. Runs none of them.
import type { RemoteWork } from '../../shared/domain/actions/remote-work.js';
import { beginsWithSudo, withSudo } from '../../shared/domain/commands/with-sudo.js';
import { quoteWord } from '../../shared/domain/commands/shell-words.js';
import { serverActions } from '../../shared/domain/actions/on-servers.js';
import { asksPassword, requireSudo } from './sudo-check.js';

export interface CommandCheck {
  readonly what: string;
  /** Lines for `script` of shell.ts. */
  readonly lines: readonly string[];
  /** Lines that print the restart policies of the containers that it would stop. */
  readonly policies?: readonly string[];
}

/** One for each action, and one for the final command. */
export function commandChecks(work: RemoteWork): readonly CommandCheck[] {
  const before = work.actions.map((asked): CommandCheck => {
    const { action, command } = asked;
    if (action === 'command') {
      const text = withSudo(command ?? '', work.useSudo);
      return { what: `command ${command ?? ''}`.slice(0, 256), lines: textChecks(text) };
    }
    const kind = serverActions[action];
    const order = { ...asked, useSudo: work.useSudo, seconds: 0, ownContainer: null, ranMark: 'none' };
    const policies = kind.policies?.(order);
    return {
      what: action,
      lines: actionChecks(kind.needs(asked), work.useSudo),
      ...(policies === undefined ? {} : { policies }),
    };
  });
  if (work.final === null) return before;
  const final = textChecks(withSudo(work.final, work.useSudo));
  return [...before, { what: 'final command', lines: final }];
}

const requireProgram = (word: string): string =>
  `command -v ${quoteWord(word)} >/dev/null 2>&1 || { printf '%s\\n' ${quoteWord(`${word} was not found`)}; finish 1; }`;

/** One of `commands` exists, and sudo allows it where sudo is used. */
function actionChecks(commands: readonly string[], useSudo: boolean): readonly string[] {
  const first = commands.map((command) => command.split(' ')[0] ?? '');
  const found = commands.map((command, index) => {
    const test = `command -v ${quoteWord(first[index] ?? '')} >/dev/null 2>&1`;
    return useSudo
      ? `if ${test}; then ${requireSudo(command, command)}; finish 0; fi`
      : `! ${test} || finish 0`;
  });
  const names = [...new Set(first)].join(' nor ');
  return [
    ...(useSudo ? [asksPassword] : []),
    ...found,
    `printf '%s\\n' ${quoteWord(`${names} was not found`)}`,
    'finish 1',
  ];
}

/**
 * For the operator's text: its first command, with all its words. Where a shell would change the words, it checks only the
 * certain part, because a sudo rule for one list of words does not apply to another.
 */
function textChecks(text: string): readonly string[] {
  const first = firstCommand(text);
  const plain = plainWords(first);
  const words = [...(plain ?? first.trim().split(/\s+/))];
  while (/^[A-Za-z_]\w*=/.test(words[0] ?? '')) words.shift();
  if (!beginsWithSudo(words.join(' '))) {
    const [program = ''] = words;
    return program !== '' && (plain !== null || /^[\w./:+-]+$/.test(program))
      ? [requireProgram(program)]
      : [];
  }
  words.shift();
  while (words[0] === '-n' || words[0] === '--non-interactive') words.shift();
  // sudo with options (another user, a shell, an environment) cannot be checked this way.
  if (plain === null || words[0] === undefined || words[0].startsWith('-')) return [requireProgram('sudo')];
  return [asksPassword, requireProgram('sudo'), requireSudo(words.map(quoteWord).join(' '), words.join(' '))];
}

/** The text up to the end of the first command or a redirection. All of it when a quote is not closed. */
function firstCommand(text: string): string {
  const [first = ''] = /^(?:'[^']*'|\\.|(?!\s\d*[<>])[^'\\;&|\n<>])*/.exec(text) ?? [];
  return /['\\]/.test(text.charAt(first.length)) ? text : first;
}

/** The words of a text whose only special characters are single quotes, as set by `quoted`; else null. */
function plainWords(text: string): readonly string[] | null {
  if (!/^(?:[\w./:,=@%+ \t-]|'[^']*'|\\')*$/.test(text)) return null;
  const words = text.match(/(?:[\w./:,=@%+-]|'[^']*'|\\')+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|\\'/g, (_, inside?: string) => inside ?? "'"));
}
