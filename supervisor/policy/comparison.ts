// Whether two values say the same, field by field. No list here can be shorter than its type: a field that was forgotten
// does not compile.

/** How each field tells two values apart: true where it does not. */
export type Comparison<T> = { readonly [K in keyof T]-?: (a: T[K], b: T[K]) => boolean };

export const identical = (a: unknown, b: unknown): boolean => a === b;
/** For a field that says nothing new, or that another field tells of. */
export const ignored = (): boolean => true;

export function same<T>(comparison: Comparison<T>, a: T, b: T): boolean {
  for (const key in comparison) if (!comparison[key](a[key], b[key])) return false;
  return true;
}

/** `before` where every field of `after` is the same, so that what follows sees by identity that nothing changed. */
export function reuseUnchanged<T extends object>(before: T, after: T): T {
  for (const key in after) if (after[key] !== before[key]) return after;
  return before;
}
