// One reading on a timeline. A missing value is null and not drawn.

export interface Sample {
  /** Unix seconds. */
  readonly ts: number;
  readonly charge: number | null;
  readonly runtime: number | null;
  readonly load: number | null;
}
