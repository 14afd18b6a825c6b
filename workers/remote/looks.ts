// One round of looks: asks servers once whether they are up, and with them the gateways of the interfaces in use as witnesses.
// No login, no data, no host key; it shares no state with the watches of a sequence (off/).
import type { Look, LookRound, OffCheck } from '../../shared/protocol/remote.js';
import { maxWitnessedLinks } from '../../shared/protocol/remote.js';
import { plainAddress } from '../ssh/own-network.js';
import type { Asked, OffAttempt, TryEnd } from './off/attempt.js';
import { discardPort, lateMs, tryMs } from './off/attempt.js';

/** Servers asked side by side: with `ping` each is a process, and a small board has memory for some dozens. */
const atOnce = 48;
/** Of one name: more than a server with several networks has. */
const maxAddresses = 4;

export interface LookDependencies {
  readonly attempt: OffAttempt;
  /** By own address: the interface that has it and its carrier. */
  readonly links: () => ReadonlyMap<string, string>;
  readonly gateways: (link: string) => readonly string[];
  /** The own address from which packets to `address` would go; null without a route. */
  readonly ownAddressTo: (address: string) => Promise<string | null>;
  readonly nowMs: () => number;
  readonly setTimer: (ms: number, then: () => void) => () => void;
}

export interface AskedServer {
  readonly server: string;
  /** Null: this worker does not know the server. */
  readonly check: OffCheck | null;
  /** Without a look-up; empty: none is known. */
  readonly addresses: readonly string[];
}

/** A way to a server: it has one for each address to which this host has a route. */
interface Path {
  readonly asked: Asked;
  readonly own: string;
  /** Null: its interface has no carrier. */
  readonly link: string | null;
}

/** The looks, in the order of `servers`. A try that would not end within `withinMs` does not begin: a fault. */
export async function lookAt(
  servers: readonly AskedServer[],
  withinMs: number,
  deps: LookDependencies,
): Promise<LookRound> {
  const endMs = deps.nowMs() + withinMs;
  const links = deps.links();
  const paths = await inTurns(servers, (server) => pathsTo(server, links, deps));
  const used = new Set(paths.flat().flatMap(({ link }) => link ?? []));
  const witnessed = [...used].slice(0, maxWitnessedLinks).flatMap((link) => {
    const addresses = deps.gateways(link).slice(0, maxAddresses);
    return addresses.length > 0 ? [{ link, addresses }] : [];
  });
  const tryPath = (asked: Asked): Promise<TryEnd> =>
    deps.nowMs() + tryMs > endMs ? Promise.resolve('fault') : tryOnce(asked, deps);
  // The witnesses begin first: where time is short, the looks that are made have theirs.
  const asksGateways = inTurns(witnessed, async ({ link, addresses }) => {
    const asked = addresses.map((address) => ({ method: 'tcp', address, port: discardPort }) as const);
    const ends = await Promise.all(asked.map(tryPath));
    return { link, answered: ends.includes('answer') };
  });
  const asksServers = inTurns(servers, async ({ server }, index) => {
    const ways = paths[index] ?? [];
    const ends = await Promise.all(ways.map(({ asked }) => tryPath(asked)));
    return { server, ...lookOf(ways, ends, deps) };
  });
  const [gateways, looks] = await Promise.all([asksGateways, asksServers]);
  return { looks, gateways };
}

async function pathsTo(
  { check, addresses }: AskedServer,
  links: ReadonlyMap<string, string>,
  { ownAddressTo }: LookDependencies,
): Promise<readonly Path[]> {
  if (check === null || check.method === 'none') return [];
  const { method, port } = check;
  const paths = addresses.slice(0, maxAddresses).map(async (address): Promise<readonly Path[]> => {
    const own = await ownAddressTo(address);
    if (own === null) return [];
    return [{ asked: { method, address, port }, own, link: links.get(plainAddress(own)) ?? null }];
  });
  return (await Promise.all(paths)).flat();
}

/** Any address that answers is the server. It is silent when each of them is, over an interface that had its carrier before and after. */
function lookOf(
  paths: readonly Path[],
  ends: readonly TryEnd[],
  { links }: LookDependencies,
): Pick<Look, 'end' | 'link'> {
  const answering = paths[ends.indexOf('answer')];
  if (answering !== undefined) return { end: 'answer', link: answering.link };
  const after = links();
  const isSure = ({ own, link }: Path): boolean => after.get(plainAddress(own)) === link;
  const isSilent = paths.length > 0 && ends.every((end) => end === 'silence') && paths.every(isSure);
  const used = new Set(paths.map(({ link }) => link));
  const [link = null] = used.size === 1 ? used : [];
  return { end: isSilent ? 'silence' : 'fault', link };
}

function tryOnce(asked: Asked, { attempt, nowMs, setTimer }: LookDependencies): Promise<TryEnd> {
  return new Promise((resolve) => {
    const beganMs = nowMs();
    let abandon = (): void => undefined;
    let cancel = setTimer(tryMs, () => {
      // Timers run before received data: an answer that has arrived meanwhile is read first.
      cancel = setTimer(0, () => {
        abandon();
        resolve(nowMs() - beganMs > tryMs + lateMs ? 'fault' : 'silence');
      });
    });
    const settle = (end: TryEnd): void => {
      cancel();
      resolve(end);
    };
    try {
      abandon = attempt(asked, settle);
    } catch {
      // spawn throws for what it has no event for, such as ENOMEM.
      settle('fault');
    }
  });
}

/** `work` of each item, at most `atOnce` side by side; the results in the order of the items. */
async function inTurns<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const turns = Array.from({ length: Math.min(atOnce, items.length) }, async () => {
    for (const [index, item] of waiting) results[index] = await work(item, index);
  });
  await Promise.all(turns);
  return results;
}
