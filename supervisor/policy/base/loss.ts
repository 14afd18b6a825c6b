// What throws in a part of a step, where all else of the step stands.

export interface Loss {
  readonly place: string;
  readonly error: unknown;
  /** The group of which nothing was decided; null: only something to be shown is lost. */
  readonly undecided: string | null;
}

export interface Guarded<T> {
  readonly value: T;
  readonly lost: readonly Loss[];
}

export const nothingLost: readonly Loss[] = [];

/** A value that is only shown; `otherwise` when it throws. */
export function shown<T>(place: string, otherwise: T, act: () => T): Guarded<T> {
  try {
    return { value: act(), lost: nothingLost };
  } catch (error) {
    return { value: otherwise, lost: [{ place, error, undecided: null }] };
  }
}
