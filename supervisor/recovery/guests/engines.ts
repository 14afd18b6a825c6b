// The engines of this host that start what a shutdown has stopped: docker, podman of root or a user, libvirt. Each call has its own
// deadline, and none gets a name as anything but one argument.
import type { Container } from '../../../shared/domain/commands/container-state.js';
import { containersIn, inspectFormat } from '../../../shared/domain/commands/container-state.js';
import type { CommandLine } from '../../../shared/domain/commands/command-line.js';
import type { RecordedGuest } from '../../../shared/domain/recovery/guest.js';
import { guestKey } from '../../../shared/domain/recovery/guest.js';
import { maxListingChars } from '../../host/run-command.js';
import { enginesOf, rootless } from '../../sequence/phases/containers.js';
import type { LocalDependencies } from '../../sequence/phases/local-calls.js';
import { call, faultOf } from '../../sequence/phases/local-calls.js';
import { afterOf, verdictOf } from './container-verdict.js';
import { disksIn, foreignDisk } from './disks.js';
import { domainVerdict } from './domain-state.js';
import { callOutside } from './outside-unit.js';
import type { Looked, Verdict } from './verdict.js';

/** An engine that starts with the host answers late; one that hangs never does. */
const listSeconds = 20;
/** Images are there; a start waits for volumes, networks and health of the storage. */
const startSeconds = 120;
/** One line is at most some kilobytes, and 256 KB are read. */
const inspectedAtOnce = 20;

export interface StartingEngine {
  /** `docker`, `podman of ann`. */
  readonly label: string;
  look(guests: readonly RecordedGuest[], signal: AbortSignal): Promise<Looked>;
  /** Undefined: it runs; else the fault. */
  start(guest: RecordedGuest, signal: AbortSignal): Promise<string | undefined>;
}

export function byEngine(
  guests: readonly RecordedGuest[],
): ReadonlyMap<string, readonly [RecordedGuest, ...RecordedGuest[]]> {
  const of = new Map<string, [RecordedGuest, ...RecordedGuest[]]>();
  for (const guest of guests) {
    const key = `${guest.engine} ${guest.user ?? ''}`;
    const known = of.get(key);
    if (known === undefined) of.set(key, [guest]);
    else known.push(guest);
  }
  return of;
}

/** `uris`: of libvirt, as the plans have them; null: its default. */
export function startingEngine(
  { engine, user }: Pick<RecordedGuest, 'engine' | 'user'>,
  deps: LocalDependencies,
  uris: readonly (string | null)[],
): StartingEngine | null {
  if (engine === 'libvirt') return new Libvirt(deps, uris);
  if (engine !== 'docker' && engine !== 'podman') return null;
  const known =
    user === null ? enginesOf({ runtime: engine }, deps) : rootless(deps).map((one) => one.engine);
  const found = known.find((one) => one.kind === engine && one.user === user);
  if (found === undefined) return null;
  const { mountsPrefix } = deps.host;
  const isOutside = engine === 'podman' && mountsPrefix.length > 0;
  return isOutside
    ? new Containers(deps, found.label, found.command.slice(mountsPrefix.length), callOutside)
    : new Containers(deps, found.label, found.command, call);
}

class Containers implements StartingEngine {
  readonly label: string;
  readonly #deps: LocalDependencies;
  readonly #command: CommandLine;
  readonly #run: typeof call;

  constructor(deps: LocalDependencies, label: string, command: CommandLine, run: typeof call) {
    this.#deps = deps;
    this.label = label;
    this.#command = command;
    this.#run = run;
  }

  async look(guests: readonly RecordedGuest[], signal: AbortSignal): Promise<Looked> {
    const listed = await this.#call(
      signal,
      listSeconds,
      'ps',
      '-a',
      '--no-trunc',
      '--format',
      '{{.ID}} {{.Names}}',
    );
    if (!listed.ok) return listed;
    const rows = listed.output.split('\n').map((line) => line.trim().split(' '));
    const ids = new Set(rows.map(([id]) => id));
    const names = new Set(rows.flatMap(([, ...name]) => name.join(' ').split(',')));
    // Of a host with thousands of containers only the first are read: of the others nothing is known by this list.
    const isCut = listed.output.length >= maxListingChars;
    const there = guests.flatMap(({ id }) => (isCut || ids.has(id) ? [id] : []));
    const found: Container[] = [];
    for (let at = 0; at < there.length; at += inspectedAtOnce) {
      const part = await this.#inspect(there.slice(at, at + inspectedAtOnce), signal);
      if (!part.ok) return part;
      found.push(...part.containers);
    }
    const byId = new Map(found.map((container) => [container.id, container]));
    const keys = new Map(guests.map((guest) => [guest.id, guestKey(guest)]));
    const after = afterOf(found);
    const verdicts = guests.map((guest): readonly [string, Verdict] => {
      const container = byId.get(guest.id);
      // Removed between the two answers, or of an unknown form.
      if (container === undefined && (isCut || ids.has(guest.id)))
        return [guestKey(guest), { kind: 'stays', why: `${this.label} says nothing of it` }];
      const verdict = verdictOf(guest, container, names.has(guest.name));
      if (verdict.kind !== 'start') return [guestKey(guest), verdict];
      const others = (after.get(guest.id) ?? []).flatMap((id) => keys.get(id) ?? []);
      return [guestKey(guest), { kind: 'start', after: others }];
    });
    return { ok: true, verdicts: new Map(verdicts) };
  }

  /** The client fails for all where it fails for one, and a long answer of one leaves no room for others: then each is asked alone. */
  async #inspect(ids: readonly string[], signal: AbortSignal): Promise<Inspected> {
    const words = ['inspect', '--type', 'container', '--format', inspectFormat];
    const answer = await this.#call(signal, listSeconds, ...words, ...ids);
    if (answer.ok && (ids.length === 1 || answer.output.length < maxListingChars))
      return { ok: true, containers: containersIn(answer.output) };
    if (!answer.ok && !answer.hasEnded) return answer;
    const containers: Container[] = [];
    for (const id of ids.length === 1 ? [] : ids) {
      const one = await this.#inspect([id], signal);
      if (!one.ok) return one;
      containers.push(...one.containers);
    }
    return { ok: true, containers };
  }

  async start({ id }: RecordedGuest, signal: AbortSignal): Promise<string | undefined> {
    return faultOf(await this.#run(this.#deps, signal, startSeconds, [...this.#command, 'start', id]));
  }

  async #call(signal: AbortSignal, seconds: number, ...words: readonly string[]): Promise<Listing> {
    return listing(this.#deps, signal, seconds, [...this.#command, ...words], this.#run);
  }
}

class Libvirt implements StartingEngine {
  readonly label = 'libvirt';
  readonly #deps: LocalDependencies;
  readonly #uris: readonly (string | null)[];
  /** By UUID: the connection that has it. */
  readonly #uriOf = new Map<string, string | null>();

  constructor(deps: LocalDependencies, uris: readonly (string | null)[]) {
    this.#deps = deps;
    this.#uris = uris;
  }

  async look(guests: readonly RecordedGuest[], signal: AbortSignal): Promise<Looked> {
    const running = new Set<string>();
    for (const uri of this.#uris) {
      const all = await this.#call(uri, signal, 'list', '--all', '--uuid');
      if (!all.ok) return all;
      const now = await this.#call(uri, signal, 'list', '--uuid');
      if (!now.ok) return now;
      for (const uuid of all.output.split(/\s+/)) this.#uriOf.set(uuid, uri);
      for (const uuid of now.output.split(/\s+/)) running.add(uuid);
    }
    const verdicts = new Map<string, Verdict>();
    for (const guest of guests) verdicts.set(guestKey(guest), await this.#verdict(guest, running, signal));
    return { ok: true, verdicts };
  }

  async #verdict(
    { id, foundMs }: RecordedGuest,
    running: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<Verdict> {
    if (running.has(id)) return { kind: 'runs' };
    const uri = this.#uriOf.get(id);
    if (uri === undefined) return { kind: 'gone' };
    const state = await this.#call(uri, signal, 'domstate', id, '--reason');
    if (!state.ok) return { kind: 'stays', why: `its state is not known: ${state.fault}` };
    const verdict = domainVerdict(state.output, foundMs === null);
    if (verdict.kind !== 'start') return verdict;
    const listed = await this.#call(uri, signal, 'domblklist', id, '--details');
    if (!listed.ok) return { kind: 'stays', why: `its disks are not known: ${listed.fault}` };
    const disks = disksIn(listed.output);
    if (!disks.ok) return { kind: 'stays', why: disks.why };
    const words = [...this.#deps.host.mountsPrefix, 'stat', '-L', '-f', '-c', '%T', '--', ...disks.paths];
    const types = await listing(this.#deps, signal, listSeconds, words);
    if (!types.ok) return { kind: 'stays', why: `its disks cannot be read: ${types.fault}` };
    const why = foreignDisk(disks.paths, types.output.trim().split('\n'));
    return why === null ? { kind: 'start', after: [] } : { kind: 'stays', why };
  }

  async start({ id }: RecordedGuest, signal: AbortSignal): Promise<string | undefined> {
    const words = [...virsh(this.#uriOf.get(id) ?? null), 'start', id];
    return faultOf(await call(this.#deps, signal, startSeconds, words));
  }

  #call(uri: string | null, signal: AbortSignal, ...words: readonly string[]): Promise<Listing> {
    return listing(this.#deps, signal, listSeconds, ['env', 'LC_ALL=C', ...virsh(uri), ...words]);
  }
}

const virsh = (uri: string | null): CommandLine => (uri === null ? ['virsh'] : ['virsh', '-c', uri]);

/** `hasEnded`: with an exit status; else it hangs, or there is no client. */
interface Unlisted {
  readonly ok: false;
  readonly fault: string;
  readonly hasEnded: boolean;
}
type Listing = { readonly ok: true; readonly output: string } | Unlisted;
type Inspected = { readonly ok: true; readonly containers: readonly Container[] } | Unlisted;

async function listing(
  deps: LocalDependencies,
  signal: AbortSignal,
  seconds: number,
  command: CommandLine,
  run = call,
): Promise<Listing> {
  const outcome = await run(deps, signal, seconds, command, 'listing');
  const fault = faultOf(outcome);
  const hasEnded = outcome.kind === 'exited';
  if (fault !== undefined || !hasEnded) return { ok: false, fault: fault ?? outcome.kind, hasEnded };
  return { ok: true, output: outcome.output };
}
