// What is to become of a guest that a shutdown has stopped, by a look at it. Types only.

export type Verdict =
  | { readonly kind: 'runs' }
  /** After those of the same look with these keys. */
  | { readonly kind: 'start'; readonly after: readonly string[] }
  /** It stays off, and may still be started by hand. */
  | { readonly kind: 'stays'; readonly why: string }
  /** The engine does not know it: it was removed, or what it lies on is not mounted yet. */
  | { readonly kind: 'gone' }
  /** It is none of this daemon any more. */
  | { readonly kind: 'over'; readonly why: string };

/** By `guestKey`; or why the engine says nothing. */
export type Looked =
  | { readonly ok: true; readonly verdicts: ReadonlyMap<string, Verdict> }
  | { readonly ok: false; readonly fault: string };
