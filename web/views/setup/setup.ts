// Composes a configuration in the browser, from the UPSes that the daemon sees and the machines that the operator names. It hands
// out text to paste: the daemon receives nothing of it.
import { DraftTable } from '../../../shared/domain/setup/config-draft.js';
import type { Setup as Composed } from '../../../shared/domain/setup/setup.js';
import { addServer, composeSetup } from '../../../shared/domain/setup/setup.js';
import { shellWord } from '../../../shared/domain/commands/shell-words.js';
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import { triggerInWords } from '../../../shared/domain/status/wording.js';
import { make, setChildren } from '../../ui/dom.js';
import type { ViewContext, View } from '../view.js';
import { textBlock } from './text-block.js';
import { MachineForm } from './machine-form.js';
import { UpsChoice } from './ups-choice.js';

export class SetupView implements View {
  readonly root = make('div', 'setup');
  readonly #choices = new Map<string, UpsChoice>();
  readonly #list = make('ul', 'plain-list');
  readonly #machines: MachineForm;
  readonly #output = make('div', 'texts');
  #drawn = '';

  constructor(readonly context: ViewContext) {
    this.#machines = new MachineForm(() => this.show());
    const what = make(
      'p',
      'quiet',
      'Text for the configuration file, composed in this browser. The daemon does not receive it: paste it yourself, run ',
      make('code', '', 'ridethrough validate'),
      ', then ',
      make('code', '', 'ridethrough reload'),
      '. On the command line, ',
      make('code', '', 'ridethrough init'),
      ' does the same.',
    );
    this.root.append(
      make('h1', '', 'Set up'),
      what,
      make('section', 'panel', make('h2', '', 'UPSes'), this.#list),
      make('section', 'panel', make('h2', '', 'Machines to shut down over SSH'), this.#machines.root),
      this.#output,
    );
  }

  title(): string {
    return 'Set up';
  }

  open(): void {
    this.show();
  }

  show(): void {
    const rows = this.context.clientState.status?.ups ?? [];
    for (const row of rows)
      if (!this.#choices.has(row.groupId))
        this.#choices.set(row.groupId, new UpsChoice(row, () => this.show()));
    const choices = rows.flatMap(({ groupId }) => this.#choices.get(groupId) ?? []);
    setChildren(
      this.#list,
      choices.map(({ root }) => root),
    );
    this.#machines.offer(rows.map(({ name, label }) => ({ name, label })));
    this.#draw(
      rows.filter(({ groupId }) => this.#choices.get(groupId)?.isWatched === true),
      rows.filter(({ groupId }) => this.#choices.get(groupId)?.isLocal === true).map(({ name }) => name),
    );
  }

  #draw(watched: readonly UpsRow[], local: readonly string[]): void {
    const servers = this.#machines.servers.map((server) => ({
      ...server,
      ups: server.ups !== null && watched.some(({ name }) => name === server.ups) ? server.ups : null,
    }));
    // A machine of "this machine" needs one that powers it.
    const first = local[0] ?? watched[0]?.name ?? null;
    const placed = servers.map((server) => ({
      ...server,
      ups: server.ups ?? (local.length > 0 ? null : first),
    }));
    const setup: Composed = {
      upses: watched.map((row) => ({
        name: row.name,
        displayName: row.label === row.name ? '' : row.label,
        isRead: true,
        notes: notesOf(row),
        login: null,
      })),
      local,
      servers: placed,
      servesPage: true,
    };
    const text = JSON.stringify(setup);
    if (text === this.#drawn) return;
    this.#drawn = text;
    this.#output.replaceChildren(
      ...(placed.length === 0 ? [] : [textBlock('Only the machines', additions(placed, local), addingNote)]),
      ...(watched.length === 0
        ? []
        : [
            textBlock(
              'A complete new file',
              composeSetup(setup, 'the page of Ridethrough').text(),
              completeNote,
            ),
          ]),
      ...(placed.length === 0 ? [] : [textBlock('A drill of each', drills(placed), drillNote)]),
    );
  }
}

const addingNote =
  'For the file in use: each belongs below the entry that its comment names, before the next one.';
const completeNote =
  'A dry run with the default thresholds. It has nothing of the configuration in use but the UPSes: it does not take its place.';
const drillNote =
  'On the machine of the daemon, as root, once the configuration has the machine: it logs in and checks the command, and runs nothing.';

const notesOf = ({ unavailableTriggers }: UpsRow): readonly string[] =>
  unavailableTriggers.length === 0
    ? []
    : [`It does not report what these need: ${unavailableTriggers.map(triggerInWords).join(', ')}.`];

/** Per owner, as the file in use would have them. */
function additions(servers: Composed['servers'], local: readonly string[]): string {
  const owners = [...new Set(servers.map(({ ups }) => ups))];
  return owners
    .map((ups) => {
      const own = ups ?? (local.length === 1 ? (local[0] ?? '') : null);
      const part = new DraftTable().note(
        own === null
          ? 'Below the [[redundancy_groups]] with is_local = true:'
          : `Below [[ups]] name = ${JSON.stringify(own)}:`,
      );
      const owner = part.table(own === null ? 'redundancy_groups' : 'ups');
      for (const server of servers) if (server.ups === ups) addServer(owner, server);
      return part.text();
    })
    .join('\n');
}

const drills = (servers: Composed['servers']): string =>
  servers.map(({ name }) => `ridethrough shutdown remote --server ${shellWord(name)}\n`).join('');
