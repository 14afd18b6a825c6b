// The two text formats of GET /metrics, and which of them a client prefers (specification/metrics.md#formats).

export type TextFormat = 'prometheus' | 'openmetrics';

export const contentTypes: Readonly<Record<TextFormat, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** OpenMetrics only for a client that names it, and does not prefer plain text. */
export function formatFor(accept: string): TextFormat {
  const quality = (fits: (type: string, parameters: ReadonlyMap<string, string>) => boolean): number =>
    Math.max(
      0,
      ...accept.split(',').map((range) => {
        const [type = '', ...rest] = range.split(';').map((part) => part.trim().toLowerCase());
        const parameters = new Map(rest.map((part) => part.split('=', 2) as [string, string]));
        const q = Number(parameters.get('q') ?? '1');
        return fits(type, parameters) && q >= 0 && q <= 1 ? q : 0;
      }),
    );
  const openMetrics = quality(
    (type, parameters) =>
      type === 'application/openmetrics-text' && /^"?1\.0\.0"?$/.test(parameters.get('version') ?? '1.0.0'),
  );
  const plain = quality((type) => type === 'text/plain');
  return openMetrics > 0 && openMetrics >= plain ? 'openmetrics' : 'prometheus';
}
