// The interface of a view. A view owns its element; it reaches the daemon only through its context.
import type { CurrentOutages } from '../charts/outage-timeline/current-outages.js';
import type { DetailLoader } from '../daemon/detail-loader.js';
import type { ClientState } from '../daemon/client-state.js';
import type { ApiClient } from '../daemon/api-client.js';

export interface ViewContext {
  readonly clientState: ClientState;
  readonly api: ApiClient;
  readonly details: DetailLoader;
  readonly outages: CurrentOutages;
  /** Redraws everything; a view calls it after it has received data itself. */
  readonly refresh: () => void;
}

export interface View {
  readonly root: HTMLElement;
  /** For the browser's title and the screen reader; also the view's first heading. */
  readonly title: () => string;
  /** The rest of the address after the view's name: `ups/rack-a` has `rack-a`. Called when it is opened or changes. */
  readonly open: (rest: string) => void;
  /** The view is no longer shown. */
  readonly close?: () => void;
  /** Called for every change and once a second. */
  readonly show: () => void;
}
