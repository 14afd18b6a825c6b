// What a view is, and what all of them share. A view owns its element; it asks the daemon only through `tools`.
import type { Details } from '../daemon/details.js';
import type { Knowledge } from '../daemon/knowledge.js';
import type { Requests } from '../daemon/requests.js';

export interface Tools {
  readonly known: Knowledge;
  readonly requests: Requests;
  readonly details: Details;
  /** Draws everything anew; for what a view learns by itself. */
  readonly refresh: () => void;
}

export interface View {
  readonly root: HTMLElement;
  /** For the browser's title and the screen reader; also the view's first heading. */
  readonly title: () => string;
  /** The rest of the address after the view's name: `ups/rack-a` has `rack-a`. Called when it is opened or changes. */
  readonly open: (rest: string) => void;
  /** It is no longer shown. */
  readonly close?: () => void;
  /** Called for every change and once a second. */
  readonly show: () => void;
}
