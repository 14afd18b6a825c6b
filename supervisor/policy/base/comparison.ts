// Compares two values field by field. A comparison lists every field of its type: a missing one does not compile.

/** Per field: true when the two values count as equal. */
export type Comparison<T> = { readonly [K in keyof T]-?: (a: T[K], b: T[K]) => boolean };

export const identical = (a: unknown, b: unknown): boolean => a === b;
/** For a field that another field covers, or whose change does not matter. */
export const ignored = (): boolean => true;

export function same<T>(comparison: Comparison<T>, a: T, b: T): boolean {
  for (const key in comparison) if (a[key] !== b[key] && !comparison[key](a[key], b[key])) return false;
  return true;
}

/** `before` when every field is equal, so that callers can detect a change by identity. */
export function reuseUnchanged<T extends object>(before: T, after: T): T {
  for (const key in after) if (after[key] !== before[key]) return after;
  return before;
}
