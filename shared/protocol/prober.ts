// The contract of the prober: it checks with a harmless command whether a remote server could be shut down. It probes on
// request, with the one command of its settings; it decides nothing and keeps no state.
import * as t from 'io-ts';
import { RemoteWork } from '../domain/actions/remote-work.js';
import { finite, orNull, textUpTo } from '../domain/base/units.js';
import type { Contract } from './contract.js';
import { Obstacle, SshAccess } from './remote.js';

/** Longest time of a probe command. */
export const probeCommandMs = 10_000;
/** For all checks of privileges together; sudo may ask a directory service for each. */
export const privilegesMs = 30_000;

export const ProberSettings = t.type(
  {
    servers: t.array(SshAccess),
    probeCommand: textUpTo(1024),
    /** The work of a shutdown on each server, with `check_privileges`; else empty. */
    works: t.array(RemoteWork),
  },
  'ProberSettings',
);
export type ProberSettings = t.TypeOf<typeof ProberSettings>;

/** The result of one probe. */
export const ProbeFinding = t.union(
  [
    /** `latencyMs`: from the first packet to the end of the command. `unchecked`: as in TargetOutcome. */
    t.type({ ok: t.literal(true), latencyMs: finite, unchecked: textUpTo(1024) }),
    /**
     * `reason`: what failed, on one line. `obstacle`: the error that only an operator can correct; else null. `ownNetwork`: this
     * host has no route or no link to the server.
     */
    t.type({
      ok: t.literal(false),
      reason: textUpTo(1024),
      obstacle: orNull(Obstacle),
      ownNetwork: t.boolean,
    }),
  ],
  'ProbeFinding',
);
export type ProbeFinding = t.TypeOf<typeof ProbeFinding>;

export const proberContract = {
  name: 'prober',
  settings: ProberSettings,
  events: {},
  requests: {
    /** Logs in, runs the probe command and disconnects. Probes run in parallel, without a limit here. */
    probe: { params: t.type({ server: textUpTo(256) }), result: t.type({ finding: ProbeFinding }) },
  },
  asks: {},
} as const satisfies Contract;
