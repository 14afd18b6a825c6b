// The contract of the remote worker: it shuts servers down over SSH. It connects by its settings and runs the work of a
// step of the plan; it decides nothing. It resolves names in advance, so that no step waits for a name server.
import * as t from 'io-ts';
import { RemoteWork } from '../domain/actions/remote-work.js';
import { answerKinds } from '../domain/recovery/guest-scripts.js';
import { maxGuests, StoppedGuests } from '../domain/recovery/guest.js';
import { DrillFinding, maxDrillFindings } from '../domain/recovery/recovery-check.js';
import { finite, integerFrom, oneOf, orNull, textUpTo } from '../domain/base/units.js';
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

/** How a server is found to be off (specification/remote-servers.md#off). */
export const OffCheck = t.type(
  {
    method: oneOf('tcp', 'ping', 'none'),
    port: integerFrom(1, 65535),
    /** From silence to off. */
    settleMs: finite,
    /** Not asked any longer after its command. */
    timeoutMs: finite,
    /** Its group with its shutdown_order: servers of one order may go off in the same second. */
    order: textUpTo(512),
  },
  'OffCheck',
);
export type OffCheck = t.TypeOf<typeof OffCheck>;

export const RemoteTarget = t.intersection([SshAccess, t.type({ offCheck: OffCheck })], 'RemoteTarget');
export type RemoteTarget = t.TypeOf<typeof RemoteTarget>;

export const RemoteSettings = t.type({ servers: t.array(RemoteTarget) }, 'RemoteSettings');
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
    /** It was sent to an open channel: the target may shut down, also without an answer. */
    sent: t.boolean,
    /** A server that was asked to run it has not answered, or a signal has ended it there: it may do it. */
    maybeSent: t.boolean,
    /** Of a drill: why commands could not be checked, and what to do; empty when all were. */
    unchecked: textUpTo(1024),
    steps: t.array(TargetStep),
  },
  'TargetOutcome',
);
export type TargetOutcome = t.TypeOf<typeof TargetOutcome>;

export const TargetCheck = t.intersection(
  [
    TargetOutcome,
    /** What speaks against its way back after an outage; null: it could not be asked. */
    t.type({ wayBack: orNull(listUpTo(DrillFinding, maxDrillFindings)) }),
  ],
  'TargetCheck',
);
export type TargetCheck = t.TypeOf<typeof TargetCheck>;

/** More than a site has servers; further ones are not asked. */
export const maxLooks = 5_000;
/** An own interface for each would be a strange host. */
export const maxWitnessedLinks = 256;
/** The interval between two rounds on line power. */
export const maxLooksMs = 60_000;

/** One request of `off_check`, without a login (specification/remote-servers.md#looks). */
export const Look = t.type(
  {
    server: name,
    /** `fault`: it could not be asked, so no answer means nothing. */
    end: oneOf('answer', 'silence', 'fault'),
    /** The own interface over which it is reached; null: it has none, several, or one without a carrier. */
    link: orNull(textUpTo(64)),
  },
  'Look',
);
export type Look = t.TypeOf<typeof Look>;

export const LookRound = t.type(
  {
    looks: listUpTo(Look, maxLooks),
    /** Of each interface in use that has a gateway, whether one answered. */
    gateways: listUpTo(t.type({ link: textUpTo(64), answered: t.boolean }), maxWitnessedLinks),
  },
  'LookRound',
);
export type LookRound = t.TypeOf<typeof LookRound>;

/** The supervisor's number of a request. */
const run = integerFrom(0, Number.MAX_SAFE_INTEGER);

/** Of a request about guests: some lines for each. */
export const maxAnswers = 8_000;
export const maxAnswerText = 4_096;

/** What a line of a server says of a guest, `place` in the request. Untrusted text. */
export const GuestAnswer = t.readonly(
  t.type({
    kind: oneOf(...answerKinds),
    place: integerFrom(0, maxGuests - 1),
    text: textUpTo(maxAnswerText),
  }),
  'GuestAnswer',
);
export type GuestAnswer = t.TypeOf<typeof GuestAnswer>;

const GuestOrder = t.type({
  guests: StoppedGuests,
  useSudo: t.boolean,
  /** Of libvirt; null: what the login finds. */
  uri: orNull(textUpTo(1024)),
  budgetMs: finite,
});
export type GuestOrder = t.TypeOf<typeof GuestOrder>;

const Answers = t.type({ answers: listUpTo(GuestAnswer, maxAnswers) });

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
        /** Why `off_check = "ping"` cannot work here; null: it can, or is not configured. */
        pingTrouble: orNull(textUpTo(512)),
      }),
      flow: 'newest',
    },
    /** A server that got its final command counts as off, so long after it. */
    'target.off': { body: t.type({ server: name, afterMs: finite }), flow: 'queued' },
    /** The actions of this run of `target.shutdown` found these running; of one that is there already the later has its name. */
    'guests.found': { body: t.type({ run, guests: StoppedGuests }), flow: 'queued' },
  },
  requests: {
    /** A UPS went on battery: look names up again, load modules. */
    prepare: { params: nothing, result: nothing },
    /** Does all work of one target within `budgetMs`; answers when it has ended or the budget is used up. */
    'target.shutdown': { params: t.type({ work: RemoteWork, budgetMs: finite, run }), result: TargetOutcome },
    /** A sequence began: logs in to its servers in this order, `atOnce` side by side, and keeps the sessions for `holdMs`. */
    'logins.begin': {
      params: t.type({ servers: t.array(name), atOnce: integerFrom(1, 100_000), holdMs: finite }),
      result: nothing,
    },
    /** It is over: closes the sessions that were not used. */
    'logins.end': { params: t.type({ servers: t.array(name) }), result: nothing },
    /**
     * Answers when the server is off, at the latest after `budgetMs`; `reason` says why it does not count as off.
     * `commandedAgoMs`: a restarted worker does not know of the command.
     */
    'target.awaitOff': {
      params: t.type({ server: name, commandedAgoMs: finite, budgetMs: finite }),
      result: t.type({ off: t.boolean, afterMs: finite, reason: textUpTo(512) }),
    },
    /** Asks each server once whether it is up, within `withinMs`; no login, no look-up of a name. */
    looks: {
      params: t.type({ servers: listUpTo(name, maxLooks), withinMs: integerFrom(0, maxLooksMs) }),
      result: LookRound,
    },
    /** Logs in and asks what became of guests that were stopped there; changes nothing. The login stays open for some seconds. */
    'guests.look': { params: t.type({ server: name, order: GuestOrder }), result: Answers },
    /** Starts guests over that login, side by side. */
    'guests.start': { params: t.type({ server: name, order: GuestOrder }), result: Answers },
    /** Closes these logins at once: an outage, or nothing is left to start. */
    'guests.end': { params: t.type({ servers: listUpTo(name, maxLooks) }), result: nothing },
    /** A drill: checks that the commands exist and may be run (`command -v`, `sudo -n -l`); runs none of them. */
    'target.check': {
      /** `wakeMac`: by which Wake-on-LAN wakes it; null: it is not woken so. */
      params: t.type({ work: RemoteWork, budgetMs: finite, wakeMac: orNull(textUpTo(17)) }),
      result: TargetCheck,
    },
  },
  asks: {},
} as const satisfies Contract;

function listUpTo<C extends t.Mixed>(codec: C, max: number): t.Type<readonly t.TypeOf<C>[]> {
  return t.refinement(t.readonlyArray(codec), ({ length }) => length <= max, `at most ${String(max)} items`);
}
