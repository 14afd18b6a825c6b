// Checks REMOTE_SHUTDOWN_SUMMARY: once for each remote phase, with the outcome of every server.
import type { OracleContext } from './oracle-context.js';
import type { SequenceModel, Running, StepState } from './sequence-model.js';

export function checkSummary(
  context: OracleContext,
  model: SequenceModel,
  running: Running,
  detail: string,
): void {
  const rule = 'one summary lists every server';
  running.summaries += 1;
  // After a kill right after the event it is sent and not on the disk.
  if (running.summaries > 1 + running.crashes) context.violated(rule, `${running.group} tells it again`);
  for (const { key } of running.plan) {
    const [kind, name = ''] = key.split(' ');
    if (kind !== 'server') continue;
    const isDryRun = context.world.site.dryRun;
    const said = isDryRun
      ? `no server was called: .*(${name})(?:,|$)`
      : `(?:: |, )${name} (ok|failed|unreachable|timeout)`;
    const word = new RegExp(said).exec(detail)?.[1];
    const expected = isDryRun ? name : wordOf(model.steps.get(key));
    if (word !== expected)
      context.violated(rule, `${name} is said to be ${String(word)}, it is ${expected}: ${detail}`);
  }
}

function wordOf(state: StepState | undefined): string {
  if (state?.kind !== 'over') return 'not over';
  const { outcome } = state;
  if (outcome === null) return 'timeout';
  return outcome.kind === 'failed' ? outcome.how : 'ok';
}
