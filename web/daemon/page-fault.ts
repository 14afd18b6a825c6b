// Whether this page is out of date: an exception has left a part of it as it was, or the daemon has another page by now.
import { byId, make, setChildren } from '../ui/dom.js';
import { RequestError } from './api-client.js';
import type { ApiClient } from './api-client.js';
import type { ClientState } from './client-state.js';

export class PageFault {
  readonly #element = byId('fault');
  /** The tag of the script that the daemon had when this page began; null where a proxy removes it. */
  #tag: string | null = null;
  #streamSeen = 0;

  constructor(
    readonly clientState: ClientState,
    readonly api: ApiClient,
  ) {
    // Chromium reports a ResizeObserver that was late in the same way, without an error.
    addEventListener('error', ({ error }) => error instanceof Error && this.#failed());
    addEventListener('unhandledrejection', () => this.#failed());
  }

  /** Call it after every change: the daemon may be another one after each begin of a stream. */
  show(): void {
    const { streamCount } = this.clientState;
    if (streamCount === this.#streamSeen) return;
    this.#streamSeen = streamCount;
    void this.#compare();
  }

  async #compare(): Promise<void> {
    try {
      const tag = await this.api.tagOf('/app.js');
      this.#tag ??= tag;
      if (tag !== null && tag !== this.#tag)
        this.#say('The daemon was upgraded, and this page is that of the version before.');
    } catch (error) {
      // The next stream looks again.
      if (!(error instanceof RequestError)) throw error;
    }
  }

  #failed(): void {
    this.#say('This page fails: a part of it may be old or missing.');
  }

  #say(text: string): void {
    if (!this.#element.hidden) return;
    const reload = make('a', '', 'Reload the page');
    reload.href = location.pathname;
    reload.addEventListener('click', (event) => {
      event.preventDefault();
      location.reload();
    });
    setChildren(this.#element, [make('p', 'banner-title', text), make('p', '', reload)]);
    this.#element.hidden = false;
  }
}
