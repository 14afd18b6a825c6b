// A simulated upsd: several UPSes, users, TLS, and functions by which a test or the demo controls it. It listens on
// loopback addresses only.
import { X509Certificate } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Clock } from '../../shared/runtime/clock.js';
import { systemClock } from '../../shared/runtime/clock.js';
import type { SimulatedFault } from './faults.js';
import { Faults } from './faults.js';
import type { Scenario } from './scenario.js';
import { ClientSession } from './session.js';
import type { UpsChange, UpsSpec } from './simulated-ups.js';
import { SimulatedUps } from './simulated-ups.js';
import { nutVersion } from './upsd-state.js';
import { Tracking } from './tracking.js';
import type { User } from './users.js';
import { Users } from './users.js';

/** A certificate, with the chain it needs, and its key. */
export interface Certificate {
  readonly certPem: string;
  readonly keyPem: string;
}

export interface SimulatedUpsdOptions {
  readonly ups: readonly UpsSpec[];
  readonly users?: readonly User[];
  /** Without a certificate STARTTLS is refused, as by a upsd that has none. */
  readonly tls?: Certificate;
  /** With `tls`: only clients with a certificate of this CA (CERTREQUEST of upsd) are answered after the handshake. */
  readonly clientCaPem?: string;
  /** Reads need a user too, as on some embedded servers. */
  readonly readsNeedLogin?: boolean;
  /** Further connections are closed immediately; default 4096. */
  readonly maxConnections?: number;
  /** 0, the default: a free port. */
  readonly port?: number;
  /** A loopback address; default 127.0.0.1. */
  readonly host?: string;
  readonly clock?: Clock;
  /** Seconds of the UPS per second of the clock; default 1. */
  readonly speed?: number;
  /** How long a tracked command is PENDING; default 0. */
  readonly trackingDelayMs?: number;
  readonly idleTimeoutMs?: number;
  readonly serverInfo?: string;
  /** Called with the words of every query. */
  readonly onQuery?: (words: readonly string[]) => void;
  /** Called for each scenario event. A UPS without queries stands still until the next one. */
  readonly onEvent?: (ups: string, says: string) => void;
}

export interface SimulatedUpsd {
  readonly host: string;
  readonly port: number;
  /** Clients connected at this moment. */
  readonly connections: number;
  /** One UPS; throws for a name it was not started with. */
  ups(name: string): UpsControl;
  /** Sets a fault from the next query on, for the server or for one UPS; undefined ends it. */
  misbehave(fault: SimulatedFault | undefined, ups?: string): void;
  /** Closes every connection now. */
  dropConnections(): void;
  /** While true, every new connection is closed immediately. */
  refuseConnections(turning: boolean): void;
  stop(): Promise<void>;
}

export interface UpsControl {
  /** Changes the world, the battery, single variables, the FSD flag or the driver; seen by the next query. */
  set(change: UpsChange): void;
  play(scenario: Scenario): void;
  next(): ReturnType<SimulatedUps['next']>;
  /** The value in an answer, without FSD; undefined when there is none. */
  value(variable: string): string | undefined;
  readonly fsd: boolean;
  readonly logins: number;
}

/** upsd's idle limit: a client must send a query at least this often. */
const defaultIdleTimeoutMs = 60_000;
/** upsd checks for idle clients after each poll, at least every 2 s. */
const idleLookMs = 2000;
const defaultMaxConnections = 4096;

/** Starts listening. Rejects with the socket's error, or for a host that is not loopback. */
export async function startSimulatedUpsd(options: SimulatedUpsdOptions): Promise<SimulatedUpsd> {
  const host = options.host ?? '127.0.0.1';
  if (!/^127\.\d+\.\d+\.\d+$/.test(host) && host !== '::1')
    throw new Error(`the simulated upsd listens on loopback only, not on ${host}`);
  const clock = options.clock ?? systemClock;
  const startedMs = clock.monotonicMs();
  const upsSeconds = (): number => ((clock.monotonicMs() - startedMs) / 1000) * (options.speed ?? 1);
  const state = {
    upses: new Map(
      options.ups.map((spec) => {
        const hear = (says: string): void => options.onEvent?.(spec.name, says);
        return [spec.name.toLowerCase(), new SimulatedUps(spec, upsSeconds, hear)] as const;
      }),
    ),
    users: new Users(options.users ?? []),
    tracking: new Tracking(clock, options.trackingDelayMs ?? 0),
    faults: new Faults(),
    clients: new Set<ClientSession['client']>(),
    secureContext:
      options.tls === undefined
        ? undefined
        : createSecureContext({ cert: options.tls.certPem, key: options.tls.keyPem }),
    clientCa:
      options.clientCaPem === undefined ? undefined : new X509Certificate(options.clientCaPem).publicKey,
    readsNeedLogin: options.readsNeedLogin === true,
    serverInfo: options.serverInfo ?? `Network UPS Tools upsd ${nutVersion} - simulated by Ridethrough`,
  };
  const sessions = new Set<ClientSession>();
  const sessionOptions = {
    state,
    clock,
    onQuery: options.onQuery ?? (() => undefined),
  };
  let refusing = false;
  const maxConnections = options.maxConnections ?? defaultMaxConnections;
  const server = createServer((socket) => {
    if (refusing || sessions.size >= maxConnections) {
      socket.on('error', () => undefined);
      socket.destroy();
    } else sessions.add(new ClientSession(socket, sessionOptions, (session) => sessions.delete(session)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port: options.port ?? 0 }, resolve);
  });

  const idleTimeoutMs = options.idleTimeoutMs ?? defaultIdleTimeoutMs;
  const idleLook = setInterval(
    () => {
      const now = clock.monotonicMs();
      for (const session of sessions) if (now - session.lastHeardMs > idleTimeoutMs) session.drop();
    },
    Math.min(idleLookMs, idleTimeoutMs / 4),
  );
  const known = (name: string): SimulatedUps => {
    const ups = state.upses.get(name.toLowerCase());
    if (ups === undefined) throw new Error(`the simulated upsd has no UPS "${name}"`);
    return ups;
  };
  const dropConnections = (): void => {
    for (const session of sessions) session.drop();
  };
  return {
    host,
    port: (server.address() as AddressInfo).port,
    get connections() {
      return sessions.size;
    },
    ups: (name) => controlOf(known(name)),
    misbehave: (fault, ups) => state.faults.set(fault, ups),
    dropConnections,
    refuseConnections: (turning) => {
      refusing = turning;
    },
    stop: () =>
      new Promise((resolve) => {
        clearInterval(idleLook);
        server.close(() => resolve());
        dropConnections();
      }),
  };
}

function controlOf(ups: SimulatedUps): UpsControl {
  return {
    set: (change) => ups.set(change),
    play: (scenario) => ups.play(scenario),
    next: () => ups.next(),
    value: (variable) => {
      ups.look();
      return ups.store.value(variable);
    },
    get fsd() {
      ups.look();
      return ups.store.fsd;
    },
    get logins() {
      return ups.logins;
    },
  };
}
