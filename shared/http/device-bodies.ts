// Codecs of the bodies of one UPS other than its row: readings, explain, plan, energy, self test, control
// (specification/api-resources.md#routes).
import * as t from 'io-ts';
import { Energy } from '../domain/ups/energy.js';
import { RecoveryCheck } from '../domain/recovery/recovery-check.js';
import { RecoveryStatus } from '../domain/recovery/recovery-status.js';
import { ServerTimes } from '../domain/outage/server-time.js';
import { SelfTest, SelfTestRecord } from '../domain/ups/self-test.js';
import { RemoteHealthRow } from '../domain/status/status-model.js';
import { finite, oneOf, orNull, textUpTo } from '../domain/base/units.js';

/** GET /api/v1/remote-health */
export const RemoteHealthBody = t.type(
  { generatedAt: finite, servers: t.readonlyArray(RemoteHealthRow) },
  'RemoteHealthBody',
);
export type RemoteHealthBody = t.TypeOf<typeof RemoteHealthBody>;

/** GET /api/v1/recovery/check */
export const RecoveryCheckBody = t.intersection(
  [t.type({ generatedAt: finite }), RecoveryCheck],
  'RecoveryCheckBody',
);
export type RecoveryCheckBody = t.TypeOf<typeof RecoveryCheckBody>;

/** GET /api/v1/recovery */
export const RecoveryBody = t.intersection([t.type({ generatedAt: finite }), RecoveryStatus], 'RecoveryBody');
export type RecoveryBody = t.TypeOf<typeof RecoveryBody>;

/** GET /api/v1/servers */
export const ServersBody = t.type(
  {
    generatedAt: finite,
    servers: t.readonlyArray(
      t.type({
        server: t.string,
        host: t.string,
        /** The groupId of the UPS or redundancy group that owns the server. */
        group: t.string,
        shutdownOrder: finite,
        times: ServerTimes,
      }),
    ),
  },
  'ServersBody',
);
export type ServersBody = t.TypeOf<typeof ServersBody>;

/** GET /api/v1/ups/{name}/energy; null while unknown or off. The cost keys are present only with a price. */
export const EnergyBody = t.type({ ups: t.string, energy: orNull(Energy) }, 'EnergyBody');
export type EnergyBody = t.TypeOf<typeof EnergyBody>;

/** GET /api/v1/ups/{name}/energy-history: oldest first; days and months without any energy counted are absent. */
export const EnergyHistoryBody = t.type(
  {
    ups: t.string,
    by: oneOf('day', 'month'),
    currency: t.string,
    data: t.readonlyArray(
      t.type({
        /** Unix seconds. */
        from: finite,
        /** `2026-01-31` or `2026-01`, in the local time of the daemon. */
        label: t.string,
        kwh: finite,
        /** Null without a price. */
        cost: orNull(finite),
        /** Part of it was computed from the load and the rating. */
        estimated: t.boolean,
        powerFactor: orNull(finite),
        /** Part of the time, since the counting began, was not counted. */
        partial: t.boolean,
      }),
    ),
  },
  'EnergyHistoryBody',
);
export type EnergyHistoryBody = t.TypeOf<typeof EnergyHistoryBody>;

/** GET /api/v1/ups/{name}/self-test; null while unknown. */
export const SelfTestBody = t.type({ ups: t.string, selfTest: orNull(SelfTest) }, 'SelfTestBody');
export type SelfTestBody = t.TypeOf<typeof SelfTestBody>;

/** GET /api/v1/ups/{name}/self-tests: the newest first. */
export const SelfTestsBody = t.type(
  {
    ups: t.string,
    /** The next date of the schedule in Unix seconds, in the past while that test waits; null without a schedule. */
    nextTs: orNull(finite),
    tests: t.readonlyArray(SelfTestRecord),
  },
  'SelfTestsBody',
);
export type SelfTestsBody = t.TypeOf<typeof SelfTestsBody>;

/** POST /api/v1/ups/{name}/self-test */
export const SelfTestIssuedBody = t.type(
  { ups: t.string, command: t.string, status: t.literal('issued') },
  'SelfTestIssuedBody',
);
export type SelfTestIssuedBody = t.TypeOf<typeof SelfTestIssuedBody>;

const namedCommand = t.type({ name: t.string, description: t.string }, 'NamedCommand');

/** GET /api/v1/ups/{name}/commands: the allowlisted commands that the UPS supports, and all that it supports. */
export const CommandsBody = t.type(
  {
    ups: t.string,
    commands: t.readonlyArray(namedCommand),
    supported: t.readonlyArray(namedCommand),
  },
  'CommandsBody',
);
export type CommandsBody = t.TypeOf<typeof CommandsBody>;

/** POST /api/v1/ups/{name}/command. NUT's lines carry no longer name or value. */
const nutName = t.refinement(textUpTo(256), (text) => text !== '', 'a name');

/** One line: text with a line break is never sent to a NUT server (specification/nut.md#quoting). */
const nutValue = t.refinement(
  textUpTo(1024),
  (text) => !/\p{Cc}/u.test(text),
  'text without control characters',
);

export const CommandRequest = t.intersection(
  [t.type({ command: nutName }), t.partial({ value: nutValue })],
  'CommandRequest',
);
export type CommandRequest = t.TypeOf<typeof CommandRequest>;

export const CommandBody = t.type(
  { ups: t.string, command: t.string, status: t.literal('ok'), output: t.string },
  'CommandBody',
);
export type CommandBody = t.TypeOf<typeof CommandBody>;

/** GET /api/v1/ups/{name}/variables: those of the allowlist that the UPS lets be written. */
export const VariablesBody = t.type(
  {
    ups: t.string,
    variables: t.readonlyArray(
      t.intersection(
        [
          t.type({ name: t.string, type: t.string, value: t.string }),
          t.partial({
            enum: t.readonlyArray(t.string),
            range: t.readonlyArray(t.type({ min: finite, max: finite })),
          }),
        ],
        'WritableVariable',
      ),
    ),
  },
  'VariablesBody',
);
export type VariablesBody = t.TypeOf<typeof VariablesBody>;

/** PUT /api/v1/ups/{name}/variables/{var} */
export const VariableRequest = t.type({ value: nutValue }, 'VariableRequest');
export type VariableRequest = t.TypeOf<typeof VariableRequest>;

export const VariableBody = t.type(
  { ups: t.string, variable: t.string, value: t.string, status: t.literal('ok') },
  'VariableBody',
);
export type VariableBody = t.TypeOf<typeof VariableBody>;
