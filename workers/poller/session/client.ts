// `NutTransport` over the NUT network protocol, with one persistent connection.
import type { PollerSettings, WritableVariable } from '../../../shared/protocol/poller.js';
import type { Variables } from '../../../shared/domain/ups/reading.js';
import { ServerAddress } from '../wire/address.js';
import type { Expected } from '../wire/answer.js';
import { Deadline } from '../wire/deadline.js';
import type { NutAnswer } from '../wire/errors.js';
import { answerOf, cannotEncode, failureOf, inDoubt, isNotOffered } from '../wire/errors.js';
import type { LogIn, NutCredentials } from '../wire/login.js';
import { loginOf } from '../wire/login.js';
import type { NutAsk } from '../wire/connection.js';
import type { NutSessionOptions, SessionUser } from './session.js';
import { NutSession } from './session.js';
import type { Lease, SharedSessions } from './shared-sessions.js';
import { trackedOutcome, trackingId } from './tracking.js';
import type { Command, NutTransport } from '../wire/transport.js';
import type { ReadRows } from '../wire/transport.js';
import { boundText, variablesAfter } from '../wire/transport.js';
import { isGrown } from '../wire/grown-status.js';
import { isWritable, requestLine } from '../wire/wire.js';

export interface ClientOptions extends Pick<PollerSettings, 'ups' | 'host' | 'port' | 'tls'> {
  /** Sent first on every connection, after TLS. */
  readonly login: NutCredentials | null;
  /** For a client without `login`: sent where a read is refused without one, over verified TLS or loopback only. */
  readonly loginIfRefused?: NutCredentials | null;
  /** Asks the server to report the end of each change. */
  readonly tracks?: boolean;
  /** The sessions to share; without them the client has its own. */
  readonly shared?: SharedSessions;
  readonly notice: (message: string) => void;
  /** Called before data of the server are read. */
  readonly activate?: () => void;
  /** For tests only. */
  readonly idleMs?: number;
  readonly address?: ServerAddress;
}

type List = Extract<Expected, { kind: 'list' }>['of'];

export class NutClient implements NutTransport {
  readonly #ups: string;
  readonly #lease: Lease;
  readonly #isShared: boolean;
  readonly #user: SessionUser;
  #closed = false;
  /** Requests that this server does not offer; they are not sent again. */
  readonly #notOffered = new Set<string>();
  #hasNoticedRows = false;
  /** The server adds the status of each answer to those before on the connection. */
  #isGrowing = false;
  readonly #descriptions = new Map<string, string>();
  #last: ReadRows = { rows: [], variables: {} };

  constructor(options: ClientOptions) {
    const { login, loginIfRefused = null, tracks = false, address, idleMs, host, port, tls } = options;
    this.#ups = options.ups;
    this.#user = { notice: options.notice, activate: options.activate ?? (() => undefined) };
    const session = {
      host,
      port,
      tls,
      address: address ?? new ServerAddress(host),
      logIn: login === null ? null : tracks ? logInThenTrack(loginOf(login)) : loginOf(login),
      // Changes are made with the password of nut_control.
      keepsPassword: login !== null && tracks,
      logInIfRefused: loginIfRefused === null ? null : loginOf(loginIfRefused),
      ...(idleMs === undefined ? {} : { idleMs }),
    };
    this.#isShared = options.shared !== undefined;
    this.#lease =
      options.shared?.join(JSON.stringify([host, port, tls, login, loginIfRefused, tracks]), session) ??
      ownSession(session);
  }

  async readVariables(deadlineMs: number): Promise<NutAnswer<Variables>> {
    const deadline = new Deadline(deadlineMs);
    const { 'ups.status': before } = this.#last.variables;
    const read = await this.#readVariables(deadline.remainingMs);
    const grown = read.ok ? read.value['ups.status'] : undefined;
    if (this.#isGrowing) this.disconnect();
    if (this.#isGrowing || !isGrown(before, grown)) return read;
    // A new connection begins with an empty status; a driver that writes a word twice does so there too.
    this.disconnect();
    const again = await this.#readVariables(deadline.remainingMs);
    if (again.ok && again.value['ups.status'] !== grown) {
      this.#isGrowing = true;
      this.disconnect();
      this.#user.notice(
        `ups.status grows with each answer on a connection (${JSON.stringify(grown)}): each poll uses a new one`,
      );
    }
    return again;
  }

  #readVariables(deadlineMs: number): Promise<NutAnswer<Variables>> {
    return this.#work(deadlineMs, async (ask, deadline) => {
      const rows = await this.#list('VAR', [], ask, deadline);
      if (!rows.ok) return rows;
      this.#last = { rows: rows.value, variables: variablesAfter(this.#last, rows.value) };
      return answerOf(this.#last.variables);
    });
  }

  listCommands(deadlineMs: number): Promise<NutAnswer<readonly Command[]>> {
    return this.#work(deadlineMs, async (ask, deadline) => {
      const rows = await this.#optionalList('CMD', [], ask, deadline);
      if (!rows.ok) return rows;
      const commands: Command[] = [];
      for (const [name = ''] of rows.value) {
        const description = await this.#description(name, ask, deadline);
        if (!description.ok) return description;
        commands.push({ name, description: description.value });
      }
      return answerOf(commands);
    });
  }

  listWritable(
    names: readonly string[],
    deadlineMs: number,
  ): Promise<NutAnswer<readonly WritableVariable[]>> {
    return this.#work(deadlineMs, async (ask, deadline) => {
      const rows = await this.#optionalList('RW', [], ask, deadline);
      if (!rows.ok) return rows;
      const writable: WritableVariable[] = [];
      for (const [name = '', value = ''] of rows.value.filter(([name = '']) => names.includes(name))) {
        const variable = await this.#writable(name, value, ask, deadline);
        if (!variable.ok) return variable;
        writable.push(variable.value);
      }
      return answerOf(writable);
    });
  }

  runCommand(command: string, value: string | null, deadlineMs: number): Promise<NutAnswer<string>> {
    return this.#change('INSTCMD', [command, ...(value === null ? [] : [value])], deadlineMs);
  }

  writeVariable(variable: string, value: string, deadlineMs: number): Promise<NutAnswer<string>> {
    return this.#change('SET VAR', [variable, value], deadlineMs);
  }

  disconnect(): void {
    const { session } = this.#lease;
    if (!this.#isShared || !session.isBusy) session.disconnect();
  }

  close(): void {
    if (!this.#closed) this.#lease.release();
    this.#closed = true;
  }

  #work<T>(
    deadlineMs: number,
    work: (ask: NutAsk, deadline: Deadline) => Promise<NutAnswer<T>>,
  ): Promise<NutAnswer<T>> {
    if (this.#closed) return Promise.resolve(failureOf('SERVER_DOWN', 'the daemon closed the connection'));
    const deadline = new Deadline(deadlineMs);
    return this.#lease.session.inTurn(deadline, (ask) => work(ask, deadline), this.#user);
  }

  #change(verb: string, words: readonly string[], deadlineMs: number): Promise<NutAnswer<string>> {
    const line = words.every(isWritable) ? requestLine(verb, this.#ups, ...words) : undefined;
    if (line === undefined) return Promise.resolve(cannotEncode());
    return this.#work(deadlineMs, async (ask, deadline) => {
      let isSent = false;
      const answer = await ask(line, { kind: 'line' }, deadline, () => (isSent = true));
      if (!answer.ok) return isSent ? inDoubt(answer) : answer;
      const words = answer.value.kind === 'line' ? answer.value.words : [];
      if (words[0] !== 'OK')
        return inDoubt(failureOf('PROTOCOL_ERROR', 'the server answered neither OK nor ERR'));
      const id = trackingId(words);
      return id === undefined ? answerOf('OK') : inDoubt(await trackedOutcome(id, ask, deadline));
    });
  }

  async #writable(
    name: string,
    value: string,
    ask: NutAsk,
    deadline: Deadline,
  ): Promise<NutAnswer<WritableVariable>> {
    const type = await this.#words('GET TYPE', name, ask, deadline);
    if (!type.ok) return type;
    const kinds = type.value.filter((word) => word !== 'RW');
    const variable = { name, type: kinds.join(' ').slice(0, 64), value: boundText(value) };
    if (kinds.includes('ENUM')) {
      const rows = await this.#optionalList('ENUM', [name], ask, deadline);
      return rows.ok ? answerOf({ ...variable, enum: rows.value.map(([v = '']) => boundText(v)) }) : rows;
    }
    if (kinds.includes('RANGE')) {
      const rows = await this.#optionalList('RANGE', [name], ask, deadline);
      if (!rows.ok) return rows;
      const range = rows.value
        .map(([min = '', max = '']) => ({ min: Number(min), max: Number(max) }))
        .filter(({ min, max }) => Number.isFinite(min) && Number.isFinite(max));
      return answerOf({ ...variable, range });
    }
    return answerOf(variable);
  }

  /** The description of a command; requested once, since it never changes. */
  async #description(name: string, ask: NutAsk, deadline: Deadline): Promise<NutAnswer<string>> {
    const known = this.#descriptions.get(name);
    if (known !== undefined) return answerOf(known);
    const words = await this.#words('GET CMDDESC', name, ask, deadline);
    if (!words.ok) return words;
    const description = boundText(words.value.join(' '));
    this.#descriptions.set(name, description);
    return answerOf(description);
  }

  /** The words of a one-line answer after keyword, UPS and name; none where the server does not offer the request. */
  async #words(
    verb: string,
    name: string,
    ask: NutAsk,
    deadline: Deadline,
  ): Promise<NutAnswer<readonly string[]>> {
    const line = requestLine(verb, this.#ups, name);
    if (line === undefined) return cannotEncode();
    const answer = await this.#optional(verb, line, { kind: 'line' }, ask, deadline);
    if (!answer.ok) return answer;
    return answerOf(answer.value?.kind === 'line' ? answer.value.words.slice(3) : []);
  }

  async #list(
    of: List,
    query: readonly string[],
    ask: NutAsk,
    deadline: Deadline,
  ): Promise<NutAnswer<readonly (readonly string[])[]>> {
    const words = [this.#ups, ...query];
    const line = requestLine(`LIST ${of}`, ...words);
    if (line === undefined) return cannotEncode();
    const answer = await ask(line, { kind: 'list', of, query: words }, deadline);
    if (!answer.ok) return answer;
    if (answer.value.kind !== 'rows') return answerOf([]);
    const { rows, unread } = answer.value;
    if (unread !== null && !this.#hasNoticedRows) {
      this.#hasNoticedRows = true;
      this.#user.notice(
        `rows in the answer of the server that cannot be read, whose values are missing: ${String(unread.count)}; the first is ${unread.first}`,
      );
    }
    return answerOf(rows);
  }

  /** A list that not every server offers: empty where it does not. */
  async #optionalList(
    of: List,
    query: readonly string[],
    ask: NutAsk,
    deadline: Deadline,
  ): Promise<NutAnswer<readonly (readonly string[])[]>> {
    const verb = `LIST ${of}`;
    if (this.#notOffered.has(verb)) return answerOf([]);
    const rows = await this.#list(of, query, ask, deadline);
    if (rows.ok || !isNotOffered(rows.failure)) return rows;
    this.#notOffered.add(verb);
    return answerOf([]);
  }

  /** A request that not every server offers: undefined where it does not. */
  async #optional(verb: string, line: string, expected: Expected, ask: NutAsk, deadline: Deadline) {
    if (this.#notOffered.has(verb)) return answerOf(undefined);
    const answer = await ask(line, expected, deadline);
    if (answer.ok || !isNotOffered(answer.failure)) return answer;
    this.#notOffered.add(verb);
    return answerOf(undefined);
  }
}

function ownSession(options: NutSessionOptions): Lease {
  const session = new NutSession(options);
  return { session, release: () => session.close() };
}

function logInThenTrack(logIn: LogIn): LogIn {
  return async (ask, deadline) => {
    const loggedIn = await logIn(ask, deadline);
    if (!loggedIn.ok) return loggedIn;
    const tracking = await ask('SET TRACKING ON', { kind: 'line' }, deadline);
    // Without TRACKING, OK means accepted. The command itself reports a wrong password.
    return tracking.ok || tracking.failure.code !== null ? answerOf(undefined) : tracking;
  };
}
