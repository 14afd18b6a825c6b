// Charge, load and input voltage around an outage as one SVG each, from the stored changes.
import type { OutageBody } from '../../../shared/http/outage-bodies.js';

const shown = [
  ['battery.charge', 'Charge, %'],
  ['input.voltage', 'Input voltage, V'],
  ['ups.load', 'Load, %'],
] as const;
const [width, height, left, bottom] = [900, 130, 50, 18];
/** More points than pixels show nothing. */
const maxPoints = 1800;

export function curves(outage: OutageBody): string {
  return shown.map(([name, title]) => curve(outage, name, title)).join('');
}

function curve({ changes, start, end, generatedAt }: OutageBody, name: string, title: string): string {
  const points = changes.flatMap(({ ts, variables }) => {
    const value = Number(variables[name] ?? NaN);
    return Number.isFinite(value) ? [{ ts, value }] : [];
  });
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || last.ts === first.ts) return '';
  const values = points.map(({ value }) => value);
  const [low, high] = [least(values), most(values)];
  const room = high === low ? 1 : (high - low) * 0.05;
  const x = (ts: number): number => left + ((ts - first.ts) / (last.ts - first.ts)) * (width - left);
  const y = (value: number): number =>
    ((high + room - value) / (high - low + 2 * room)) * (height - bottom - 8) + 4;
  const every = Math.ceil(points.length / maxPoints);
  const drawn = points.filter((_, place) => place % every === 0 || place === points.length - 1);
  // A value holds until the next one: steps, not slopes.
  const path = drawn
    .map(({ ts, value }, place) =>
      place === 0
        ? `M${x(ts).toFixed(1)} ${y(value).toFixed(1)}`
        : `H${x(ts).toFixed(1)}V${y(value).toFixed(1)}`,
    )
    .join('');
  const from = Math.max(left, x(start));
  const to = Math.min(width, x(Math.min(end ?? generatedAt, last.ts)));
  return `<h2>${title}</h2>
<svg viewBox="0 0 ${String(width)} ${String(height)}" role="img" aria-label="${title}: from ${String(first.value)} to ${String(last.value)}, lowest ${String(low)}, highest ${String(high)}">
<rect x="${from.toFixed(1)}" y="0" width="${Math.max(0, to - from).toFixed(1)}" height="${String(height - bottom)}" fill="#e6a100" opacity=".18"/>
<text x="0" y="14">${String(high)}</text><text x="0" y="${String(height - bottom)}">${String(low)}</text>
<text x="${String(left)}" y="${String(height - 4)}">${clock(first.ts)}</text><text x="${String(width)}" y="${String(height - 4)}" text-anchor="end">${clock(last.ts)}</text>
<path d="${path}" fill="none" stroke="#2a6fdb" stroke-width="1.5"/></svg>`;
}

function clock(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().slice(11, 19);
}

const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b));
const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b));
