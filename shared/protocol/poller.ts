// The contract of the poller of one UPS: it polls the NUT server, reports readings, runs commands and writes variables.
import * as t from 'io-ts';
import type { Reading, Variables } from '../domain/ups/reading.js';
import { PollFailure } from '../domain/status/states.js';
import { finite, integerFrom, oneOf, orNull, textUpTo } from '../domain/base/units.js';
import type { Contract } from './contract.js';
import { ReadingChange } from './reading-change.js';

const name = textUpTo(256);

/** Where and how to reach the UPS, with the secrets already read. */
export const PollerSettings = t.type(
  {
    /** Configured name; also the argument of `upsc`. */
    name,
    groupId: name,
    /** The name of the UPS on its server. */
    ups: name,
    host: name,
    port: integerFrom(1, 65535),
    transport: oneOf('network', 'tools'),
    checkIntervalMs: finite,
    /** Polls start this long after each multiple of `checkIntervalMs` of the monotonic clock. */
    pollOffsetMs: finite,
    /** Deadline of one complete poll: max(2 x check_interval, 5 s), at most 10 s (specification/nut.md#polling). */
    pollDeadlineMs: finite,
    tls: t.type({
      mode: oneOf('off', 'opportunistic', 'required'),
      caPem: orNull(t.string),
      pinSha256: orNull(name),
      /** What the daemon shows to a server that asks for a certificate. */
      client: orNull(t.type({ certPem: t.string, keyPem: t.string })),
    }),
    /** Sent before the first read of each connection. */
    readLogin: orNull(t.type({ username: name, password: textUpTo(4096) })),
    /** All UPSes of the server are polled over one connection. */
    sharesConnection: t.boolean,
    /** Null while nut_control is off: the poller then only reads. */
    control: orNull(
      t.type({
        username: name,
        password: textUpTo(4096),
        allowedCommands: t.array(name),
        allowedVariables: t.array(name),
        timeoutMs: finite,
      }),
    ),
    /** How the daemon tests the battery; null while nothing may start a test. A request cannot name another command. */
    selfTest: orNull(t.type({ username: name, password: textUpTo(4096), command: name, timeoutMs: finite })),
    /**
     * Null: this host only reads. A secondary is logged in at the server while `isHeld`; a primary too, and it may set FSD.
     */
    role: orNull(
      t.type({
        kind: oneOf('secondary', 'primary'),
        username: name,
        password: textUpTo(4096),
        isHeld: t.boolean,
      }),
    ),
    /** The command of the step `ups_output_off`; null without that step. A request cannot name another command. */
    output: orNull(
      t.type({
        username: name,
        password: textUpTo(4096),
        command: name,
        offDelaySeconds: integerFrom(60, 3600),
      }),
    ),
  },
  'PollerSettings',
);
export type PollerSettings = t.TypeOf<typeof PollerSettings>;

const failedPoll = t.type({ kind: t.literal('failed'), detail: PollFailure, message: textUpTo(1024) });

/** One poll has ended. Times are the monotonic clock of the machine in ms (`monotonicMs`), equal in all processes. */
export const PollReport = t.type(
  {
    startedAt: finite,
    /** When the last byte of the answer arrived. */
    endedAt: finite,
    outcome: t.union([t.type({ kind: t.literal('reading'), change: ReadingChange }), failedPoll]),
  },
  'PollReport',
);
export type PollReport = t.TypeOf<typeof PollReport>;

/** The same with the complete reading. */
export interface UpsPolled extends Pick<PollReport, 'startedAt' | 'endedAt'> {
  readonly outcome:
    | { readonly kind: 'reading'; readonly reading: Reading; readonly variables: Variables }
    | t.TypeOf<typeof failedPoll>;
}

/** A command or variable with the server's description. */
export const NamedCommand = t.type({ name, description: textUpTo(1024) });
export const WritableVariable = t.intersection([
  t.type({ name, type: textUpTo(64), value: textUpTo(1024) }),
  t.partial({ enum: t.array(textUpTo(1024)), range: t.array(t.type({ min: finite, max: finite })) }),
]);
export type WritableVariable = t.TypeOf<typeof WritableVariable>;

/** Failure codes of control requests, in addition to those of the link. */
export const controlFailure = {
  notAllowed: 'NOT_ALLOWED',
  unsupported: 'UNSUPPORTED',
  /** The server did not pass the request on to the UPS. */
  refused: 'NUT_REFUSED',
  nut: 'NUT_ERROR',
  deadline: 'DEADLINE_EXCEEDED',
} as const;

export const pollerContract = {
  name: 'poller',
  settings: PollerSettings,
  events: {
    'ups.polled': { body: PollReport, flow: 'newest' },
    /** Whether this host is logged in for its role; `why` not. */
    'login.changed': { body: t.type({ isHeld: t.boolean, why: textUpTo(1024) }), flow: 'newest' },
  },
  requests: {
    /** Runs an instant command; answers once it is done (TRACKING) or accepted. Fails with a NUT code. */
    'command.run': {
      params: t.type({ command: name, value: orNull(textUpTo(1024)) }),
      result: t.type({ output: textUpTo(4096) }),
    },
    'variable.write': {
      params: t.type({ variable: name, value: textUpTo(1024) }),
      result: t.type({ output: textUpTo(4096) }),
    },
    /**
     * Makes the UPS cut its output by the settings: only a plan requests this. Fails without sending the command unless
     * the UPS offers it and confirms the delay. `warning`: why the output may not come back; empty where nothing speaks against it.
     */
    'output.off': {
      params: t.type({}),
      result: t.type({ output: textUpTo(4096), warning: textUpTo(1024) }),
    },
    /**
     * Whether the output comes back after the command of the settings: only a drill requests this. Nothing is written or sent
     * to the UPS. Fails where it does not offer the command, or shows no delay.
     */
    'output.check': {
      params: t.type({}),
      result: t.type({ verdict: oneOf('returns', 'may_not_return', 'unknown'), reason: textUpTo(1024) }),
    },
    /**
     * Sets FSD and waits until nobody else is logged in, `hostsyncMs` at most: only a plan requests this. `clients`: who still
     * is, this host included; empty when it is alone.
     */
    'fsd.set': {
      params: t.type({ hostsyncMs: finite }),
      result: t.type({ clients: t.array(textUpTo(64)) }),
    },
    /** Starts the battery test of the settings, or ends it by `test.battery.stop`. Fails with a NUT code. */
    'selfTest.run': {
      params: t.type({ action: oneOf('start', 'stop') }),
      result: t.type({ output: textUpTo(4096) }),
    },
    'commands.list': { params: t.type({}), result: t.type({ commands: t.array(NamedCommand) }) },
    'variables.list': { params: t.type({}), result: t.type({ variables: t.array(WritableVariable) }) },
  },
  asks: {},
} as const satisfies Contract;
