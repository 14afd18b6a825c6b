// A drill on one target: logs in and checks that the commands of the plan exist and may be run. Runs none of them.
import { isInSwarm, keptOffIn, keptOffText, swarmText } from '../../shared/domain/commands/kept-off.js';
import type { RemoteWork } from '../../shared/domain/actions/remote-work.js';
import type { SshAccess, TargetOutcome, TargetStep } from '../../shared/protocol/remote.js';
import type { SshDependencies } from './open-session.js';
import { openSession } from './open-session.js';
import { outcomeOf, reportOf, stepOf } from './outcome.js';
import { oneLine } from './output-tail.js';
import { commandChecks } from './command-checks.js';
import type { CommandResult } from './session.js';
import { isPosixAnswer, script, scriptReport, scriptShell, shellCheck } from './shell.js';

/** For one check in a shell; sudo may ask a directory service. */
const checkTimeoutMs = 10_000;

/** Never rejects; ends within `budgetMs`. */
export async function checkTarget(
  work: RemoteWork,
  access: SshAccess,
  deps: SshDependencies,
  budgetMs: number,
): Promise<TargetOutcome> {
  const until = performance.now() + budgetMs;
  const steps: TargetStep[] = [];
  const beganMs = performance.now();
  const login = await openSession(access, deps, Math.min(budgetMs, access.connectTimeoutMs));
  const durationMs = performance.now() - beganMs;
  if (!login.ok) {
    const result = login.result === 'timeout' ? 'timeout' : 'failed';
    steps.push({ what: 'connect', result, durationMs, detail: login.reason });
    return outcomeOf(steps, { delivered: false, sent: false, maybeSent: false, failure: login.result });
  }
  steps.push({ what: 'connect', result: 'ok', durationMs, detail: '' });
  const { session } = login;
  const timeout = (): number => Math.max(0, Math.min(checkTimeoutMs, until - performance.now()));
  const shell = await session.run({ text: shellCheck, timeoutMs: timeout(), drainMs: 0 });
  const asked = performance.now() - beganMs - durationMs;
  if (!hasBegun(shell)) {
    session.close();
    // No command of a shutdown would run either.
    const { result, detail } = stepOf(shell, asked);
    steps.push({ what: 'login shell', result, durationMs: asked, detail });
    const failure = result === 'timeout' ? 'timeout' : 'failed';
    return outcomeOf(steps, { delivered: false, sent: false, maybeSent: false, failure });
  }
  const isPosix = isPosixAnswer(shell.stdout);
  const unchecked = new Set<string>();
  const keptOff = new Set<string>();
  let inSwarm = false;
  for (const { what, lines, policies } of commandChecks(work)) {
    const since = performance.now();
    const obstacle = !isPosix ? foreignShell(shell) : lines.length === 0 ? shellText(what) : null;
    if (obstacle !== null) {
      unchecked.add(obstacle);
      steps.push({ what, result: 'ok', durationMs: 0, detail: obstacle });
      continue;
    }
    const timeoutMs = timeout();
    const input = script(lines, timeoutMs);
    const answer = await session.run({ text: scriptShell, input, timeoutMs, drainMs: 0 });
    const end = reportOf(answer, timeoutMs);
    steps.push({ what, ...end, durationMs: performance.now() - since });
    if (end.result !== 'ok' || policies === undefined) continue;
    const shown = await session.run({
      text: scriptShell,
      input: script(policies, timeout()),
      timeoutMs: timeout(),
      drainMs: 0,
    });
    const report = scriptReport(shown.stdout) ?? '';
    for (const name of keptOffIn(report)) keptOff.add(name);
    inSwarm ||= isInSwarm(report);
  }
  session.close();
  const late = steps.some(({ result }) => result === 'timeout');
  return outcomeOf(steps, {
    delivered: false,
    sent: false,
    maybeSent: false,
    unchecked: [...unchecked].join('; '),
    note: [keptOffText([...keptOff]), ...(inSwarm ? [swarmText] : [])]
      .filter((text) => text !== '')
      .join('; '),
    failure: late ? 'timeout' : null,
  });
}

const hasBegun = ({ end }: CommandResult): boolean =>
  end.kind !== 'refused' && (!('begun' in end) || end.begun === 'yes');

/** Such as Windows, RouterOS and fish; what it printed tells the operator which it is. */
function foreignShell({ end, stdout, stderr }: CommandResult): string {
  const printed = oneLine(stdout.trim() === '' ? stderr : stdout, 80);
  const answer = printed === '' ? (end.kind === 'timeout' ? 'nothing in time' : 'nothing') : `"${printed}"`;
  return `not checked: the login shell is not POSIX (to a question it printed ${answer}), so commands are sent as configured, without the sbin folders in PATH. Try them once by hand, with whole paths where they are not found`;
}

const shellText = (what: string): string =>
  `not checked: which program the ${what} runs is known to the shell alone. Try it once by hand`;
