// upsmon on this machine: what it is configured to do, and how it and this daemon divide the work.

export interface Monitor {
  /** NAME@HOST[:PORT]. */
  readonly system: string;
  readonly powerValue: number;
  readonly isPrimary: boolean;
}

/** upsmon.conf, as far as it decides a shutdown. */
export interface UpsmonFile {
  readonly path: string;
  readonly monitors: readonly Monitor[];
  /** "" where none is given. */
  readonly shutdownCommand: string;
  readonly minSupplies: number;
  readonly cutsPower: boolean;
  readonly notifyCommand: string;
}

export type Upsmon =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'unreadable';
      readonly path: string;
      readonly fault: string;
      readonly isRunning: boolean;
    }
  | { readonly kind: 'found'; readonly file: UpsmonFile; readonly isRunning: boolean };

/** How upsmon on this machine and this daemon divide the work. */
export interface UpsmonArrangement {
  readonly kind: 'watches' | 'follows' | 'lastResort' | 'conflict' | 'unknown';
  readonly text: string;
}
