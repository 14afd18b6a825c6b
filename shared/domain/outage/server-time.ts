// How long a server took: one measurement, and what many of them say (specification/remote-servers.md#measured-times).
import * as t from 'io-ts';
import { formatSeconds } from '../base/duration.js';
import { countText } from '../base/format.js';
import { finite, oneOf, orNull, textUpTo } from '../base/units.js';

/**
 * `login`: from the connect to an open session. `command`: from the start of the final command to its end. `off`: from there
 * to the moment when the server counts as off.
 */
export const ServerPhase = oneOf('login', 'command', 'off');
export type ServerPhase = t.TypeOf<typeof ServerPhase>;

export const ServerTime = t.readonly(
  t.type({
    server: textUpTo(256),
    phase: ServerPhase,
    /** Measured by a drill, which runs no command. */
    isDrill: t.boolean,
    /** Unix seconds. */
    at: t.refinement(finite, (at) => at >= 0 && at < 253_402_300_800, 'Unix seconds'),
    seconds: t.refinement(finite, (seconds) => seconds >= 0 && seconds <= 86_400, 'seconds of a day'),
  }),
  'ServerTime',
);
export type ServerTime = t.TypeOf<typeof ServerTime>;

/** Of the newest measurements: the one that half of them do not exceed, and the one that 95 % do not. */
export const TimeSummary = t.readonly(
  t.type({ count: finite, p50Seconds: finite, p95Seconds: finite, lastTs: finite }),
  'TimeSummary',
);
export type TimeSummary = t.TypeOf<typeof TimeSummary>;

/** Null where nothing was measured. */
export const ServerTimes = t.readonly(
  t.type({
    sequence: t.readonly(
      t.type({ login: orNull(TimeSummary), command: orNull(TimeSummary), off: orNull(TimeSummary) }),
    ),
    drill: t.readonly(t.type({ login: orNull(TimeSummary) })),
  }),
  'ServerTimes',
);
export type ServerTimes = t.TypeOf<typeof ServerTimes>;

export const noServerTimes: ServerTimes = {
  sequence: { login: null, command: null, off: null },
  drill: { login: null },
};

/** `login 0.4 s (95 %: 0.9 s), off 41 s (95 %: 60 s), of 5 shutdowns`; one text for shutdowns and one for drills. */
export function serverTimesText({ sequence, drill }: ServerTimes): readonly string[] {
  const { login, command, off } = sequence;
  return [...textOf({ login, command, off }, 'shutdown'), ...textOf({ login: drill.login }, 'drill')];
}

function textOf(summaries: Partial<Record<ServerPhase, TimeSummary | null>>, of: string): readonly string[] {
  const known = Object.entries(summaries).flatMap(([phase, one]) => (one === null ? [] : [{ phase, one }]));
  if (known.length === 0) return [];
  const parts = known.map(
    ({ phase, one: { p50Seconds, p95Seconds } }) =>
      `${phase} ${formatSeconds(p50Seconds)} (95 %: ${formatSeconds(p95Seconds)})`,
  );
  const count = Math.max(...known.map(({ one }) => one.count));
  return [`${parts.join(', ')}, of ${countText(count, of)}`];
}
