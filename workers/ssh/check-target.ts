// A drill on one target: logs in and checks that the commands of the plan exist and may be run. Runs none of them, and stores no host key.
import {
  haGuestsIn,
  haGuestsText,
  isInSwarm,
  keptOffIn,
  keptOffText,
  swarmText,
} from '../../shared/domain/commands/kept-off.js';
import type { RemoteWork } from '../../shared/domain/actions/remote-work.js';
import type { DrillFinding } from '../../shared/domain/recovery/recovery-check.js';
import { maxFindingText } from '../../shared/domain/recovery/recovery-check.js';
import type { SshAccess, TargetCheck, TargetStep } from '../../shared/protocol/remote.js';
import type { SshDependencies } from './open-session.js';
import { openSession } from './open-session.js';
import { outcomeOf, reportOf, stepOf } from './outcome.js';
import { oneLine } from './output-tail.js';
import { commandChecks } from './command-checks.js';
import type { CommandResult, SshSession } from './session.js';
import { neighbourOf } from './own-network.js';
import { isPosixAnswer, script, scriptReport, scriptShell, shellCheck } from './shell.js';
import { wakeFindings, wakeLines } from './wake-check.js';

/** For one check in a shell; sudo may ask a directory service. */
const checkTimeoutMs = 10_000;

/** Never rejects; ends within `budgetMs`. */
export async function checkTarget(
  work: RemoteWork,
  access: SshAccess,
  deps: SshDependencies,
  budgetMs: number,
  wakeMac: string | null = null,
): Promise<TargetCheck> {
  const until = performance.now() + budgetMs;
  const steps: TargetStep[] = [];
  const beganMs = performance.now();
  const hostKeyPolicy = access.hostKeyPolicy === 'strict' ? 'strict' : 'unstored';
  const login = await openSession(
    { ...access, hostKeyPolicy },
    deps,
    Math.min(budgetMs, access.connectTimeoutMs),
  );
  const durationMs = performance.now() - beganMs;
  if (!login.ok) {
    const result = login.result === 'timeout' ? 'timeout' : 'failed';
    steps.push({ what: 'connect', result, durationMs, detail: login.reason });
    return { ...outcomeOf(steps, { ...nothingSent, failure: login.result }), wayBack: null };
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
    return { ...outcomeOf(steps, { ...nothingSent, failure }), wayBack: null };
  }
  const isPosix = isPosixAnswer(shell.stdout);
  const unchecked = new Set<string>();
  const keptOff = new Set<string>();
  const ofHa = new Set<string>();
  const unasked: string[] = [];
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
    if (policies === undefined) continue;
    if (end.result !== 'ok') {
      unasked.push(staysOff(what));
      continue;
    }
    const shown = await session.run({
      text: scriptShell,
      input: script(policies, timeout()),
      timeoutMs: timeout(),
      drainMs: 0,
    });
    const report = scriptReport(shown.stdout) ?? '';
    if (shown.end.kind !== 'exited' || scriptReport(shown.stdout) === null) unasked.push(staysOff(what));
    for (const name of keptOffIn(report)) keptOff.add(name);
    for (const id of haGuestsIn(report)) ofHa.add(id);
    inSwarm ||= isInSwarm(report);
  }
  const known = deps.addresses.lastAddresses(access.host);
  const wake =
    isPosix && wakeMac !== null
      ? await wakeOf(wakeMac, session, work.useSudo, known, timeout())
      : { findings: [], isAsked: true };
  if (!wake.isAsked) unasked.push('whether its network card is armed');
  session.close();
  const guests = haGuestsText([...ofHa]);
  const note = [keptOffText([...keptOff]), ...(inSwarm ? [swarmText] : [])]
    .filter((text) => text !== '')
    .join('; ');
  const late = steps.some(({ result }) => result === 'timeout');
  const outcome = outcomeOf(steps, {
    ...nothingSent,
    unchecked: [...unchecked].join('; '),
    note: [note, guests, ...wake.findings.map(({ text }) => text)].filter((text) => text !== '').join('; '),
    failure: late ? 'timeout' : null,
  });
  const wayBack: DrillFinding[] = [
    ...(note === '' ? [] : [{ kind: 'containers', text: note.slice(0, maxFindingText) } as const]),
    ...(guests === '' ? [] : [{ kind: 'guests', text: guests } as const]),
    ...(isPosix ? wake.findings : [{ kind: 'not_asked', text: notAsked } as const]),
    ...(isPosix && unasked.length > 0 ? [unaskedFinding(unasked)] : []),
  ];
  return { ...outcome, wayBack };
}

const nothingSent = { delivered: false, sent: false, maybeSent: false } as const;

/** No step of a drill: a shutdown needs none of it. */
async function wakeOf(
  mac: string,
  session: SshSession,
  useSudo: boolean,
  addresses: readonly string[],
  timeoutMs: number,
): Promise<{ readonly findings: readonly DrillFinding[]; readonly isAsked: boolean }> {
  const input = script(wakeLines(mac, useSudo), timeoutMs);
  const { end, stdout } = await session.run({ text: scriptShell, input, timeoutMs, drainMs: 0 });
  const neighbours = addresses.flatMap((address) => neighbourOf(address) ?? []);
  const neighbour = neighbours.includes(mac) ? mac : (neighbours[0] ?? null);
  const report = end.kind === 'exited' ? scriptReport(stdout) : null;
  return { findings: wakeFindings(mac, report, neighbour), isAsked: report !== null };
}

const staysOff = (action: string): string => `what stays off after ${action}`;

/** Silence would read as if nothing spoke against its way back. */
const unaskedFinding = (unasked: readonly string[]): DrillFinding => ({
  kind: 'not_asked',
  text: `the drill could not ask it ${unasked.join(', ')}`.slice(0, maxFindingText),
});

const notAsked =
  'its login shell is not POSIX, so a drill cannot ask which of its containers stay off, and whether its network card is armed';

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
