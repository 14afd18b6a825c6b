// The commands of a shell script, as syntax.ts finds them.
import type { Word } from './words.js';

export interface Redirect {
  readonly text: string;
  /** The file; of a here-document, its text. */
  readonly target: Word;
}

export interface Item {
  readonly node: Node;
  readonly inBackground: boolean;
}
export type List = readonly Item[];

export type Node =
  | {
      readonly kind: 'simple';
      readonly assignments: readonly { readonly name: string; readonly value: Word }[];
      readonly words: readonly Word[];
      readonly redirects: readonly Redirect[];
      readonly line: number;
    }
  /** `&&` and `||`, from the left. */
  | { readonly kind: 'both'; readonly left: Node; readonly needs: boolean; readonly right: Node }
  | { readonly kind: 'pipe'; readonly nodes: readonly Node[]; readonly isNegated: boolean }
  | {
      readonly kind: 'if';
      readonly branches: readonly { readonly test: List; readonly body: List }[];
      readonly otherwise: List;
    }
  | {
      readonly kind: 'case';
      readonly subject: Word;
      readonly arms: readonly { readonly patterns: readonly Word[]; readonly body: List }[];
    }
  | { readonly kind: 'loop'; readonly test: List; readonly body: List; readonly variable: string | null }
  | {
      readonly kind: 'group';
      readonly body: List;
      readonly isSubshell: boolean;
      readonly redirects: readonly Redirect[];
    }
  | { readonly kind: 'function'; readonly name: string; readonly body: Node };
