// The outcome of a command and of a target, as code and as text (specification/remote-servers.md#outcome). Pure.
import type { TargetOutcome, TargetStep } from '../../shared/protocol/remote.js';
import { formatSeconds } from '../../shared/domain/base/duration.js';
import { isEndedBySignal } from '../../shared/domain/commands/ended-by-signal.js';
import { oneLine } from './output-tail.js';
import type { CommandResult } from './session.js';
import { scriptReport } from './shell.js';

const maxDetailLength = 1_024;
const maxSummaryLength = 4_096;

export type StepResult = Pick<TargetStep, 'result' | 'detail'>;
export type FinalEnd = StepResult & Pick<TargetOutcome, 'delivered' | 'sent' | 'maybeSent'>;

/** The result of a command that must end with exit status 0. */
export function stepOf({ end, stdout, stderr }: CommandResult, timeoutMs: number): StepResult {
  const output = oneLine(stdout.trim() === '' ? stderr : stdout, maxDetailLength - 100);
  const failed = (detail: string): StepResult => ({ result: 'failed', detail });
  switch (end.kind) {
    case 'exited':
      if (end.code === 0) return { result: 'ok', detail: output };
      return failed(`exit status ${String(end.code)}${meaning(end.code)}${withOutput(stderr, stdout)}`);
    case 'signalled':
      return failed(`ended on the server by ${end.signal}${withOutput(stderr, stdout)}`);
    case 'unknown':
      return failed(`the server sent no exit status${withOutput(stderr, stdout)}`);
    case 'refused':
      return failed(`the server refused to run it: ${oneLine(end.reason, 200)}`);
    case 'lost':
      return failed('the connection was lost while it ran');
    case 'timeout': {
      const after = `after ${formatSeconds(timeoutMs / 1000)}`;
      const isRunning = end.begun === 'yes';
      const found = isRunning ? `still running ${after} and ended` : `not begun by the server ${after}`;
      return { result: 'timeout', detail: `${found}${withOutput(stderr, stdout)}` };
    }
  }
}

/** Of a script of the daemon. Its report comes first: it names the items left running. */
export function reportOf(result: CommandResult, timeoutMs: number): StepResult {
  const { end, stdout, stderr } = result;
  const said = scriptReport(stdout);
  if (said === null && end.kind === 'exited' && end.code === 0)
    return { result: 'failed', detail: `the login ended without running it${withOutput(stdout, stderr)}` };
  const report = oneLine(said ?? '', maxDetailLength);
  if (end.kind !== 'exited' || report === '') return stepOf({ ...result, stdout: said ?? stdout }, timeoutMs);
  return { result: end.code === 0 ? 'ok' : 'failed', detail: report };
}

/**
 * The result of the final command. A shutdown ends the connection: a command that had begun, without a result, is delivered.
 */
export function finalOf(result: CommandResult, timeoutMs: number): FinalEnd {
  const { end } = result;
  const delivered = { result: 'ok', delivered: true, sent: true, maybeSent: false } as const;
  if (end.kind === 'lost' && end.begun === 'yes')
    return { ...delivered, detail: 'the connection ended with the server' };
  if (end.kind === 'signalled')
    return { ...delivered, detail: `ended by ${end.signal}, since the server shuts down` };
  if (end.kind === 'unknown') return { ...delivered, detail: 'the server closed it without an exit status' };
  const step = stepOf(result, timeoutMs);
  const begun = end.kind === 'refused' ? 'no' : 'begun' in end ? end.begun : 'yes';
  // Its shell outlived it: the server may go down, or somebody has ended it.
  const isEnded = end.kind === 'exited' && isEndedBySignal(end.code);
  const maybeSent = begun === 'asked' || isEnded;
  return { ...step, delivered: step.result === 'ok', sent: begun === 'yes', maybeSent };
}

/** The outcome of a target from its steps. `failure`: the failure of the target itself; null: the steps decide. */
export function outcomeOf(
  steps: readonly TargetStep[],
  how: Pick<TargetOutcome, 'delivered' | 'sent' | 'maybeSent'> & {
    readonly failure: TargetOutcome['result'] | null;
    readonly unchecked?: string;
    /** What a person must know of a target that is ok. */
    readonly note?: string;
  },
): TargetOutcome {
  const bad = steps.filter(({ result }) => result !== 'ok');
  const result = how.failure ?? (bad.length > 0 ? 'failed' : 'ok');
  const parts = bad.map(({ what, detail }) => `${what}: ${detail}`);
  return {
    result,
    detail: (result === 'ok' ? (how.note ?? '') : parts.join('; ')).slice(0, maxSummaryLength),
    delivered: how.delivered,
    sent: how.sent,
    maybeSent: how.maybeSent,
    unchecked: (how.unchecked ?? '').slice(0, maxDetailLength),
    steps: steps.map((step) => ({
      ...step,
      what: step.what.slice(0, 256),
      detail: step.detail.slice(0, maxDetailLength),
    })),
  };
}

/** The meaning of an exit status of a shell. */
function meaning(code: number): string {
  if (code === 127) return ' (no such command)';
  if (code === 126) return ' (not executable)';
  return '';
}

function withOutput(stderr: string, stdout: string): string {
  const output = oneLine(stderr.trim() === '' ? stdout : stderr, 400);
  return output === '' ? '' : `: ${output}`;
}
