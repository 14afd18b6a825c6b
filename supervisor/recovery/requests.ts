// Servers that a person has shut down with `ridethrough shutdown`, as files that the command leaves: looked for each second, answered
// beside, removed. Nothing waits for it, and it never throws.
import { readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode } from '../../shared/domain/base/decode.js';
import { errorMessage } from '../../shared/domain/base/error-message.js';
import type { ByHandAnswer } from '../../shared/domain/recovery/by-hand.js';
import {
  answerOf,
  BegunRequest,
  ByHandRequest,
  maxRequestBytes,
  requestEnd,
} from '../../shared/domain/recovery/by-hand.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import { readSmallFile } from '../host/small-file.js';

export interface RequestsDependencies {
  /** RuntimeDirectory.requests */
  readonly path: string;
  readonly bootId: string;
  readonly clock: Pick<Clock, 'monotonicMs' | 'wallSeconds'>;
  readonly log: Logger;
  /** A file of another user is refused. */
  readonly uid?: number;
  readonly knows: (server: string) => boolean;
  /** They are in the record of this boot when it returns. */
  readonly record: (unixSecondsByServer: ReadonlyMap<string, number>) => void;
  /** The same of machines on which a manual shutdown begins; null is this host. */
  readonly begun: (unixSecondsByServer: ReadonlyMap<string | null, number>) => void;
}

/** The command waits for the answer; a look at an empty folder costs nothing. */
const everyMs = 1_000;
/** A person shuts down one group at a time; the rest is read a second later. */
const maxAtOnce = 200;
/** The command waits for a few seconds. */
const answerMs = 60_000;

type Read =
  | { readonly ok: true; readonly request: ByHandRequest | BegunRequest }
  | { readonly ok: false; readonly reason: string };

export class Requests {
  readonly #deps: RequestsDependencies;
  readonly #uid: number;
  #tickedMs = -Infinity;
  /** Answers that are there, and until when; null: not looked for yet. */
  #answers: Map<string, number> | null = null;
  /** Names of files that cannot be removed. */
  readonly #stuck = new Set<string>();
  #hasFailed = false;

  constructor(deps: RequestsDependencies) {
    this.#deps = deps;
    this.#uid = deps.uid ?? process.getuid?.() ?? 0;
  }

  tick(): void {
    const nowMs = this.#deps.clock.monotonicMs();
    if (nowMs - this.#tickedMs < everyMs) return;
    this.#tickedMs = nowMs;
    const names = this.#names();
    this.#removeAnswers(names, nowMs);
    const requests = names.filter((name) => name.endsWith(requestEnd) && !this.#stuck.has(name));
    if (requests.length > 0) this.#take(requests.slice(0, maxAtOnce), nowMs);
  }

  #names(): readonly string[] {
    try {
      return readdirSync(this.#deps.path);
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isMissing && !this.#hasFailed)
        this.#deps.log.warning(
          `${this.#deps.path} cannot be read (${errorMessage(error)}): what a person shuts down with ridethrough shutdown is not recorded`,
        );
      this.#hasFailed = !isMissing;
      return [];
    }
  }

  /** Those of a daemon before, at once. */
  #removeAnswers(names: readonly string[], nowMs: number): void {
    this.#answers ??= new Map(names.flatMap((name) => (name.endsWith('.answer') ? [[name, nowMs]] : [])));
    for (const [name, untilMs] of this.#answers) {
      if (untilMs > nowMs) continue;
      this.#remove(name);
      this.#answers.delete(name);
    }
  }

  #take(names: readonly string[], nowMs: number): void {
    const { record, begun, log } = this.#deps;
    const nowSeconds = this.#deps.clock.wallSeconds();
    const reads = names.map((name) => ({ name, read: this.#read(name) }));
    const servers = new Map<string, number>();
    const begins = new Map<string | null, number>();
    for (const { read } of reads) {
      if (!read.ok) continue;
      const { request } = read;
      // A date to come is of a clock that was set back since.
      if ('begunUnixSeconds' in request)
        begins.set(request.server, Math.min(request.begunUnixSeconds, nowSeconds));
      else servers.set(request.server, Math.min(request.unixSeconds, nowSeconds));
    }
    if (begins.size > 0) {
      begun(begins);
      const machines = [...begins.keys()].map((server) => server ?? 'this host').join(', ');
      const text = `ridethrough shutdown begins on ${machines.slice(0, 1_000)}: what was stopped there before is not started again`;
      log.info(text, { category: 'shutdown' });
    }
    if (servers.size > 0) {
      record(servers);
      const names = [...servers.keys()].join(', ').slice(0, 1_000);
      const [were, they, are] = servers.size === 1 ? ['was', 'it', 'is'] : ['were', 'they', 'are'];
      const text = `${names} ${were} shut down by hand: ${they} ${are} not brought back, and not probed, until ${they} ${are} up again`;
      log.info(text, { category: 'shutdown' });
    }
    for (const { name, read } of reads) {
      const answer = read.ok ? { isRecorded: true, reason: '' } : { isRecorded: false, reason: read.reason };
      this.#answer(name, answer, nowMs);
      this.#remove(name);
    }
  }

  #read(name: string): Read {
    const { path, bootId, knows, log } = this.#deps;
    const file = readSmallFile(join(path, name), maxRequestBytes, this.#uid);
    const decoded = file.ok ? requestIn(parsed(file.text)) : file;
    const refused = (reason: string): Read => {
      log.warning(
        `a request of ridethrough shutdown is not used: ${reason}; it is removed (${join(path, name)})`,
      );
      return { ok: false, reason: reason.slice(0, 256) };
    };
    if (!decoded.ok)
      return refused('problem' in decoded ? decoded.problem : 'it is no request of this version');
    const request = decoded.value;
    if (request.bootId !== bootId) return refused('it is from before this boot');
    if (request.server === null || knows(request.server)) return { ok: true, request };
    return refused(`the daemon has no server ${JSON.stringify(request.server)}; reload it`);
  }

  #answer(name: string, answer: ByHandAnswer, nowMs: number): void {
    const { path, log } = this.#deps;
    const answerName = answerOf(name);
    const next = join(path, `${answerName}.next`);
    try {
      writeFileSync(next, JSON.stringify(answer), { mode: 0o600, flag: 'wx' });
      renameSync(next, join(path, answerName));
      this.#answers?.set(answerName, nowMs + answerMs);
    } catch (error) {
      // The command says that nothing answers.
      log.warning(`a request of ridethrough shutdown has no answer: ${errorMessage(error)}`);
    }
  }

  #remove(name: string): void {
    try {
      unlinkSync(join(this.#deps.path, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#stuck.add(name);
    }
  }
}

function requestIn(value: unknown) {
  const begun = decode(BegunRequest, value);
  return begun.ok ? begun : decode(ByHandRequest, value);
}

/** Undefined, which no codec accepts, for what is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
