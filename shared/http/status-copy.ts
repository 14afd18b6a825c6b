// A worker's copy of the body of GET /api/v1/ups, updated by changes, and the only place that serialises it: the API and
// MQTT cannot differ. It sends nothing.
import type { RedundancyRow, UpsRow } from '../domain/status/status-model.js';

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

interface SerialisedUps<U> {
  readonly ups: U;
  /** Made when it is asked for: a fleet changes more often than it is read. */
  text: string | undefined;
}

export class StatusCopy<U extends { readonly row: UpsRow }> {
  readonly #serialise: Serialise;
  #entries = new Map<string, SerialisedUps<U>>();
  #groups: readonly RedundancyRow[] = [];
  #fingerprint: string | undefined;

  constructor(serialise: Serialise) {
    this.#serialise = serialise;
  }

  /** In configuration order. */
  get ups(): readonly U[] {
    return Array.from(this.#entries.values(), ({ ups }) => ups);
  }

  /** Applies a change completely or not at all; false when it names a UPS that this copy does not have. */
  apply(change: StatusChange<U>): boolean {
    if (change.full || !this.#hasOrder(change.order)) {
      const known = new Map<string, SerialisedUps<U>>(change.full ? [] : this.#entries);
      for (const ups of change.ups) known.set(ups.row.groupId, { ups, text: undefined });
      const ordered = new Map<string, SerialisedUps<U>>();
      for (const groupId of change.order) {
        const entry = known.get(groupId);
        if (entry === undefined) return false;
        ordered.set(groupId, entry);
      }
      this.#entries = ordered;
    } else
      for (const ups of change.ups)
        if (this.#entries.has(ups.row.groupId)) this.#entries.set(ups.row.groupId, { ups, text: undefined });
    this.#groups = change.redundancyGroups;
    this.#fingerprint = undefined;
    return true;
  }

  #hasOrder(order: readonly string[]): boolean {
    if (order.length !== this.#entries.size) return false;
    let place = 0;
    for (const groupId of this.#entries.keys()) if (groupId !== order[place++]) return false;
    return true;
  }

  of(groupId: string): U | undefined {
    return this.#entries.get(groupId)?.ups;
  }

  /** The JSON of one row, as in the body. */
  rowText(groupId: string): string | undefined {
    const entry = this.#entries.get(groupId);
    return entry === undefined ? undefined : this.#textOf(entry);
  }

  #textOf(entry: SerialisedUps<U>): string {
    entry.text ??= this.#serialise(entry.ups.row);
    return entry.text;
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
    const rows = Array.from(this.#entries.values(), (entry) => this.#textOf(entry)).join(',');
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
