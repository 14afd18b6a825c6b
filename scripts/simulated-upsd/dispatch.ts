// Answers a line: selects the command and checks that one that needs a user has one.
import type { ErrorToken } from './answers.js';
import { errorAnswer, row } from './answers.js';
import { writeRequests } from './write-requests.js';
import { get, list } from './queries.js';
import type { Client, UpsdState } from './upsd-state.js';
import { answerOf, Refusal } from './upsd-state.js';

/** The answer to send, and what the connection does after it. */
export interface Reply {
  readonly answer: string;
  readonly then?: 'close' | 'startTls';
}

/** The protocol version of upsd 2.8.0. */
const protocolVersion = '1.3';

type Plain = (state: UpsdState, client: Client, args: readonly string[]) => string;

const plainCommands: Readonly<Record<string, Plain>> = {
  VER: (state, _client, args) => alone(args, state.serverInfo),
  NETVER: (_state, _client, args) => alone(args, protocolVersion),
  PROTVER: (_state, _client, args) => alone(args, protocolVersion),
  HELP: (_state, _client, args) =>
    alone(args, 'Commands: HELP VER GET LIST SET INSTCMD LOGIN LOGOUT USERNAME PASSWORD STARTTLS'),
  GET: (state, client, args) => get(state, client, args),
  LIST: (state, _client, args) => list(state, args),
  USERNAME: (_state, client, args) => {
    const [name] = args;
    if (name === undefined || args.length !== 1) throw new Refusal('INVALID-ARGUMENT');
    if (client.username !== undefined) throw new Refusal('ALREADY-SET-USERNAME');
    client.username = name;
    return row('OK');
  },
  PASSWORD: (_state, client, args) => {
    const [password] = args;
    if (password === undefined || args.length !== 1) throw new Refusal('INVALID-ARGUMENT');
    if (client.password !== undefined) throw new Refusal('ALREADY-SET-PASSWORD');
    client.password = password;
    return row('OK');
  },
};

export function dispatch(state: UpsdState, client: Client, words: readonly string[]): Reply {
  const command = (words[0] ?? '').toUpperCase();
  const args = words.slice(1);
  if (command === 'LOGOUT') {
    return args.length > 0
      ? { answer: errorAnswer('INVALID-ARGUMENT') }
      : { answer: row('OK Goodbye'), then: 'close' };
  }
  if (command === 'STARTTLS') return startTls(state, client);
  if (state.readsNeedLogin && (command === 'GET' || command === 'LIST')) {
    const refusal = loginProblem(state, client);
    if (refusal !== undefined) return { answer: errorAnswer(refusal) };
  }
  const plain = Object.hasOwn(plainCommands, command) ? plainCommands[command] : undefined;
  if (plain !== undefined) return { answer: answerOf(() => plain(state, client, args)) };
  const writeRequest = Object.hasOwn(writeRequests, command) ? writeRequests[command] : undefined;
  if (writeRequest === undefined) return { answer: errorAnswer('UNKNOWN-COMMAND') };
  const { username, password } = client;
  if (username === undefined) return { answer: errorAnswer('USERNAME-REQUIRED') };
  if (password === undefined) return { answer: errorAnswer('PASSWORD-REQUIRED') };
  return { answer: answerOf(() => writeRequest(state, client, { username, password }, args)) };
}

/** Why a read is refused where reads need a login. */
function loginProblem(state: UpsdState, { username, password }: Client): ErrorToken | undefined {
  if (username === undefined) return 'USERNAME-REQUIRED';
  if (password === undefined) return 'PASSWORD-REQUIRED';
  return state.users.knows({ username, password }) ? undefined : 'ACCESS-DENIED';
}

function alone(args: readonly string[], text: string): string {
  if (args.length > 0) throw new Refusal('INVALID-ARGUMENT');
  return row(text);
}

function startTls(state: UpsdState, client: Client): Reply {
  if (client.tls) return { answer: errorAnswer('ALREADY-SSL-MODE') };
  if (state.secureContext === undefined) return { answer: errorAnswer('FEATURE-NOT-CONFIGURED') };
  return { answer: row('OK STARTTLS'), then: 'startTls' };
}
