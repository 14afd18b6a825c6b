// One health probe of one server: log in, run the one harmless command, disconnect. With `check_privileges` it also checks that
// the commands of a shutdown exist and may be run. Runs nothing else.
import { isHarmlessProbe } from '../../shared/domain/actions/probe-command.js';
import type { ProbeFinding, ProberSettings } from '../../shared/protocol/prober.js';
import { privilegesMs, probeCommandMs } from '../../shared/protocol/prober.js';
import type { Obstacle, SshAccess } from '../../shared/protocol/remote.js';
import { checkTarget } from '../ssh/check-target.js';
import type { SshDependencies } from '../ssh/open-session.js';
import { openSession } from '../ssh/open-session.js';
import type { CommandResult } from '../ssh/session.js';
import { maxDrainMs } from '../ssh/session.js';
import { stepOf } from '../ssh/outcome.js';

export interface ProbeDependencies extends SshDependencies {
  readonly ownNetworkDown: (addresses: readonly string[]) => Promise<boolean>;
}

const maxReasonLength = 1_024;

/** Never rejects. A hanging server takes its connect timeout, or the ten seconds of the command. */
export async function probe(
  server: string,
  { servers, works, probeCommand }: ProberSettings,
  deps: ProbeDependencies,
): Promise<ProbeFinding> {
  const access = servers.find((one) => one.server === server);
  if (access === undefined) return failureOf(`no server ${server} is configured for probes`);
  if (!isHarmlessProbe(probeCommand))
    return failureOf('the probe command is not allowed and was not run: check remote_health.probe_command');
  const beganMs = performance.now();
  const login = await openSession(access, deps, access.connectTimeoutMs);
  if (!login.ok) {
    const ownNetwork = login.result === 'unreachable' && (await isDown(access, deps));
    const reason = ownNetwork ? `this machine has no network: ${login.reason}` : login.reason;
    return { ...failureOf(reason, login.obstacle), ownNetwork };
  }
  const { session } = login;
  const answer = await session.run({ text: probeCommand, timeoutMs: probeCommandMs, drainMs: maxDrainMs });
  const latencyMs = performance.now() - beganMs;
  session.close();
  const { result, detail } = stepOf(answer, probeCommandMs);
  const isUnknown = result === 'failed' && knowsNoTrue(probeCommand, answer);
  if (result !== 'ok' && !isUnknown)
    return failureOf(`the probe command "${probeCommand}" failed: ${detail}`);
  const unchecked = isUnknown ? withoutTrue(detail) : '';
  const work = works.find((one) => one.server === server);
  if (work === undefined) return { ok: true, latencyMs, unchecked };
  const allowed = await checkTarget(work, access, deps, access.connectTimeoutMs + privilegesMs);
  return allowed.result === 'ok'
    ? { ok: true, latencyMs, unchecked: allowed.unchecked === '' ? unchecked : allowed.unchecked }
    : failureOf(`can be reached, but could not be shut down: ${allowed.detail}`);
}

/**
 * Windows and RouterOS have no `true`, the default: they took the command, and named it in an error, in the language of the server
 * ("'true' is not recognized …", "bad command name true"). A login without a shell names no command.
 */
function knowsNoTrue(probeCommand: string, { end, stdout, stderr }: CommandResult): boolean {
  const hasAnswered = end.kind === 'unknown' || end.kind === 'exited';
  return (
    hasAnswered &&
    probeCommand.trim() === 'true' &&
    /(?<![\w/.-])true(?![\w/.-])/.test(`${stdout}\n${stderr}`)
  );
}

const withoutTrue = (detail: string): string =>
  `the server has no command "true": the login is checked, no command is (${detail}); set remote_health.probe_command to one that every server knows, or ignore this`.slice(
    0,
    maxReasonLength,
  );

/** The addresses are known by now: those of the login. */
async function isDown(
  { host }: SshAccess,
  { addresses, ownNetworkDown }: ProbeDependencies,
): Promise<boolean> {
  return ownNetworkDown(await addresses.find(host, 0));
}

function failureOf(reason: string, obstacle: Obstacle | null = null): Extract<ProbeFinding, { ok: false }> {
  return { ok: false, reason: reason.slice(0, maxReasonLength), obstacle, ownNetwork: false };
}
