// One container engine as one user has it: lists what runs, stops all of it together, says what is left by name.
import type { CommandLine } from '../../../shared/domain/plan.js';
import type { CommandOutcome } from '../../host/run-command.js';
import type { LocalDependencies, StepTime } from './local-calls.js';
import { call, faultOf, named } from './local-calls.js';

/** An engine lists its containers in well under a second; one that takes ten hangs. */
const listSeconds = 10;
/** Kept of the budget for the engine to end what ignores its signal, and to look once more; of a short budget a quarter. */
const reserveSeconds = 8;
/** Podman stops at least four at once, whatever the machine; more in one call would wait for each other. */
const podmanAtOnce = 4;

export interface Engine {
  readonly kind: 'podman' | 'docker';
  /** For people: `podman`, `podman of ann`. */
  readonly label: string;
  readonly command: CommandLine;
}

export type EngineEnd =
  | { readonly kind: 'done' }
  /** The program is not on this machine. */
  | { readonly kind: 'absent' }
  /** It could not even list. */
  | { readonly kind: 'silent'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

interface Container {
  readonly id: string;
  readonly name: string;
}

/** Stops every container of `engine` but our own; the engine signals what ignores it within `stopTimeoutSeconds`. */
export async function stopAllOf(
  engine: Engine,
  tools: LocalDependencies,
  stopTimeoutSeconds: number,
  time: StepTime,
  signal: AbortSignal,
): Promise<EngineEnd> {
  const reserve = Math.min(reserveSeconds, time.leftSeconds / 4);
  const list = async (seconds: number) => {
    const words = [...engine.command, 'ps', '--no-trunc', '--format', '{{.ID}} {{.Names}}'];
    const outcome = await call(tools, signal, seconds, words, 'listing');
    if (outcome.kind === 'exited' && outcome.code === 0)
      return containersOf(outcome.output).filter(({ id }) => id !== tools.host.ownContainerId);
    return outcome;
  };
  const running = await list(Math.min(listSeconds, time.leftSeconds / 3));
  if (!isListing(running)) return unlisted(engine, running);
  if (running.length === 0) return { kind: 'done' };
  const seconds = Math.round(Math.min(stopTimeoutSeconds, Math.max(0, time.leftSeconds - reserve)));
  const limit = Math.max(0, time.leftSeconds - reserve / 2);
  const stopped = await Promise.all(
    inParts(running, engine.kind === 'podman' ? podmanAtOnce : running.length).map((part) => {
      const ids = part.map(({ id }) => id);
      return call(tools, signal, limit, [...engine.command, 'stop', '-t', String(seconds), ...ids]);
    }),
  );
  const fault = stopped.map(faultOf).find((one) => one !== undefined);
  const left = await list(time.leftSeconds * 0.9);
  if (isListing(left)) {
    if (left.length === 0) return { kind: 'done' };
    const names = named(left.map(({ name }) => name));
    return {
      kind: 'failed',
      reason: `${engine.label}: still running: ${names}${fault === undefined ? '' : ` (${fault})`}`,
    };
  }
  if (fault === undefined) return { kind: 'done' };
  const names = named(running.map(({ name }) => name));
  return {
    kind: 'failed',
    reason: `${engine.label}: ${fault}; not known whether any still runs of: ${names}`,
  };
}

/** A program that is not there: told by the launcher, or with this status by nsenter, setpriv and env. */
export function isAbsent(outcome: CommandOutcome): boolean {
  return outcome.kind === 'unstartable' || (outcome.kind === 'exited' && outcome.code === 127);
}

function unlisted({ label, kind }: Engine, outcome: CommandOutcome): EngineEnd {
  if (isAbsent(outcome)) return { kind: 'absent' };
  // The client is installed and no daemon: there is nothing that it could run.
  const output = 'output' in outcome ? outcome.output : '';
  if (kind === 'docker' && /is the docker daemon running/i.test(output)) return { kind: 'absent' };
  return { kind: 'silent', reason: `${label}: could not list containers: ${faultOf(outcome) ?? ''}` };
}

function isListing(listed: readonly Container[] | CommandOutcome): listed is readonly Container[] {
  return Array.isArray(listed);
}

/** Lines of an id and a name; an engine's warnings are none. */
function containersOf(listing: string): readonly Container[] {
  return listing.split('\n').flatMap((line) => {
    const [, id, name] = /^([0-9a-f]{12,64})\s+(\S.*)$/.exec(line.trim()) ?? [];
    return id === undefined || name === undefined ? [] : [{ id, name }];
  });
}

function inParts<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  const parts: T[][] = [];
  for (let at = 0; at < all.length; at += size) parts.push(all.slice(at, at + size));
  return parts;
}
