// The contract of the remote worker: it shuts servers down over SSH. It connects by its settings and runs the work of a
// step of the plan; it decides nothing. It resolves names in advance, so that no step waits for a name server.
import * as t from 'io-ts';
import { RemoteWork } from '../domain/plan.js';
import { finite, integerFrom, oneOf, orNull, textUpTo } from '../domain/units.js';
import type { Contract } from './contract.js';
import { nothing } from './contract.js';

const name = textUpTo(256);

/** The login of one server. The reader process has read the key; null: it could not, and `keyTrouble` has the reason. */
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

export const RemoteSettings = t.type({ servers: t.array(SshAccess) }, 'RemoteSettings');
export type RemoteSettings = t.TypeOf<typeof RemoteSettings>;

/** Errors of a login that only an operator can correct: no usable key, no address ever, a refused host key. */
export const Obstacle = oneOf('key', 'name', 'hostKey');
export type Obstacle = t.TypeOf<typeof Obstacle>;

/** One step on a target: `connect`, an action by its name, `final command`. */
export const TargetStep = t.type(
  {
    what: name,
    /** `skipped`: not begun, because the time left is reserved for the final command or the step does not apply. */
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
     * `unreachable`: no login (no address, no answer, refused). `timeout`: the server or the final command did not answer
     * in time. `failed`: any other failure, that of an action included.
     */
    result: oneOf('ok', 'failed', 'unreachable', 'timeout'),
    /** What failed and what is left running, as text; empty when all went well. */
    detail: textUpTo(4096),
    /** The final command was delivered: the target shuts down, whatever failed before. */
    delivered: t.boolean,
    steps: t.array(TargetStep),
  },
  'TargetOutcome',
);
export type TargetOutcome = t.TypeOf<typeof TargetOutcome>;

export const remoteContract = {
  name: 'remote',
  settings: RemoteSettings,
  events: {
    /**
     * Errors of each server that are known without a login: `trouble` says why its key cannot be used or that its name
     * has no address; null: no error. A server is absent until its name was looked up once.
     */
    'servers.known': {
      body: t.type({
        servers: t.array(t.type({ server: name, host: name, trouble: orNull(textUpTo(512)) })),
      }),
      flow: 'newest',
    },
  },
  requests: {
    /** A UPS went on battery: look names up again, load modules. */
    prepare: { params: nothing, result: nothing },
    /** Does all work of one target within `budgetMs`; answers when it has ended or the budget is used up. */
    'target.shutdown': { params: t.type({ work: RemoteWork, budgetMs: finite }), result: TargetOutcome },
    /** A drill: checks that the commands exist and may be run (`command -v`, `sudo -n -l`); runs none of them. */
    'target.check': { params: t.type({ work: RemoteWork, budgetMs: finite }), result: TargetOutcome },
  },
  asks: {},
} as const satisfies Contract;
