// The two text formats of GET /metrics, and which of them a client prefers (specification/metrics.md#formats).

export type TextFormat = 'prometheus' | 'openmetrics';

export const contentTypes: Readonly<Record<TextFormat, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

interface Head {
  readonly name: string;
  readonly help: string;
  readonly type: string;
}

/** OpenMetrics names the family of a counter without the `_total` of its samples. */
export function headOf({ name, help, type }: Head, format: TextFormat): string {
  const family = format === 'openmetrics' && type === 'counter' ? name.replace(/_total$/, '') : name;
  return `# HELP ${family} ${help}\n# TYPE ${family} ${type}\n`;
}

/** A text of prom-client in the format. OpenMetrics allows no blank line, by which prom-client parts its families. */
export function converted(text: string, format: TextFormat): string {
  if (format === 'prometheus') return text;
  return text
    .replace(/\n{2,}/g, '\n')
    .replace(/^# HELP (\S+)_total (.*)\n# TYPE \1_total counter$/gm, '# HELP $1 $2\n# TYPE $1 counter');
}

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
