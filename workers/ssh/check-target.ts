// A drill on one target: logs in and asks whether the commands of the plan are there and may be run. Runs none of them.
import { beginsWithSudo, withSudo } from '../../shared/domain/with-sudo.js';
import type { RemoteWork } from '../../shared/domain/plan.js';
import type { SshAccess, TargetOutcome, TargetStep } from '../../shared/protocol/remote.js';
import { actions } from './actions/catalogue.js';
import type { SshGround } from './opening.js';
import { openSession } from './opening.js';
import { outcomeOf, reportOf } from './outcome.js';
import { posixAnswer, quoted, script, scriptShell, shellQuestion } from './shell.js';

/** One question to a shell; sudo may ask a directory service. */
const questionMs = 10_000;

/** Never rejects; ends within `budgetMs`. */
export async function checkTarget(
  work: RemoteWork,
  access: SshAccess,
  ground: SshGround,
  budgetMs: number,
): Promise<TargetOutcome> {
  const until = performance.now() + budgetMs;
  const steps: TargetStep[] = [];
  const beganMs = performance.now();
  const login = await openSession(access, ground, Math.min(budgetMs, access.connectTimeoutMs));
  const durationMs = performance.now() - beganMs;
  if (!login.ok) {
    const result = login.result === 'timeout' ? 'timeout' : 'failed';
    steps.push({ what: 'connect', result, durationMs, detail: login.reason });
    return outcomeOf(steps, { delivered: false, failure: login.result });
  }
  steps.push({ what: 'connect', result: 'ok', durationMs, detail: '' });
  const { session } = login;
  const timeout = (): number => Math.max(0, Math.min(questionMs, until - performance.now()));
  const shell = await session.run({ text: shellQuestion, timeoutMs: timeout(), partingMs: 0 });
  const isPosix = shell.end.kind === 'exited' && shell.stdout.trim() === posixAnswer;
  for (const { what, questions } of questionsOf(work)) {
    const since = performance.now();
    if (!isPosix) {
      const detail =
        'not checked: the shell of this login is no POSIX shell, so its commands are sent as they are';
      steps.push({ what, result: 'ok', durationMs: 0, detail });
      continue;
    }
    const timeoutMs = timeout();
    const input = script(questions, timeoutMs);
    const answer = await session.run({ text: scriptShell, input, timeoutMs, partingMs: 0 });
    steps.push({ what, ...reportOf(answer, timeoutMs), durationMs: performance.now() - since });
  }
  session.close();
  const late = steps.some(({ result }) => result === 'timeout');
  return outcomeOf(steps, { delivered: false, failure: late ? 'timeout' : null });
}

interface Questions {
  readonly what: string;
  readonly questions: readonly string[];
}

function questionsOf(work: RemoteWork): readonly Questions[] {
  const before = work.actions.map((asked): Questions => {
    const { action, command } = asked;
    if (action === 'command') {
      const text = withSudo(command ?? '', work.useSudo);
      return { what: `command ${command ?? ''}`.slice(0, 256), questions: textQuestions(text) };
    }
    const needs = actions[action].needs(asked);
    return { what: action, questions: needs.flatMap((one) => actionQuestions(one, work.useSudo)) };
  });
  if (work.final === null) return before;
  const final = textQuestions(withSudo(work.final, work.useSudo));
  return [...before, { what: 'final command', questions: final }];
}

const may = (words: string, shown: string): string =>
  `sudo -n -l ${words} >/dev/null 2>&1 || { printf '%s\\n' ${quoted(`sudo does not let this user run "${shown}" without a password`)}; finish 1; }`;

const has = (word: string): string =>
  `command -v ${quoted(word)} >/dev/null 2>&1 || { printf '%s\\n' ${quoted(`${word} is not there`)}; finish 1; }`;

/** One of `commands` is there, and sudo lets it be run where sudo is used. */
function actionQuestions(commands: readonly string[], useSudo: boolean): readonly string[] {
  const first = commands.map((command) => command.split(' ')[0] ?? '');
  const found = commands.map((command, index) => {
    const test = `command -v ${quoted(first[index] ?? '')} >/dev/null 2>&1`;
    return useSudo ? `if ${test}; then ${may(command, command)}; finish 0; fi` : `! ${test} || finish 0`;
  });
  const names = [...new Set(first)].join(' nor ');
  return [...found, `printf '%s\\n' ${quoted(`${names} is not there`)}`, 'finish 1'];
}

/** For the operator's own text: its first command, with all its words where it is nothing but words. */
function textQuestions(text: string): readonly string[] {
  const isPlain = /^[\w./:,=@%+ -]+$/.test(text);
  const words = text.trim().split(/\s+/);
  while (/^[A-Za-z_]\w*=/.test(words[0] ?? '')) words.shift();
  if (!beginsWithSudo(words.join(' '))) return [has(words[0] ?? '')];
  words.shift();
  while (words[0] === '-n' || words[0] === '--non-interactive') words.shift();
  // Another user, a shell, an environment: sudo itself would have to be asked about all of that.
  if (words[0]?.startsWith('-') === true) return [has('sudo')];
  const asked = isPlain ? words : words.slice(0, 1);
  return [has('sudo'), may(asked.map(quoted).join(' '), asked.join(' '))];
}
