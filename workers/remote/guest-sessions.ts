// Looks at guests of servers and starts them, on request: one login for a server, which stays open for the requests that follow. It
// decides nothing. No host key is stored for it: a machine in its initramfs answers with another one.
import { randomBytes } from 'node:crypto';
import type { AnswerKind } from '../../shared/domain/recovery/guest-scripts.js';
import { answerKinds, lookLines, startLines } from '../../shared/domain/recovery/guest-scripts.js';
import type { Outcome } from '../../shared/protocol/contract.js';
import { failureOf } from '../../shared/protocol/contract.js';
import type { GuestAnswer, GuestOrder, RemoteTarget } from '../../shared/protocol/remote.js';
import { maxAnswers, maxAnswerText } from '../../shared/protocol/remote.js';
import type { SshDependencies } from '../ssh/open-session.js';
import { openSession } from '../ssh/open-session.js';
import type { SshSession } from '../ssh/session.js';
import { maxDrainMs } from '../ssh/session.js';
import { withoutControls } from '../ssh/output-tail.js';
import { script, scriptShell } from '../ssh/shell.js';

/** Between two requests of a round. */
const idleMs = 15_000;
/** Of all answers of a request: a quarter of a frame. */
const maxAnswerChars = 1_048_576;

interface Held {
  readonly session: SshSession;
  cancelTimer: () => void;
}

export class GuestSessions {
  readonly #deps: SshDependencies;
  readonly #held = new Map<string, Held>();
  /** Logins under way. */
  readonly #opening = new Map<string, Promise<Outcome<SshSession>>>();

  constructor(deps: SshDependencies) {
    this.#deps = deps;
  }

  /** What the tools of the server say of these guests. */
  async look(target: RemoteTarget, order: GuestOrder): Promise<Outcome<readonly GuestAnswer[]>> {
    const opened = await this.#opened(target);
    if (!opened.ok) return opened;
    return this.#run(target.server, opened.value, order, (mark, seconds) =>
      lookLines({ ...order, mark, seconds }),
    );
  }

  /** Starts these guests, over the login of the look before. */
  async start(server: string, order: GuestOrder): Promise<Outcome<readonly GuestAnswer[]>> {
    const held = this.#held.get(server);
    if (held === undefined || !held.session.isOpen) return lost(server);
    return this.#run(server, held.session, order, (mark, seconds) => startLines({ ...order, mark, seconds }));
  }

  /** Closes the logins. A start that runs on the server goes on. */
  end(servers: readonly string[] = [...this.#held.keys()]): void {
    for (const server of servers) {
      // It closes itself when it has ended.
      this.#opening.delete(server);
      this.#close(server);
    }
  }

  /** The login of the server: one for the engines that are asked side by side. */
  #opened(target: RemoteTarget): Promise<Outcome<SshSession>> {
    const { server } = target;
    const known = this.#held.get(server);
    if (known?.session.isOpen === true) return Promise.resolve({ ok: true, value: known.session });
    const opening = this.#opening.get(server);
    if (opening !== undefined) return opening;
    const begun: Promise<Outcome<SshSession>> = this.#open(target, () => this.#opening.get(server) === begun);
    this.#opening.set(server, begun);
    return begun;
  }

  async #open(target: RemoteTarget, isWanted: () => boolean): Promise<Outcome<SshSession>> {
    const { server } = target;
    const login = await openSession(
      { ...target, hostKeyPolicy: 'strict' },
      this.#deps,
      target.connectTimeoutMs,
    );
    const isOurs = isWanted();
    if (isOurs) this.#opening.delete(server);
    if (!login.ok) return failureOf('UNREACHED', login.reason);
    if (!isOurs) {
      login.session.close();
      return lost(server);
    }
    this.#hold(server, login.session);
    return { ok: true, value: login.session };
  }

  #hold(server: string, session: SshSession): void {
    this.#held.get(server)?.cancelTimer();
    const timer = setTimeout(() => this.#close(server), idleMs);
    this.#held.set(server, { session, cancelTimer: () => clearTimeout(timer) });
  }

  #close(server: string): void {
    const held = this.#held.get(server);
    held?.cancelTimer();
    held?.session.close();
    this.#held.delete(server);
  }

  async #run(
    server: string,
    session: SshSession,
    { guests, budgetMs }: GuestOrder,
    lines: (mark: string, seconds: number) => readonly string[],
  ): Promise<Outcome<readonly GuestAnswer[]>> {
    this.#held.get(server)?.cancelTimer();
    const mark = randomBytes(16).toString('hex');
    const { answers, take } = answersTo(guests.length);
    const timeoutMs = Math.max(1_000, budgetMs - maxDrainMs);
    const input = script(lines(mark, timeoutMs / 1000), timeoutMs);
    const order = { text: scriptShell, timeoutMs, drainMs: maxDrainMs, input, marked: { mark, take } };
    const { end } = await session.run(order);
    if (end.kind === 'lost' || end.kind === 'refused') this.#close(server);
    else if (this.#held.has(server)) this.#hold(server, session);
    // One that hangs was ended: what it has said until then counts.
    const isAnswered = end.kind === 'exited' || end.kind === 'timeout' || answers.length > 0;
    return isAnswered ? { ok: true, value: answers } : lost(server);
  }
}

const lost = (server: string): Outcome<never> =>
  failureOf('LOST', `the connection to ${server} was lost, or its login shell runs no script`);

const isKind = (text: string): text is AnswerKind => (answerKinds as readonly string[]).includes(text);

/** Takes lines of a server. From the first answer that does not fit on none is taken: a list is whole up to its end. */
export function answersTo(guests: number): {
  readonly answers: readonly GuestAnswer[];
  readonly take: (line: string) => void;
} {
  const answers: GuestAnswer[] = [];
  let leftChars = maxAnswerChars;
  const take = (line: string): void => {
    const answer = answerOf(line, guests);
    if (answer === null) return;
    leftChars -= answer.text.length;
    if (answers.length < maxAnswers && leftChars >= 0) answers.push(answer);
  };
  return { answers, take };
}

/** `KIND PLACE TEXT`, each after a tab; null: another line. Pure. */
export function answerOf(line: string, guests: number): GuestAnswer | null {
  const [, kind = '', place = '', ...text] = line.split('\t');
  if (!isKind(kind) || !/^\d{1,4}$/.test(place) || Number(place) >= Math.max(1, guests)) return null;
  return { kind, place: Number(place), text: withoutControls(text.join(' ')).trim().slice(0, maxAnswerText) };
}
