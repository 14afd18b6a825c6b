// One login: from an address to a session, within one deadline. The unfinished stage names the failure.
import { connect } from 'node:net';
import type { LookupFunction, Socket } from 'node:net';
import type { ParsedKey, PublicKeyAuthMethod } from 'ssh2';
import ssh2 from 'ssh2';
import type { Obstacle } from '../../shared/protocol/remote.js';
import { errorMessage } from '../../shared/domain/base/error-message.js';
import { formatSeconds } from '../../shared/domain/base/duration.js';
import { algorithms } from './algorithms.js';
import type { FlowControl } from './flow-control.js';
import { controlFlow } from './flow-control.js';
import type { HostAddress, KnownHosts } from './known-hosts/known-hosts.js';
import { ServerOffer } from './server-offer.js';
import { SshSession } from './session.js';

export interface LoginOrder extends HostAddress {
  readonly user: string;
  readonly key: ParsedKey;
  /** The last resolved addresses of the host; at least one. */
  readonly addresses: readonly string[];
  readonly deadlineMs: number;
}

export type LoginFailure = {
  readonly ok: false;
  readonly result: 'unreachable' | 'timeout' | 'failed';
  readonly reason: string;
  /** The server has not decided: another attempt may succeed. */
  readonly transient: boolean;
  /** The error that only an operator can correct; null: none known. */
  readonly obstacle: Obstacle | null;
};
export type LoginResult = { readonly ok: true; readonly session: SshSession } | LoginFailure;

/** Counts a server without an answer to three of these, while a command runs, as lost. */
const keepaliveMs = 5_000;
const keepalivesMissed = 3;

/** A timer this late means that the process was stopped; in a busy process it is late by tenths of a second. */
const stallMs = 500;

type Stage = 'connecting' | 'greeting' | 'exchanging' | 'authenticating';

/** Never rejects. The caller closes the returned session. */
export function logIn(order: LoginOrder, knownHosts: KnownHosts): Promise<LoginResult> {
  return new Promise((settle) => {
    const where = `${order.addresses[0] ?? order.host}:${String(order.port)}`;
    const socket = dial(order);
    const client = new ssh2.Client();
    let stage: Stage = 'connecting';
    let keyRefusal: string | undefined;
    let newKey: Buffer | undefined;
    let verified = false;
    let ended = false;

    const end = (login: LoginResult): void => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      if (!login.ok) socket.destroy();
      settle(login);
    };
    const fail = (result: LoginFailure['result'], reason: string, transient = false): void =>
      end({ ok: false, result, reason, transient, obstacle: null });
    const beganMs = performance.now();
    let extended = false;
    const deadlinePassed = (): void => {
      // Timers run before received data: a process that was stopped would drop an answer that has already arrived.
      const lateMs = performance.now() - beganMs - order.deadlineMs;
      if (lateMs > stallMs && !extended) {
        extended = true;
        timer = setTimeout(deadlinePassed, Math.min(lateMs, order.deadlineMs));
        return;
      }
      const seconds = formatSeconds(order.deadlineMs / 1000);
      if (stage === 'connecting')
        fail(
          'unreachable',
          `${where} did not answer within ${seconds}: check that it is up and that no firewall blocks the connection`,
        );
      else fail('timeout', `${where} ${stageReason(stage, flow)} within ${seconds}`);
    };
    let timer = setTimeout(deadlinePassed, order.deadlineMs);
    const flow = controlFlow(socket, (reason) =>
      fail('failed', `${where} ${reason}; the connection was closed`),
    );

    const ours = algorithms(knownHosts.typesOf(order));
    const offer = new ServerOffer();
    const read = (chunk: Buffer): void => offer.add(chunk);
    socket.on('data', read);
    client.once('handshake', () => socket.off('data', read));

    socket.once('connect', () => (stage = 'greeting'));
    client.on('error', (error: Error & { code?: string; level?: string }) => {
      if (keyRefusal !== undefined)
        end({ ok: false, result: 'failed', reason: keyRefusal, transient: false, obstacle: 'hostKey' });
      else if (stage === 'connecting') fail('unreachable', refusalOf(error.code, where), true);
      else if (error.level === 'client-authentication')
        fail(
          'failed',
          `${where} refused the login of ${order.user}: its authorized_keys lacks the daemon's key, or the server does not allow ${order.user} to log in`,
        );
      else if (error.level === 'client-socket' || error.message.startsWith('Connection lost'))
        fail('unreachable', closedOf(stage, where), stage === 'greeting');
      else
        fail(
          'failed',
          offer.mismatch(error.message, where, ours) ??
            `${where} does not speak compatible SSH: ${error.message}`,
        );
    });
    client.on('close', () => fail('unreachable', closedOf(stage, where), stage === 'greeting'));
    client.on('handshake', () => (stage = 'authenticating'));
    client.on('ready', () => {
      // A server that reports success before it has shown its key gets no command.
      if (!verified || stage !== 'authenticating')
        return fail('failed', `${where} skipped the key exchange; the connection was closed`);
      // Only here: a machine in its initramfs proves its own key too, and lets nobody in.
      if (newKey !== undefined) knownHosts.remember(order, newKey);
      flow.loggedIn();
      end({ ok: true, session: new SshSession(client, socket) });
    });

    const verify = (key: Buffer): boolean => {
      stage = 'exchanging';
      const check = knownHosts.check(order, key);
      verified = check.accepted;
      if (!check.accepted) keyRefusal = check.reason;
      else if (check.isNew) newKey = Buffer.from(key);
      return check.accepted;
    };
    const ourKey: PublicKeyAuthMethod = { type: 'publickey', username: order.user, key: order.key };
    try {
      client.connect({
        sock: socket,
        username: order.user,
        authHandler: [ourKey],
        algorithms: ours,
        hostVerifier: verify,
        // The deadline of this file is the only one.
        readyTimeout: 0,
        keepaliveInterval: keepaliveMs,
        keepaliveCountMax: keepalivesMissed,
      });
    } catch (error) {
      fail('failed', errorMessage(error));
    }
  });
}

/** Tries several addresses in order, each with its share of the time; looks no name up. */
function dial({ host, port, addresses, deadlineMs }: LoginOrder): Socket {
  const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const [first] = all;
  const resolved: LookupFunction = (_name, options, answer) => {
    if (options.all === true) answer(null, all);
    else answer(null, first?.address ?? '', first?.family);
  };
  return connect({
    host: first !== undefined && all.length === 1 ? first.address : host,
    port,
    lookup: resolved,
    noDelay: true,
    autoSelectFamily: all.length > 1,
    autoSelectFamilyAttemptTimeout: Math.max(250, Math.floor(deadlineMs / (all.length + 1))),
  });
}

function stageReason(stage: Stage, flow: FlowControl): string {
  if (stage === 'authenticating') return 'did not decide about the login';
  if (flow.receivedAny) return 'did not finish the key exchange';
  return 'accepted the connection and sent nothing (it hangs, or is not an SSH server)';
}

function refusalOf(code: string | undefined, where: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return `connection refused by ${where}: check that sshd runs there`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EHOSTDOWN':
      return `no route to ${where} (${code}): check the server and the network`;
    case 'ECONNRESET':
      return `${where} reset the connection`;
    case undefined:
    default:
      return `no connection to ${where} (${code ?? 'unknown reason'})`;
  }
}

function closedOf(stage: Stage, where: string): string {
  if (stage === 'authenticating') return `${where} closed the connection during the login`;
  return `${where} closed the connection before the login: too many logins at the same time (MaxStartups), or it refuses this machine`;
}
