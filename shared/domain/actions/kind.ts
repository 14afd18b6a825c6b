// What a kind of action is: the form that each definition in this folder fills in. A definition is data and pure functions;
// supervisor/sequence/phases performs it.
import * as t from 'io-ts';

/** A need of a step, met by any of these programs. */
export interface Need {
  readonly anyOf: readonly string[];
  /** The setting that causes it. */
  readonly setting: string;
  /** The consequence in an outage when no program meets it. */
  readonly without: string;
}
export const need = (anyOf: readonly string[], setting: string, without: string): Need => ({
  anyOf,
  setting,
  without,
});

/** What the form asks of an action `A`. */
export interface ActionDescription<A> {
  /** For the log of a dry run and for `plan`. Begins with a verb: `power off this host with: shutdown -h now`. */
  readonly words: (action: A, target: string) => string;
  /** Below its target in `ridethrough plan`: the commands, as in the configuration. `limit`: its budget; `early`: when it begins. */
  readonly details: (action: A, limit: string, early: string) => readonly string[];
  /** In `validate`, from its words. */
  readonly outlook: (action: A, words: string) => readonly string[];
  /** The programs that it needs on this machine. A drill checks them; a kind that needs none is not part of a drill. */
  readonly needs: (action: A) => readonly Need[];
  /** It runs its programs in the file systems of the host, which a daemon in a container may not see. */
  readonly runsInMounts: boolean;
  /** What it keeps of its budget after a restart that took longer (supervisor/sequence/budget.ts). */
  readonly leastSeconds: (action: A, budgetSeconds: number) => number;
  /** It powers this host off: it waits for what other plans still do before their final sync. */
  readonly powersOffHost: boolean;
  /** The UPS whose output it cuts: it waits for the plans that this UPS feeds. Null: none. */
  readonly outputOf: (action: A) => string | null;
  /** The server that it shuts down; null: none. */
  readonly serverOf: (action: A) => string | null;
}

/** The action of a kind with these properties. */
type ActionWith<N extends string, P extends t.Props, O extends t.Props> = t.TypeOf<
  t.TypeC<{ kind: t.LiteralC<N> } & P>
> &
  t.TypeOf<t.PartialC<O>>;

const usual: Omit<ActionDescription<unknown>, 'words'> = {
  details: () => [],
  outlook: (_, words) => [words],
  needs: () => [],
  runsInMounts: false,
  leastSeconds: () => 0,
  powersOffHost: false,
  outputOf: () => null,
  serverOf: () => null,
};

/** A definition, with defaults for what it leaves out: an action that cuts nothing and needs no program. `optional`: may be absent. */
export function kind<const N extends string, P extends t.Props, O extends t.Props = Record<never, never>>(
  own: { readonly name: N; readonly properties: P; readonly optional?: O } & Pick<
    ActionDescription<ActionWith<N, P, O>>,
    'words'
  > &
    Partial<ActionDescription<ActionWith<N, P, O>>>,
) {
  const { optional, ...rest } = own;
  const required = t.type({ kind: t.literal(own.name), ...own.properties });
  const codec = optional === undefined ? required : t.intersection([required, t.partial(optional)]);
  // The compiler cannot follow the spread of generic properties.
  return { ...usual, ...rest, codec: codec as unknown as t.Type<ActionWith<N, P, O>> };
}

/** The login at the NUT server and one command, after the poller has started again. */
export const nutCommandSeconds = 5;
