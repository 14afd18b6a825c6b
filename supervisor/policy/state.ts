// All that policy remembers. A plain value: the snapshot that survives a restart is a part of it.

export interface PolicyState {
  readonly ups: ReadonlyMap<string, unknown>;
}

export const initialState: PolicyState = { ups: new Map() };
