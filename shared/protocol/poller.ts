// The poller of one UPS: asks its NUT server, reports readings, runs instant commands and writes variables.
import * as t from 'io-ts';
import { Reading, Variables } from '../domain/reading.js';
import { PollFailure } from '../domain/states.js';
import { finite, integerFrom, oneOf, orNull, textUpTo } from '../domain/units.js';
import type { Contract } from './contract.js';

const name = textUpTo(256);

/** Where and how to reach the UPS, with the secrets already read. */
export const PollerSlice = t.type(
  {
    /** Configured name; also what `upsc` is given. */
    name,
    groupId: name,
    /** The UPS as its server calls it. */
    ups: name,
    host: name,
    port: integerFrom(1, 65535),
    transport: oneOf('network', 'tools'),
    checkIntervalMs: finite,
    /** Deadline of one complete poll: max(2 x check_interval, 5 s), at most 10 s (specification/nut.md#polling). */
    pollDeadlineMs: finite,
    tls: t.type({
      mode: oneOf('off', 'opportunistic', 'required'),
      caPem: orNull(t.string),
      pinSha256: orNull(name),
    }),
    /** Null while nut_control is off: then nothing but reading is possible. */
    control: orNull(
      t.type({
        username: name,
        password: textUpTo(4096),
        allowedCommands: t.array(name),
        allowedVariables: t.array(name),
        timeoutMs: finite,
      }),
    ),
    /** What the plan's last step tells this UPS; null where it tells it nothing. Nobody who asks can name another command. */
    output: orNull(
      t.type({
        username: name,
        password: textUpTo(4096),
        command: name,
        offDelaySeconds: integerFrom(60, 3600),
      }),
    ),
  },
  'PollerSlice',
);
export type PollerSlice = t.TypeOf<typeof PollerSlice>;

/** One poll has ended. Times are the monotonic clock of the machine in ms (`monotonicMs`), equal in all processes. */
export const UpsPolled = t.type(
  {
    startedAt: finite,
    /** When the last byte of the answer was there. */
    endedAt: finite,
    outcome: t.union([
      t.type({ kind: t.literal('reading'), reading: Reading, variables: Variables }),
      t.type({ kind: t.literal('failed'), detail: PollFailure, message: textUpTo(1024) }),
    ]),
  },
  'UpsPolled',
);
export type UpsPolled = t.TypeOf<typeof UpsPolled>;

/** A command or variable with what the server says of it. */
export const NamedCommand = t.type({ name, description: textUpTo(1024) });
export const WritableVariable = t.intersection([
  t.type({ name, type: textUpTo(64), value: textUpTo(1024) }),
  t.partial({ enum: t.array(textUpTo(1024)), range: t.array(t.type({ min: finite, max: finite })) }),
]);
export type WritableVariable = t.TypeOf<typeof WritableVariable>;

/** What a control request fails with, beside the codes of the link. */
export const controlFailure = {
  notAllowed: 'NOT_ALLOWED',
  unsupported: 'UNSUPPORTED',
  nut: 'NUT_ERROR',
  deadline: 'DEADLINE_EXCEEDED',
} as const;

export const pollerContract = {
  name: 'poller',
  slice: PollerSlice,
  events: { 'ups.polled': { body: UpsPolled, flow: 'newest' } },
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
     * Has the UPS cut its output, as the slice says: only the plan asks this. Fails, without having given the command,
     * unless the UPS offers it and confirms the delay.
     */
    'output.off': { params: t.type({}), result: t.type({ output: textUpTo(4096) }) },
    'commands.list': { params: t.type({}), result: t.type({ commands: t.array(NamedCommand) }) },
    'variables.list': { params: t.type({}), result: t.type({ variables: t.array(WritableVariable) }) },
  },
  asks: {},
} as const satisfies Contract;
