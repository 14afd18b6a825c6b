// Commands and settings of a UPS: only what the daemon's allowlists return, each after a confirmation, with its result.
import type { CommandBody, CommandsBody, VariablesBody } from '../../shared/http/device-bodies.js';
import { shownValue } from '../../shared/domain/secret-variables.js';
import { refusalText } from '../daemon/requests.js';
import { confirmed } from '../ui/confirmation.js';
import { button, freshId, make, say } from '../ui/dom.js';
import { clockTime } from '../ui/phrases.js';
import { variableForm } from './variable-form.js';
import type { Tools, View } from './view.js';

/** What was done here is worth a look back, and no more than that: the events have all of it. */
const mostResults = 20;

export class Control implements View {
  readonly root = make('div', 'control');
  readonly #choice = make('select');
  readonly #problem = make('p', 'problem');
  readonly #commands = make('ul', 'commands');
  readonly #variables = make('ul', 'commands');
  readonly #results = make('ol', 'results');
  readonly #done = make('section', 'panel', make('h2', '', 'Done here'), this.#results);
  readonly #signIn = make('p');
  readonly #parts = make('div');
  #groupId = '';
  #asked = '';

  constructor(readonly tools: Tools) {
    this.#choice.id = freshId();
    const label = make('label', '', 'UPS');
    label.htmlFor = this.#choice.id;
    this.#choice.addEventListener('change', () => {
      location.hash = `#/control/${encodeURIComponent(this.#choice.value)}`;
    });
    this.#results.setAttribute('role', 'status');
    this.#problem.setAttribute('role', 'alert');
    this.#parts.append(
      make('div', 'field inline', label, this.#choice),
      this.#problem,
      make('section', 'panel', make('h2', '', 'Commands'), this.#commands),
      make('section', 'panel', make('h2', '', 'Settings'), this.#variables),
      this.#done,
    );
    this.root.append(make('h1', '', 'Control'), this.#signIn, this.#parts);
  }

  title(): string {
    return 'Control';
  }

  open(groupId: string): void {
    this.#groupId = groupId;
    this.#asked = '';
    this.show();
  }

  show(): void {
    const { known, requests } = this.tools;
    const signedIn = requests.session.token !== null;
    this.#signIn.hidden = signedIn;
    const { ended } = requests.session;
    say(this.#signIn, ended === '' ? 'Commands are for who is signed in.' : ended);
    this.#parts.hidden = !signedIn;
    this.#done.hidden = this.#results.children.length === 0;
    const rows = known.status?.ups ?? [];
    if (!rows.some(({ groupId }) => groupId === this.#groupId)) this.#groupId = rows[0]?.groupId ?? '';
    const options = rows.map(({ groupId, label }) => ({ groupId, label }));
    const text = JSON.stringify(options);
    if (this.#choice.dataset['shown'] !== text) {
      this.#choice.dataset['shown'] = text;
      this.#choice.replaceChildren(
        ...options.map(({ groupId, label }) => Object.assign(make('option', '', label), { value: groupId })),
      );
    }
    this.#choice.value = this.#groupId;
    const asked = `${this.#groupId}\n${requests.session.token ?? ''}`;
    if (!signedIn || this.#groupId === '' || asked === this.#asked) return;
    this.#asked = asked;
    void this.#ask(this.#groupId);
  }

  async #ask(groupId: string): Promise<void> {
    const { requests } = this.tools;
    const path = `/api/v1/ups/${encodeURIComponent(groupId)}`;
    this.#commands.replaceChildren(make('li', 'quiet', 'Asking the UPS.'));
    this.#variables.replaceChildren();
    try {
      const [commands, variables] = await Promise.all([
        requests.get<CommandsBody>(`${path}/commands`),
        requests.get<VariablesBody>(`${path}/variables`),
      ]);
      if (groupId !== this.#groupId) return;
      this.#showProblem('');
      this.#drawCommands(commands);
      this.#drawVariables(variables);
    } catch (error) {
      if (groupId !== this.#groupId) return;
      this.#commands.replaceChildren();
      this.#showProblem(`Nothing can be commanded: ${refusalText(error)}`);
    }
  }

  #showProblem(text: string): void {
    say(this.#problem, text);
    this.#problem.hidden = text === '';
  }

  #drawCommands({ ups, commands, supported }: CommandsBody): void {
    const items = commands.map(({ name, description }) =>
      make(
        'li',
        '',
        make('div', '', make('code', '', name), make('p', 'quiet', description)),
        commandButton(name, () => void this.#run(ups, name, description)),
      ),
    );
    const none =
      supported.length === 0
        ? 'This UPS offers no commands.'
        : `None of the ${String(supported.length)} commands of this UPS is in nut_control.allowed_commands.`;
    this.#commands.replaceChildren(...(items.length > 0 ? items : [make('li', 'quiet', none)]));
  }

  #drawVariables({ ups, variables }: VariablesBody): void {
    const items = variables.map((variable) =>
      variableForm(variable, (value) => void this.#write(ups, variable.name, variable.value, value)),
    );
    const none = 'No setting of this UPS is in nut_control.allowed_variables.';
    this.#variables.replaceChildren(...(items.length > 0 ? items : [make('li', 'quiet', none)]));
  }

  async #run(ups: string, command: string, description: string): Promise<void> {
    const value = make('input');
    value.id = freshId();
    const label = make('label', '', 'Value, if it takes one');
    label.htmlFor = value.id;
    const yes = await confirmed({
      title: `Run ${command}?`,
      lines: [
        `On ${this.#labelOf(ups)} (${ups}). ${description}`,
        'It is carried out at once and recorded under your name.',
      ],
      action: `Run ${command}`,
      ...(/\.delay$/.test(command) ? { field: make('div', 'field', label, value) } : {}),
    });
    if (!yes) return;
    await this.#tell(`${command} on ${this.#labelOf(ups)}`, async () => {
      const body = value.value === '' ? { command } : { command, value: value.value };
      const path = `/api/v1/ups/${encodeURIComponent(ups)}/command`;
      const { output } = await this.tools.requests.send<CommandBody>('POST', path, body);
      return output === '' ? 'ok' : output;
    });
  }

  async #write(ups: string, variable: string, before: string, value: string): Promise<void> {
    const shown = shownValue(variable, value);
    const yes = await confirmed({
      title: `Set ${variable}?`,
      lines: [
        `On ${this.#labelOf(ups)} (${ups}): from "${before}" to "${shown}".`,
        'It is recorded under your name.',
      ],
      action: `Set ${variable}`,
    });
    if (!yes) return;
    await this.#tell(`${variable} = ${shown} on ${this.#labelOf(ups)}`, async () => {
      const path = `/api/v1/ups/${encodeURIComponent(ups)}/variables/${encodeURIComponent(variable)}`;
      await this.tools.requests.send('PUT', path, { value });
      return 'ok';
    });
    this.#asked = '';
    this.tools.refresh();
  }

  async #tell(what: string, act: () => Promise<string>): Promise<void> {
    const result = make('li', 'running', `${clockTime(Date.now() / 1000)}  ${what}: under way`);
    this.#results.prepend(result);
    this.#done.hidden = false;
    while (this.#results.children.length > mostResults) this.#results.lastElementChild?.remove();
    try {
      const outcome = await act();
      result.className = 'done';
      say(result, `${clockTime(Date.now() / 1000)}  ${what}: ${outcome}`);
    } catch (error) {
      result.className = 'failed';
      say(result, `${clockTime(Date.now() / 1000)}  ${what}: ${refusalText(error)}`);
    }
  }

  #labelOf(ups: string): string {
    return this.tools.known.status?.ups.find(({ name }) => name === ups)?.label ?? ups;
  }
}

/** Whoever hears the page hears more than `Run`. */
function commandButton(name: string, act: () => void): HTMLButtonElement {
  const made = button('Run', '', act);
  made.setAttribute('aria-label', `Run ${name}`);
  return made;
}
