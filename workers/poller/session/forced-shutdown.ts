// Sets FSD at the server of a UPS and waits until the other hosts have logged out: the step `nut_secondaries` of a plan.
import { setTimeout as pause } from 'node:timers/promises';
import type { Outcome } from '../../../shared/protocol/contract.js';
import { controlFailure } from '../../../shared/protocol/poller.js';
import type { PollerSettings } from '../../../shared/protocol/poller.js';
import { ServerAddress } from '../wire/address.js';
import { Deadline } from '../wire/deadline.js';
import type { NutFailure } from '../wire/errors.js';
import { cannotEncode } from '../wire/errors.js';
import { loginOf } from '../wire/login.js';
import { NutSession } from './session.js';
import { requestLine } from '../wire/wire.js';

/** As often as upsmon looks. */
const lookMs = 250;

type Settings = Pick<PollerSettings, 'ups' | 'host' | 'port' | 'tls' | 'role'>;
export type ForcedShutdown = Outcome<{ clients: string[] }>;

/**
 * `hostsyncMs`: how long the others have, from the flag on. `clients`: the addresses of those that are logged in at the end;
 * `isLoggedIn`: whether this host is one of them. Uses a connection of its own: it waits for no poll.
 */
export async function forceShutdown(
  { ups, host, port, tls, role }: Settings,
  hostsyncMs: number,
  deadlineMs: number,
  isLoggedIn: () => boolean,
): Promise<ForcedShutdown> {
  if (role?.kind !== 'primary') return refusal('this host is not the primary of the UPS');
  const session = new NutSession({
    address: new ServerAddress(host),
    host,
    port,
    tls,
    logIn: loginOf(role),
    logInIfRefused: null,
  });
  try {
    return await request(session, ups, hostsyncMs, new Deadline(deadlineMs), isLoggedIn);
  } finally {
    session.close();
  }
}

async function request(
  session: NutSession,
  ups: string,
  hostsyncMs: number,
  deadline: Deadline,
  isLoggedIn: () => boolean,
): Promise<ForcedShutdown> {
  const user = { notice: () => undefined, activate: () => undefined };
  const line = requestLine('FSD', ups);
  const clientsLine = requestLine('LIST CLIENT', ups);
  if (line === undefined || clientsLine === undefined) return refusal(cannotEncode().failure.message);
  const set = await session.inTurn(deadline, (ask) => ask(line, { kind: 'line' }, deadline), user);
  if (!set.ok && set.failure.code === null)
    // It may be set: its answer was lost.
    return { ok: false, error: { code: controlFailure.deadline, message: set.failure.message } };
  if (!set.ok) return refusal(refusalText(set.failure));
  const end = new Deadline(Math.min(hostsyncMs, deadline.remainingMs - lookMs));
  let clients: string[] = [];
  for (;;) {
    const listed = await session.inTurn(
      deadline,
      (ask) => ask(clientsLine, { kind: 'list', of: 'CLIENT', query: [ups] }, deadline),
      user,
    );
    // A server that does not list its clients gets the whole time.
    if (listed.ok && listed.value.kind === 'rows') {
      clients = listed.value.rows.map(([address = '']) => address.slice(0, 64)).slice(0, 100);
      if (clients.length <= (isLoggedIn() ? 1 : 0)) return { ok: true, value: { clients: [] } };
    }
    if (end.passed) return { ok: true, value: { clients } };
    await pause(Math.min(lookMs, end.remainingMs + 1));
  }
}

function refusalText({ code, message }: NutFailure): string {
  const hint = code === 'ACCESS-DENIED' ? ': give the user "upsmon primary" in upsd.users' : '';
  return `FSD: ${message}${hint}`;
}

function refusal(message: string): Outcome<never> {
  return { ok: false, error: { code: controlFailure.nut, message: message.slice(0, 1024) } };
}
