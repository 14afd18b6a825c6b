// The outcome of a command and of a target, as code and as text (specification/remote-servers.md#outcome). Pure.
import type { TargetOutcome, TargetStep } from '../../shared/protocol/remote.js';
import { oneLine } from './output.js';
import type { CommandResult } from './session.js';

const longestDetail = 1_024;
const longestSummary = 4_096;

export type StepEnd = Pick<TargetStep, 'result' | 'detail'>;

/** How a command ended that was to end by itself with exit status 0. */
export function stepOf({ end, stdout, stderr }: CommandResult, timeoutMs: number): StepEnd {
  const said = oneLine(stdout.trim() === '' ? stderr : stdout, longestDetail - 100);
  const failed = (detail: string): StepEnd => ({ result: 'failed', detail });
  switch (end.kind) {
    case 'exited':
      if (end.code === 0) return { result: 'ok', detail: said };
      return failed(`exit status ${String(end.code)}${meaning(end.code)}${saying(stderr, stdout)}`);
    case 'signalled':
      return failed(`ended there by ${end.signal}${saying(stderr, stdout)}`);
    case 'unknown':
      return failed(`the server did not say how it ended${saying(stderr, stdout)}`);
    case 'refused':
      return failed(`the server would not run it: ${oneLine(end.reason, 200)}`);
    case 'lost':
      return failed('the connection was lost meanwhile');
    case 'timeout':
      return {
        result: 'timeout',
        detail: `${end.begun ? 'still running' : 'not begun by the server'} after ${seconds(timeoutMs)}${end.begun ? ' and ended' : ''}${saying(stderr, stdout)}`,
      };
  }
}

/** What our own scripts say goes first: they name what is left. */
export function reportOf(result: CommandResult, timeoutMs: number): StepEnd {
  const { end, stdout } = result;
  const report = oneLine(stdout, longestDetail);
  if (end.kind !== 'exited' || report === '') return stepOf(result, timeoutMs);
  return { result: end.code === 0 ? 'ok' : 'failed', detail: report };
}

/**
 * How the final command ended. What takes the server down takes the connection along: a command that had begun and of
 * which nothing more is heard was delivered.
 */
export function finalOf(result: CommandResult, timeoutMs: number): StepEnd & { readonly delivered: boolean } {
  const { end } = result;
  const delivered = { result: 'ok', delivered: true } as const;
  if (end.kind === 'lost' && end.begun)
    return { ...delivered, detail: 'the connection went down with the server' };
  if (end.kind === 'signalled')
    return { ...delivered, detail: `ended there by ${end.signal}, as the server goes down` };
  if (end.kind === 'unknown') return { ...delivered, detail: 'the server closed it without an exit status' };
  const step = stepOf(result, timeoutMs);
  return { ...step, delivered: step.result === 'ok' };
}

/** The whole target from its steps. `failure`: how it failed as a whole; null leaves that to the steps. */
export function outcomeOf(
  steps: readonly TargetStep[],
  how: { readonly delivered: boolean; readonly failure: TargetOutcome['result'] | null },
): TargetOutcome {
  const bad = steps.filter(({ result }) => result !== 'ok');
  const result = how.failure ?? (bad.length > 0 ? 'failed' : 'ok');
  const parts = bad.map(({ what, detail }) => `${what}: ${detail}`);
  return {
    result,
    detail: result === 'ok' ? '' : parts.join('; ').slice(0, longestSummary),
    delivered: how.delivered,
    steps: steps.map((step) => ({
      ...step,
      what: step.what.slice(0, 256),
      detail: step.detail.slice(0, longestDetail),
    })),
  };
}

const seconds = (ms: number): string => `${String(Math.round(ms / 100) / 10)} s`;

/** What a shell means by it. */
function meaning(code: number): string {
  if (code === 127) return ' (no such command there)';
  if (code === 126) return ' (it may not be run there)';
  return '';
}

function saying(stderr: string, stdout: string): string {
  const said = oneLine(stderr.trim() === '' ? stdout : stderr, 400);
  return said === '' ? '' : `: ${said}`;
}
