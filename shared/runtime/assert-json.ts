// Only plain JSON data may cross a link of any kind. Structured clone accepts more, and JSON.stringify changes
// some values silently (NaN to null, a Date to text), so the sender throws first.

/** The deepest messages of a running daemon have nine levels. The bound also ends a cycle. */
const maxDepth = 100;

/**
 * Throws a TypeError that names the place, unless `value` consists of finite numbers, strings, booleans, null, arrays
 * and plain objects. Takes at most half the time of JSON.stringify; a replacer function would take two to three times
 * as long.
 */
export function assertJson(value: unknown): void {
  const problem = problemIn(value, 0);
  if (problem !== null) throw new TypeError(`a message carries plain JSON data only: message${problem}`);
}

function problemIn(value: unknown, level: number): string | null {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : ` is ${String(value)}`;
  if (typeof value === 'object') return problemInObject(value, level);
  return value === undefined ? ' is undefined' : ` is a ${typeof value}`;
}

function problemInObject(value: object, level: number): string | null {
  if (level === maxDepth) return ` is a cycle, or deeper than ${String(maxDepth)} levels`;
  if (Array.isArray(value)) {
    // By index, so that a hole counts as undefined.
    for (let index = 0; index < value.length; index += 1) {
      const problem = problemIn(value[index], level + 1);
      if (problem !== null) return `[${String(index)}]${problem}`;
    }
    return null;
  }
  const prototype = Object.getPrototypeOf(value) as {
    readonly constructor?: { readonly name?: string };
  } | null;
  if (prototype !== Object.prototype && prototype !== null)
    return ` is a ${prototype.constructor?.name ?? 'value with a prototype of its own'}`;
  // for...in allocates no array of keys. A plain object inherits nothing enumerable.
  for (const key in value) {
    const problem = problemIn((value as Record<string, unknown>)[key], level + 1);
    if (problem !== null) return `.${key}${problem}`;
  }
  return null;
}
