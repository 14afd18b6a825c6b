// Compares plain data.

/** Fields that count as equal when their function says so. */
export type Exceptions<T> = { readonly [K in keyof T]?: (a: T[K], b: T[K]) => boolean };

/** For a field whose change does not matter. */
export const ignored = (): boolean => true;

/** Whether one of `fields` has another value, but for `exceptions`. */
export function differs<T>(
  before: T,
  after: T,
  fields: readonly (keyof T)[],
  exceptions: Exceptions<T>,
): boolean {
  for (const key of fields)
    if (before[key] !== after[key] && exceptions[key]?.(before[key], after[key]) !== true) return true;
  return false;
}

/** Whether two values of one type look the same, at any depth. */
export function isEqual<T>(a: T, b: T): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a))
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, place) => isEqual<unknown>(item, b[place]))
    );
  for (const key in a) if (a[key] !== b[key] && !isEqual(a[key], b[key])) return false;
  return true;
}

/** `before` when every field is equal, so that callers can detect a change by identity. */
export function reuseUnchanged<T extends object>(before: T, after: T): T {
  for (const key in after) if (after[key] !== before[key]) return after;
  return before;
}
