// The remote worker: shuts servers down over SSH. It connects where its slice says and runs what a step of the plan
// asks; it decides nothing. Names are resolved ahead of need, so that no step waits for a name server.
import * as t from 'io-ts';
import { RemoteWork } from '../domain/plan.js';
import { finite, integerFrom, oneOf, orNull, textUpTo } from '../domain/units.js';
import type { Contract } from './contract.js';
import { nothing } from './contract.js';

const name = textUpTo(256);

/** How to log in to one server. Key material was read by the supervisor's reader; null: it could not be, `keyTrouble` says why. */
export const SshAccess = t.type(
  {
    server: name,
    host: name,
    port: integerFrom(1, 65535),
    user: name,
    privateKey: orNull(textUpTo(65_536)),
    keyTrouble: orNull(textUpTo(8192)),
    knownHostsFile: textUpTo(4096),
    hostKeyPolicy: oneOf('strict', 'accept-new'),
    connectTimeoutMs: finite,
  },
  'SshAccess',
);
export type SshAccess = t.TypeOf<typeof SshAccess>;

export const RemoteSlice = t.type({ servers: t.array(SshAccess) }, 'RemoteSlice');
export type RemoteSlice = t.TypeOf<typeof RemoteSlice>;

/** Why a login to a server cannot succeed whatever the network does: no usable key, no address ever, a refused host key. */
export const Obstacle = oneOf('key', 'name', 'hostKey');
export type Obstacle = t.TypeOf<typeof Obstacle>;

/** One thing done on a target: `connect`, an action by its name, `final command`. */
export const TargetStep = t.type(
  {
    what: name,
    /** `skipped`: it was not begun, because what is left of the time is the final command's, or the step does not apply. */
    result: oneOf('ok', 'failed', 'timeout', 'skipped'),
    durationMs: finite,
    detail: textUpTo(1024),
  },
  'TargetStep',
);
export type TargetStep = t.TypeOf<typeof TargetStep>;

/** The outcome of one target, as REMOTE_SHUTDOWN_SUMMARY lists it (specification/remote-servers.md#outcome). */
export const TargetOutcome = t.type(
  {
    /**
     * `unreachable`: nobody could be logged in to (no address, no answer, refused). `timeout`: the server, or the final
     * command, did not answer in its time. `failed`: anything else that did not end well, an action among it.
     */
    result: oneOf('ok', 'failed', 'unreachable', 'timeout'),
    /** For people: what failed and what is left running; empty when all went well. */
    detail: textUpTo(4096),
    /** The final command was delivered: the target is going down, whatever failed before. */
    delivered: t.boolean,
    steps: t.array(TargetStep),
  },
  'TargetOutcome',
);
export type TargetOutcome = t.TypeOf<typeof TargetOutcome>;

export const remoteContract = {
  name: 'remote',
  slice: RemoteSlice,
  events: {
    /**
     * What is known of each server without a login: `trouble` says why its key cannot be used or its name has no
     * address; null: neither. A server is left out until its name was asked for once.
     */
    'servers.known': {
      body: t.type({
        servers: t.array(t.type({ server: name, host: name, trouble: orNull(textUpTo(512)) })),
      }),
      flow: 'newest',
    },
  },
  requests: {
    /** A UPS has gone on battery: look names up again, load what is loaded lazily. */
    prepare: { params: nothing, result: nothing },
    /** Does the whole work of one target within `budgetMs` and answers when it has ended or the budget is used up. */
    'target.shutdown': { params: t.type({ work: RemoteWork, budgetMs: finite }), result: TargetOutcome },
    /** A drill: connects, and asks whether the commands exist and may be run (`command -v`, `sudo -n -l`); runs none of them. */
    'target.check': { params: t.type({ work: RemoteWork, budgetMs: finite }), result: TargetOutcome },
  },
  asks: {},
} as const satisfies Contract;
