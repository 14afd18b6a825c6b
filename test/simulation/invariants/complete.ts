// "A sequence runs to its end and leaves nothing out": when it is said to be complete, all that the site has of the group was
// begun and has ended. "One summary for each remote phase lists every server with its result."
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';
import { Invariant } from './invariant.js';
import type { Sequence } from './sequence-record.js';
import type { StepRun } from './step-record.js';
import { hostKey, serverKey } from './step-record.js';

export class Complete extends Invariant {
  /** Before the record has it. */
  recorded({ type, source, detail }: RecordedEvent): void {
    const { sequences, world } = this.facts;
    const sequence = sequences.last(source);
    if (sequence === undefined || sequence.endedMs !== null || world.daemon.pendingKillMs !== null) return;
    if (type === 'REMOTE_SHUTDOWN_SUMMARY') this.#checkSummary(sequence, detail);
    if (type === 'SHUTDOWN_SEQUENCE_COMPLETE') this.#checkEnd(sequence);
  }

  #servers(group: string): readonly string[] {
    const { servers, drain } = this.facts.world.site.plant;
    const isDrained = drain && this.facts.hostGroups.includes(group);
    return servers.flatMap(({ name, owner }) => (owner === group || isDrained ? name : []));
  }

  #checkSummary({ group, summaries, crashes }: Sequence, detail: string): void {
    const rule = 'one summary lists every server';
    // After a kill right after the event it is sent and not on the disk.
    if (summaries > crashes) this.facts.violated(rule, `${group} tells it again`);
    const isDryRun = this.facts.world.site.dryRun;
    for (const name of this.#servers(group)) {
      const said = isDryRun
        ? `no server was called: .*(${name})(?:,|$)`
        : `(?:: |, )${name} (ok|failed|unreachable|timeout)`;
      const word = new RegExp(said).exec(detail)?.[1];
      const run = this.facts.steps.of(serverKey(name));
      const isKnown = crashes === 0 && run !== undefined;
      const expected = isDryRun ? name : isKnown ? wordOf(run) : word;
      if (word === undefined || word !== expected)
        this.facts.violated(rule, `${name} is said to be ${String(word)}: ${detail}`);
    }
  }

  #checkEnd(sequence: Sequence): void {
    const { group, summaries, crashes, isUncertain } = sequence;
    const { world, steps, sequences, nowMs } = this.facts;
    const isCut = crashes > 0 || isUncertain || this.facts.sequences.hasLost;
    if (this.#servers(group).length > 0 && summaries === 0 && !isCut)
      this.facts.violated('one summary lists every server', `${group} has told none`);
    if (world.site.dryRun || isCut || !sequences.isLatest(sequence)) return;
    const missing = this.#work(group).find((key) => {
      const run = steps.of(key);
      // Another sequence may try it again at once.
      return run === undefined || (run.endedMs === null && run.beganMs < nowMs && key !== hostKey);
    });
    if (missing !== undefined)
      this.facts.violated('a complete sequence has left nothing out', `${group}: ${missing}`);
  }

  /** What the site gives the group, by the keys of the record. */
  #work(group: string): readonly string[] {
    const { plant, localShutdown } = this.facts.world.site;
    const isHost = this.facts.hostGroups.includes(group);
    const isLocal = this.facts.policy(group)?.isLocal ?? this.facts.group(group)?.isLocal ?? false;
    const outputs = localShutdown.enabled ? plant.outputs : [];
    return [
      ...this.#servers(group).map(serverKey),
      ...(isLocal && plant.delegate === null ? this.#localWork() : []),
      ...outputs.flatMap(({ ups }) => (this.facts.feeds(group).includes(ups) ? `output ${ups}` : [])),
      ...(isHost ? [hostKey] : []),
    ];
  }

  #localWork(): readonly string[] {
    const { machines, containers, unmounts } = this.facts.world.site.plant;
    const kinds = this.facts.steps.all.map(({ key, step }) => ({ key, kind: step?.action.kind }));
    const keyed = (kind: string, count: number) => {
      const keys = kinds.filter((one) => one.kind === kind).map(({ key }) => key);
      return [...keys, ...Array.from({ length: Math.max(0, count - keys.length) }, () => kind)];
    };
    return [
      ...keyed('stopVirtualMachines', machines === null ? 0 : 1),
      ...keyed('stopCompose', containers?.projects.length ?? 0),
      ...keyed('stopContainers', containers?.remaining === true ? 1 : 0),
      ...keyed('unmount', unmounts?.paths.length ?? 0),
    ];
  }
}

function wordOf({ endedMs, outcome }: StepRun): string {
  if (endedMs === null) return 'not over';
  if (outcome === null) return 'timeout';
  return outcome.kind === 'failed' ? outcome.how : 'ok';
}
