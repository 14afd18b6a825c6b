// One reading on a timeline. A value that was not read is null; nothing is drawn for it.

export interface Sample {
  /** Unix seconds. */
  readonly ts: number;
  readonly charge: number | null;
  readonly runtime: number | null;
  readonly load: number | null;
}
