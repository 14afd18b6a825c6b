// The prober: asks remote servers, harmlessly, whether they could be shut down. It probes the server it is told to, when
// it is told to, with the one command of its slice; it decides nothing and remembers nothing.
import * as t from 'io-ts';
import { RemoteWork } from '../domain/plan.js';
import { finite, orNull, textUpTo } from '../domain/units.js';
import type { Contract } from './contract.js';
import { Obstacle, SshAccess } from './remote.js';

/** What a harmless command may take. */
export const probeCommandMs = 10_000;
/** All questions about privileges together; sudo may ask a directory service for each. */
export const privilegesMs = 30_000;

export const ProberSlice = t.type(
  {
    servers: t.array(SshAccess),
    probeCommand: textUpTo(1024),
    /** What a shutdown would do on each server, where it is to be asked whether that may be done; else empty. */
    works: t.array(RemoteWork),
  },
  'ProberSlice',
);
export type ProberSlice = t.TypeOf<typeof ProberSlice>;

/** How one probe came out. */
export const ProbeFinding = t.union(
  [
    /** `latencyMs`: from the first packet to the end of the command. */
    t.type({ ok: t.literal(true), latencyMs: finite }),
    /** `reason` for people: what failed, on one line. `obstacle`: it fails until somebody mends that; else null. */
    t.type({ ok: t.literal(false), reason: textUpTo(1024), obstacle: orNull(Obstacle) }),
  ],
  'ProbeFinding',
);
export type ProbeFinding = t.TypeOf<typeof ProbeFinding>;

export const proberContract = {
  name: 'prober',
  slice: ProberSlice,
  events: {},
  requests: {
    /** Logs in, runs the probe command, and leaves. Any number at once; none waits for another. */
    probe: { params: t.type({ server: textUpTo(256) }), result: t.type({ finding: ProbeFinding }) },
  },
  asks: {},
} as const satisfies Contract;
