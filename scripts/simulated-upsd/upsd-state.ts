// The state that the handlers of a simulated upsd share: UPSes, users, clients; and the refusal of a query.
import type { KeyObject } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import type { ErrorToken } from './answers.js';
import { errorAnswer } from './answers.js';
import type { Faults } from './faults.js';
import type { SimulatedUps } from './simulated-ups.js';
import type { Tracking } from './tracking.js';
import type { Users } from './users.js';

/** The release of NUT that this server simulates. */
export const nutVersion = '2.8.0';

/** One connection as the protocol sees it. */
export interface Client {
  readonly address: string;
  username: string | undefined;
  password: string | undefined;
  /** The UPS this client is logged in to, which counts it in NUMLOGINS. */
  login: SimulatedUps | undefined;
  tracking: boolean;
  tls: boolean;
}

export interface UpsdState {
  /** By name in lower case: upsd compares names without case. */
  readonly upses: ReadonlyMap<string, SimulatedUps>;
  readonly users: Users;
  readonly tracking: Tracking;
  readonly faults: Faults;
  readonly clients: Set<Client>;
  /** Undefined: STARTTLS is not configured. */
  readonly secureContext: SecureContext | undefined;
  /** A client without a certificate of this CA is dropped after the TLS handshake. */
  readonly clientCa: KeyObject | undefined;
  readonly readsNeedLogin: boolean;
  readonly serverInfo: string;
}

/** The refusal of a query. The lookups below throw it; `answerOf` makes `ERR ...` of it. */
export class Refusal extends Error {
  constructor(readonly token: ErrorToken) {
    super(token);
  }
}

/** The answer of `ask`, or the error it was refused with. */
export function answerOf(ask: () => string): string {
  try {
    return ask();
  } catch (refusal) {
    if (refusal instanceof Refusal) return errorAnswer(refusal.token);
    throw refusal;
  }
}

export function knownUps(state: UpsdState, name: string): SimulatedUps {
  const ups = state.upses.get(name.toLowerCase());
  if (ups === undefined) throw new Refusal('UNKNOWN-UPS');
  ups.look();
  return ups;
}

/** A UPS with a driver and fresh data. Any other UPS is refused, because its values are old. */
export function freshUps(state: UpsdState, name: string): SimulatedUps {
  const ups = knownUps(state, name);
  if (ups.link === 'gone') throw new Refusal('DRIVER-NOT-CONNECTED');
  if (ups.link === 'stale') throw new Refusal('DATA-STALE');
  return ups;
}
