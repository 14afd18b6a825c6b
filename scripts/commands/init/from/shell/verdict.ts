// What is said of a script.

/** The status of a command: null where it is not known. */
export type Status = boolean | null;

export interface Command {
  readonly line: number;
  /** Without arguments, which may hold a secret. */
  readonly text: string;
}
/** Of ssh; empty where the line has none, or where it is not known. */
export interface SshCall {
  readonly host: string;
  readonly user: string;
  readonly port: string;
  /** A file. */
  readonly key: string;
  readonly command: string;
}
export type Remote = Command & SshCall;

interface Found {
  readonly remotes: readonly Remote[];
}
export type ScriptVerdict = Found &
  (
    | {
        readonly kind: 'down';
        readonly seconds: number;
        readonly command: Command;
        readonly needsRoot: boolean;
        /** It waits within the script, or by `shutdown +N`, which `shutdown -c` takes back. */
        readonly waits: 'no' | 'script' | 'shutdown';
        /** Everything else that it runs. */
        readonly others: readonly Command[];
      }
    /** `onlyCancels`: it does nothing but take a shutdown back. */
    | { readonly kind: 'no'; readonly cancels: boolean; readonly onlyCancels: boolean }
    | { readonly kind: 'unsure'; readonly why: string; readonly commands: readonly Command[] }
  );
