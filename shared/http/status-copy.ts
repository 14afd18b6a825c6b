// A worker's copy of the body of GET /api/v1/ups, updated by changes, and the only place that serialises it: the API and
// MQTT cannot differ. It sends nothing and asks nobody.
import type { RedundancyRow, UpsRow } from '../domain/status-model.js';

/** The parts of a change that this copy needs; a row may come with more. */
export interface StatusChange<U extends { readonly row: UpsRow }> {
  /** The change has all rows, not only those that changed. */
  readonly full: boolean;
  readonly ups: readonly U[];
  /** groupIds in configuration order: the order of the rows, and which ones still exist. */
  readonly order: readonly string[];
  readonly redundancyGroups: readonly RedundancyRow[];
}

/** Turns a row into JSON: `JSON.stringify`, or `sortedJson` where the order of keys is specified. */
export type Serialise = (row: UpsRow | readonly RedundancyRow[]) => string;

interface Entry<U> {
  readonly ups: U;
  readonly text: string;
}

export class StatusCopy<U extends { readonly row: UpsRow }> {
  readonly #serialise: Serialise;
  #entries: ReadonlyMap<string, Entry<U>> = new Map();
  #groups: readonly RedundancyRow[] = [];
  #fingerprint: string | undefined;

  constructor(serialise: Serialise) {
    this.#serialise = serialise;
  }

  /** In configuration order. */
  get ups(): readonly U[] {
    return [...this.#entries.values()].map(({ ups }) => ups);
  }

  /** Applies a change completely or not at all; false when it names a UPS that this copy does not have. */
  apply(change: StatusChange<U>): boolean {
    const entries = new Map<string, Entry<U>>(change.full ? [] : this.#entries);
    for (const ups of change.ups) entries.set(ups.row.groupId, { ups, text: this.#serialise(ups.row) });
    const ordered = new Map<string, Entry<U>>();
    for (const groupId of change.order) {
      const entry = entries.get(groupId);
      if (entry === undefined) return false;
      ordered.set(groupId, entry);
    }
    this.#entries = ordered;
    this.#groups = change.redundancyGroups;
    this.#fingerprint = undefined;
    return true;
  }

  of(groupId: string): U | undefined {
    return this.#entries.get(groupId)?.ups;
  }

  /** The JSON of one row, as in the body. */
  rowText(groupId: string): string | undefined {
    return this.#entries.get(groupId)?.text;
  }

  /** The body without `generatedAt`: equal texts mean no change (specification/api-resources.md#status-fingerprint). */
  get fingerprint(): string {
    this.#fingerprint ??= this.#serialised();
    return this.#fingerprint;
  }

  /** The body, with sorted keys at the top level. Without a change only `generatedAt` (Unix seconds) differs. */
  body(generatedAt: number): string {
    return this.lead(generatedAt) + this.rest;
  }

  /** The beginning of the body, with `generatedAt`. */
  lead(generatedAt: number): string {
    return `{"generatedAt":${String(generatedAt)},`;
  }

  /** The rest of the body: equal as long as nothing has changed. */
  get rest(): string {
    return `${this.fingerprint}}`;
  }

  #serialised(): string {
    const rows = [...this.#entries.values()].map(({ text }) => text).join(',');
    return `"redundancyGroups":${this.#serialise(this.#groups)},"ups":[${rows}]`;
  }
}

/** JSON with the keys of every object in the order of their code units. For plain data only. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(
          Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : Number(one > other))),
        )
      : inner,
  );
}
