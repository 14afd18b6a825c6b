// "A sequence runs to its end and leaves nothing out": when it is said to be complete, all that the site has of the group was
// begun and has ended. "One summary for each remote phase lists every server with its result."
import type { Invariant } from './invariant.js';
import type { Sequence } from './sequence-record.js';
import type { StepRun } from './step-record.js';
import { hostKey, serverKey } from './step-record.js';

const oneSummary = 'one summary lists every server';

export const complete: Invariant = (facts) => {
  const { world, steps, sequences } = facts;
  const { plant, localShutdown, dryRun } = world.site;

  function serversOf(group: string): readonly string[] {
    const isDrained = plant.drain && facts.hostGroups.includes(group);
    return plant.servers.flatMap(({ name, owner }) => (owner === group || isDrained ? name : []));
  }

  function checkSummary({ group, summaries, crashes }: Sequence, detail: string): void {
    // After a kill right after the event it is sent and not on the disk.
    if (summaries > crashes) facts.violated(oneSummary, `${group} tells it again`);
    for (const name of serversOf(group)) {
      const said = dryRun
        ? `no server was called: .*(${name})(?:,|$)`
        : `(?:: |, )${name} (ok|failed|unreachable|timeout)`;
      const word = new RegExp(said).exec(detail)?.[1];
      const run = crashes === 0 ? steps.of(serverKey(name)) : undefined;
      const expected = dryRun ? name : run === undefined ? word : wordOf(run);
      if (word === undefined || word !== expected)
        facts.violated(oneSummary, `${name} is said to be ${String(word)}: ${detail}`);
    }
  }

  function checkEnd(sequence: Sequence): void {
    const { group, summaries, crashes, isUncertain } = sequence;
    if (crashes > 0 || isUncertain || sequences.hasLost) return;
    if (serversOf(group).length > 0 && summaries === 0) facts.violated(oneSummary, `${group} has told none`);
    if (dryRun || !sequences.isLatest(sequence)) return;
    const missing = workOf(group).find((key) => {
      const run = steps.of(key);
      // Another sequence may try it again at once.
      return run === undefined || (run.endedMs === null && run.beganMs < facts.nowMs && key !== hostKey);
    });
    if (missing !== undefined)
      facts.violated('a complete sequence has left nothing out', `${group}: ${missing}`);
  }

  /** What the site gives the group, by the keys of the record. */
  function workOf(group: string): readonly string[] {
    const outputs = localShutdown.enabled ? plant.outputs : [];
    return [
      ...serversOf(group).map(serverKey),
      ...(facts.isLocal(group) && plant.delegate === null ? localWork() : []),
      ...outputs.flatMap(({ ups }) => (facts.feeds(group).includes(ups) ? `output ${ups}` : [])),
      ...(facts.hostGroups.includes(group) ? [hostKey] : []),
    ];
  }

  function localWork(): readonly string[] {
    const { machines, containers, unmounts } = plant;
    const keyed = (kind: string, count: number) => {
      const keys = steps.all.flatMap(({ key, step }) => (step?.action.kind === kind ? key : []));
      return [...keys, ...Array.from({ length: Math.max(0, count - keys.length) }, () => kind)];
    };
    return [
      ...keyed('stopVirtualMachines', machines === null ? 0 : 1),
      ...keyed('stopCompose', containers?.projects.length ?? 0),
      ...keyed('stopContainers', containers?.remaining === true ? 1 : 0),
      ...keyed('unmount', unmounts?.paths.length ?? 0),
    ];
  }

  return {
    /** Before the record has it. */
    recorded({ type, source, detail }) {
      const sequence = sequences.last(source);
      if (sequence?.endedMs !== null || world.daemon.pendingKillMs !== null) return;
      if (type === 'REMOTE_SHUTDOWN_SUMMARY') checkSummary(sequence, detail);
      if (type === 'SHUTDOWN_SEQUENCE_COMPLETE') checkEnd(sequence);
    },
  };
};

function wordOf({ endedMs, outcome }: StepRun): string {
  if (endedMs === null) return 'not over';
  if (outcome === null) return 'timeout';
  return outcome.kind === 'failed' ? outcome.how : 'ok';
}
