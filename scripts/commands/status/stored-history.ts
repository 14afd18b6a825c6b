// Loads the history that `status --history` plots: three metrics, the last hour and the last day.
import type { StatusBody } from '../../../shared/http/bodies.js';
import { HistoryBody } from '../../../shared/http/bodies.js';
import { requestDaemon } from '../control/control-socket.js';

const plottedMetrics = ['charge', 'load', 'voltage'] as const;

/** Seconds up to now. */
const plottedSpans = [3600, 86_400] as const;

/** Several points per column: with one, a step wider than a column would look like a gap. */
const points = '600';

export type StoredHistory =
  | { readonly ok: true; readonly value: readonly HistoryBody[] }
  | { readonly ok: false; readonly message: string };

/** Every metric and span of every UPS, in that order; fails when one cannot be read. */
export async function readHistory(
  socketPath: string,
  { generatedAt, ups }: StatusBody,
): Promise<StoredHistory> {
  const to = Math.floor(generatedAt);
  const value: HistoryBody[] = [];
  // One after the other: the daemon runs two history queries at the same time, and other clients need them too.
  for (const { name } of ups)
    for (const span of plottedSpans)
      for (const metric of plottedMetrics) {
        const query = new URLSearchParams({
          ups: name,
          metric,
          from: String(Math.max(0, to - span)),
          to: String(to),
          points,
        });
        const reply = await requestDaemon(socketPath, `history?${query.toString()}`, HistoryBody);
        if (!reply.ok) return reply;
        value.push(reply.value);
      }
  return { ok: true, value };
}
