// What a site shuts down, as data: servers, guests, containers, mounts, outputs, and the behaviour of each. Types only.

/** How a server reacts to its shutdown. Times in ms; each action ends at its own timeout. */
export type ServerBehaviour =
  | {
      readonly kind: 'obeys' | 'fails' | 'drops' | 'hangs-in-final';
      readonly connectMs: number;
      readonly actionMs: number;
      readonly finalMs: number;
    }
  | { readonly kind: 'refuses'; readonly connectMs: number }
  | { readonly kind: 'hangs-in-connect' }
  /** Not even the worker notices that it does not answer. */
  | { readonly kind: 'never-ends' };

export interface ServerSpec {
  readonly name: string;
  /** groupId of the UPS or redundancy group that it belongs to. */
  readonly owner: string;
  readonly order: number;
  readonly when: 'after_local' | 'with_local';
  readonly connectSeconds: number;
  readonly commandSeconds: number;
  readonly marginSeconds: number;
  /** Timeouts of its pre-shutdown commands. */
  readonly actionSeconds: readonly number[];
  readonly behaviour: ServerBehaviour;
  /** From its command until it counts as off; null: it never goes down. */
  readonly offMs: number | null;
  /** What follows waits this long for it to be off; null: for its command alone. */
  readonly haltSeconds: number | null;
}

/** How a program of this host ends; null: never. */
export interface ProgramBehaviour {
  readonly afterMs: number | null;
  readonly code: number;
}

export interface OutputSpec {
  readonly ups: string;
  readonly offDelaySeconds: number;
  readonly behaviour: 'cuts' | 'refuses' | 'hangs';
}

/** Local resources belong to the local group; without one there are none. */
export interface Plant {
  readonly servers: readonly ServerSpec[];
  /** The daemon runs in a container of this host, which does the local phases; null: it runs on the host itself. */
  readonly delegate: ServerSpec | null;
  readonly machines: {
    readonly maxWaitSeconds: number;
    /** How long each guest takes to shut down; null: until it is destroyed. */
    readonly guests: readonly (number | null)[];
    readonly virsh: ProgramBehaviour;
  } | null;
  readonly containers: {
    readonly stopSeconds: number;
    readonly projects: readonly { readonly path: string; readonly stopSeconds: number }[];
    readonly remaining: boolean;
    readonly compose: ProgramBehaviour;
    readonly engine: ProgramBehaviour;
  } | null;
  readonly sync: ProgramBehaviour | null;
  readonly unmounts: {
    readonly timeoutSeconds: number;
    readonly paths: readonly string[];
    readonly umount: ProgramBehaviour;
  } | null;
  readonly outputs: readonly OutputSpec[];
  readonly wall: ProgramBehaviour | null;
  readonly drain: boolean;
  /** Kills of the supervisor before or after the nth journal record. */
  readonly kills: readonly { readonly record: number; readonly after: boolean; readonly downMs: number }[];
  /** The mains return at this journal record; null: independently of it. */
  readonly mainsBackAtRecord: number | null;
  /** The runtime directory is on a disk: another boot finds the journals of this one. */
  readonly journalsStay: boolean;
}

/** Nothing but the host itself. */
export const noPlant: Plant = {
  servers: [],
  delegate: null,
  machines: null,
  containers: null,
  sync: null,
  unmounts: null,
  outputs: [],
  wall: null,
  drain: false,
  kills: [],
  mainsBackAtRecord: null,
  journalsStay: false,
};
