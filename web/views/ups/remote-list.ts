// The remote servers of a UPS or group: whether each could be shut down, as its last probe found.
import type { UpsRow } from '../../../shared/domain/status-model.js';
import { Kept, arrange, make, say } from '../../ui/dom.js';
import { mark, setMark } from '../../ui/icons.js';
import { remotes } from '../../ui/phrases.js';

export class RemoteList {
  readonly #list = make('ul', 'plain-list servers');
  readonly root = make('section', 'panel', make('h2', '', 'Remote servers'), this.#list);
  readonly #rows = new Kept(() => new Server());

  show(servers: UpsRow['remoteHealth']): void {
    this.root.hidden = servers.length === 0;
    const rows = this.#rows.only(servers.map(({ server }) => server));
    arrange(
      this.#list,
      rows.map(({ root }) => root),
    );
    servers.forEach((server, index) => rows[index]?.show(server));
  }
}

class Server {
  readonly #mark = mark();
  readonly #name = make('strong');
  readonly #state = make('span');
  readonly #more = make('span', 'quiet');
  readonly root = make('li', '', this.#mark, this.#name, this.#state, this.#more);

  show({ server, host, status, consecutiveFailures, lastError }: UpsRow['remoteHealth'][number]): void {
    const { tone, text } = remotes[status];
    setMark(this.#mark, tone);
    say(this.#name, server);
    say(this.#state, text);
    const failures = consecutiveFailures > 1 ? `${String(consecutiveFailures)} times in a row: ` : '';
    say(this.#more, lastError === null ? host : `${host}; ${failures}${lastError}`);
  }
}
