// A NUT server: how long a poll of one of its UPSes takes, and how it ends.
import type { PollOutcome } from '../../supervisor/policy/base/inputs.js';
import { emptyReading } from './empty-reading.js';
import type { Reporter } from './firmware.js';
import type { ServerState } from './scenario.js';

export interface Polling {
  readonly tookMs: number;
  readonly outcome: PollOutcome;
}

/** A connection is refused immediately. */
const refusedMs = 1;

const waiting: PollOutcome = {
  kind: 'reading',
  reading: { ...emptyReading, status: ['WAIT'] },
  variables: {},
};

/** A poll that starts now. The answer has the values of now, however late it arrives. */
export function polling(
  server: ServerState,
  reporter: Reporter,
  nowMs: number,
  latencyMs: number,
  deadlineMs: number,
): Polling {
  switch (server.kind) {
    case 'up':
      return within(deadlineMs, { tookMs: latencyMs, outcome: answered(reporter, nowMs) });
    case 'slow':
      return within(deadlineMs, { tookMs: latencyMs + server.ms, outcome: answered(reporter, nowMs) });
    case 'hangs':
      return { tookMs: deadlineMs, outcome: failed('TIMEOUT') };
    case 'fails':
      return { tookMs: refusedMs, outcome: failed(server.detail) };
    case 'waits':
      return { tookMs: latencyMs, outcome: waiting };
  }
}

/** A UPS that is off leaves its driver without data. */
function answered(reporter: Reporter, nowMs: number): PollOutcome {
  return reporter.answer(nowMs) ?? failed('DATA_STALE');
}

function within(deadlineMs: number, poll: Polling): Polling {
  return poll.tookMs < deadlineMs ? poll : { tookMs: deadlineMs, outcome: failed('TIMEOUT') };
}

function failed(detail: Extract<PollOutcome, { kind: 'failed' }>['detail']): PollOutcome {
  return { kind: 'failed', detail, message: detail };
}
