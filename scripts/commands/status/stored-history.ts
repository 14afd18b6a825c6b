// Asks the daemon for what `status --history` plots: few metrics, the last hour and the last day.
import type { StatusBody } from '../../../shared/http/bodies.js';
import { HistoryBody } from '../../../shared/http/bodies.js';
import { requestDaemon } from '../control/control-socket.js';

export const plottedMetrics = ['charge', 'load', 'voltage'] as const;

/** Seconds up to now. */
export const plottedSpans = [3600, 86_400] as const;

/** Several for each column of a plot: with one each, steps that are wider than a column would look like gaps. */
const points = '600';

export type Kept =
  | { readonly ok: true; readonly value: readonly HistoryBody[] }
  | { readonly ok: false; readonly message: string };

/** Every metric and span of every UPS, in that order; fails when one cannot be read. */
export async function keptHistory(socketPath: string, { generatedAt, ups }: StatusBody): Promise<Kept> {
  const to = Math.floor(generatedAt);
  const value: HistoryBody[] = [];
  // One after another: the daemon reads two at once, and others ask too.
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
        const told = await requestDaemon(socketPath, `history?${query.toString()}`, HistoryBody);
        if (!told.ok) return told;
        value.push(told.value);
      }
  return { ok: true, value };
}
