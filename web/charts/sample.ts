// One reading of a film strip. A value that was not read is null, and nothing is drawn for it.

export interface Sample {
  /** Unix seconds. */
  readonly ts: number;
  readonly charge: number | null;
  readonly runtime: number | null;
  readonly load: number | null;
}
