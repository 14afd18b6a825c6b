// This host as a node of a Docker swarm. A swarm replaces tasks that stop, so a manager is drained before. The label of the node
// records that this daemon has drained it: the record outlives the outage as the drain does, and both are undone by one command.
import type { Logger } from '../../../shared/runtime/log.js';
import type { CommandOutcome } from '../../host/run-command.js';
import type { Engine } from './engine.js';
import type { LocalDependencies } from './local-calls.js';
import { call, faultOf } from './local-calls.js';

const label = 'ridethrough.drained';
/** A swarm with a leader answers in less than a second; one that has lost its quorum hangs. */
const answerSeconds = 5;
/** An engine that starts with the host, and a swarm that elects its leader, are asked at this interval, first after it: by then every UPS is read, */
const retryMs = 15_000;
/** for this long: the other managers may boot later. */
const patienceMs = 3_600_000;

export type SwarmNode =
  | { readonly kind: 'elsewhere' }
  /** No task starts here again: drained by this daemon, or drained or paused before. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'open'; readonly reason: string };

type Ask = (...words: readonly string[]) => Promise<CommandOutcome>;

function asking({ command }: Engine, deps: LocalDependencies, signal: AbortSignal, seconds: number): Ask {
  return (...words) => call(deps, signal, seconds, [...command, ...words]);
}

/** Empty where this host is in no swarm or has no such program; null where the engine does not answer. */
async function nodeId(ask: Ask): Promise<string | null> {
  const outcome = await ask('info', '--format', '{{.Swarm.NodeID}}');
  if (outcome.kind === 'unstartable') return '';
  return hasSucceeded(outcome) ? outcome.output.trim() : null;
}

async function availabilityOf(ask: Ask, id: string): Promise<CommandOutcome> {
  return ask('node', 'inspect', '--format', '{{.Spec.Availability}}', id);
}

/** Takes at most three answers. */
export async function drainNode(
  engine: Engine,
  deps: LocalDependencies,
  signal: AbortSignal,
  leftSeconds: number,
): Promise<SwarmNode> {
  const ask = asking(engine, deps, signal, Math.min(answerSeconds, leftSeconds / 6));
  const id = engine.kind === 'docker' ? await nodeId(ask) : null;
  if (id === null || id === '') return { kind: 'elsewhere' };
  const availability = await availabilityOf(ask, id);
  if (!hasSucceeded(availability)) return { kind: 'open', reason: faultOf(availability) ?? '' };
  // What a person has closed stays closed: no label, so nothing opens it.
  if (['drain', 'pause'].includes(availability.output.trim())) return { kind: 'closed' };
  const drained = await ask('node', 'update', '--availability', 'drain', '--label-add', `${label}=true`, id);
  return hasSucceeded(drained) ? { kind: 'closed' } : { kind: 'open', reason: faultOf(drained) ?? '' };
}

/** What a person must know before: null where this host is in no swarm. Changes nothing. */
export async function swarmRemark(
  engine: Engine,
  deps: LocalDependencies,
  signal: AbortSignal,
  seconds: number,
): Promise<string | null> {
  const ask = asking(engine, deps, signal, seconds);
  const id = engine.kind === 'docker' ? await nodeId(ask) : null;
  if (id === null || id === '') return null;
  return hasSucceeded(await availabilityOf(ask, id))
    ? 'this host is a manager of a Docker swarm: it is drained before its containers stop, and set active by this daemon after the outage'
    : 'this host is a node of a Docker swarm, and no manager that answers: the swarm starts its tasks again after their stop, and they end with the host';
}

export interface DrainedNodeDependencies extends LocalDependencies {
  readonly log: Pick<Logger, 'info' | 'warning' | 'error'>;
}

/** Sets a node active again that this daemon has drained: after a boot, and after a sequence that did not power off. */
export class DrainedNode {
  readonly #deps: DrainedNodeDependencies;
  /** Since when the node may be drained by this daemon; undefined: it is not. */
  #sinceMs: number | undefined;
  #dueMs: number;
  #isAsking = false;

  constructor(deps: DrainedNodeDependencies) {
    this.#deps = deps;
    this.#sinceMs = deps.clock.monotonicMs();
    this.#dueMs = this.#sinceMs + retryMs;
  }

  /** `engineOfPlans`: the Docker that a plan stops, if any. `isOutage`: a sequence is open, or the power is not back. */
  tick(engineOfPlans: () => Engine | undefined, isOutage: boolean): void {
    const nowMs = this.#deps.clock.monotonicMs();
    if (isOutage) {
      this.#sinceMs = nowMs;
      this.#dueMs = nowMs + retryMs;
    }
    if (this.#isAsking || this.#sinceMs === undefined || nowMs < this.#dueMs) return;
    this.#dueMs = nowMs + retryMs;
    const engine = engineOfPlans();
    if (engine === undefined) return;
    this.#isAsking = true;
    void this.#activate(engine, nowMs - this.#sinceMs >= patienceMs).finally(() => (this.#isAsking = false));
  }

  async #activate(engine: Engine, isLast: boolean): Promise<void> {
    const { log } = this.#deps;
    const ask = asking(engine, this.#deps, new AbortController().signal, answerSeconds);
    const id = await nodeId(ask);
    if (id === null && !isLast) return;
    const words = ['node', 'update', '--availability', 'active', '--label-rm', label];
    const outcome = id === null || id === '' ? undefined : await ask(...words, id);
    const isOver = outcome === undefined || hasSucceeded(outcome) || isOfOthers(outcome);
    if (!isOver && !isLast) return;
    this.#sinceMs = undefined;
    if (outcome === undefined || isOfOthers(outcome)) return;
    const command = [...engine.command, ...words, id].join(' ');
    if (hasSucceeded(outcome)) log.info(`this node of the swarm, drained in the outage, is active again`);
    else
      log.error(
        `this node of the swarm may still be drained, and then starts no task; "${command}" fails since an hour (${faultOf(outcome) ?? ''}). Run it once the swarm has a leader`,
      );
  }
}

/** The node has no such label: this daemon has not drained it. A worker cannot have been drained here. */
function isOfOthers(outcome: CommandOutcome): boolean {
  const output = 'output' in outcome ? outcome.output : '';
  return /doesn't exist in node's labels|Worker nodes can't be used|not a swarm manager\. Worker/i.test(
    output,
  );
}

function hasSucceeded(outcome: CommandOutcome): outcome is Extract<CommandOutcome, { kind: 'exited' }> {
  return outcome.kind === 'exited' && outcome.code === 0;
}
