// Compares plain data.

/** Fields that count as equal when their function says so. */
export type Exceptions<T> = { readonly [K in keyof T]?: (a: T[K], b: T[K]) => boolean };

/** For a field whose change does not matter. */
export const ignored = (): boolean => true;

/** Whether a field of `after` is another value, but for `exceptions`. */
export function differs<T extends object>(before: T, after: T, exceptions: Exceptions<T>): boolean {
  for (const key in after)
    if (before[key] !== after[key] && exceptions[key]?.(before[key], after[key]) !== true) return true;
  return false;
}

/** Whether two values of one type look the same, at any depth. */
export function isEqual<T>(a: T, b: T): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) return false;
  for (const key in a) if (a[key] !== b[key] && !isEqual(a[key], b[key])) return false;
  return true;
}

/** `before` when every field is equal, so that callers can detect a change by identity. */
export function reuseUnchanged<T extends object>(before: T, after: T): T {
  for (const key in after) if (after[key] !== before[key]) return after;
  return before;
}
