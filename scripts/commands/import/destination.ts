// Where imported history goes: through the running daemon or directly to the database.
import type { ImportTargets } from '../../../shared/http/import-bodies.js';
import type { Send } from './sender.js';

export interface Destination extends ImportTargets {
  /** "the running daemon", for the report. */
  readonly name: string;
  /** For one import. */
  sender(): Send;
  close(): Promise<void>;
}

export type OpenedDestination =
  | { readonly ok: true; readonly destination: Destination }
  | { readonly ok: false; readonly message: string; readonly code: number };
