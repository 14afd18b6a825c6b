// The remote servers of a UPS or group with the result of their last probes.
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import { setChildren, make, setText } from '../../ui/dom.js';
import { ViewCache } from '../../ui/view-cache.js';
import { stateIcon, setStateIcon } from '../../ui/state-icon.js';
import { remotes } from '../../ui/phrases.js';

export class RemoteList {
  readonly #list = make('ul', 'plain-list servers');
  readonly root = make('section', 'panel', make('h2', '', 'Remote servers'), this.#list);
  readonly #rows = new ViewCache(() => new Server());

  show(servers: UpsRow['remoteHealth']): void {
    this.root.hidden = servers.length === 0;
    const rows = this.#rows.retain(servers.map(({ server }) => server));
    setChildren(
      this.#list,
      rows.map(({ root }) => root),
    );
    servers.forEach((server, index) => rows[index]?.show(server));
  }
}

class Server {
  readonly #icon = stateIcon();
  readonly #name = make('strong');
  readonly #state = make('span');
  readonly #more = make('span', 'quiet');
  readonly root = make('li', '', this.#icon, this.#name, this.#state, this.#more);

  show({ server, host, status, consecutiveFailures, lastError }: UpsRow['remoteHealth'][number]): void {
    const { tone, text } = remotes[status];
    setStateIcon(this.#icon, tone);
    setText(this.#name, server);
    setText(this.#state, text);
    const failures = consecutiveFailures > 1 ? `${String(consecutiveFailures)} times in a row: ` : '';
    setText(this.#more, lastError === null ? host : `${host}; ${failures}${lastError}`);
  }
}
