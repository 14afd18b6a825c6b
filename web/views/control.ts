// Commands and writable variables of a UPS: those of the daemon's allowlists, each with a confirmation and its result.
import type { CommandBody, CommandsBody, VariablesBody } from '../../shared/http/device-bodies.js';
import { shownValue } from '../../shared/domain/ups/secret-variables.js';
import { requestErrorText } from '../daemon/api-client.js';
import { askConfirmation } from '../ui/confirmation.js';
import { button, uniqueId, make, setText } from '../ui/dom.js';
import { formatTime } from '../ui/phrases.js';
import { variableForm } from './variable-form.js';
import type { ViewContext, View } from './view.js';

/** The events have all results; the page shows the last ones. */
const maxResults = 20;

export class ControlView implements View {
  readonly root = make('div', 'control');
  readonly #choice = make('select');
  readonly #problem = make('p', 'problem');
  readonly #commands = make('ul', 'commands');
  readonly #variables = make('ul', 'commands');
  readonly #results = make('ol', 'results');
  readonly #resultSection = make('section', 'panel', make('h2', '', 'Results'), this.#results);
  readonly #signIn = make('p');
  readonly #parts = make('div');
  #groupId = '';
  #loadedKey = '';

  constructor(readonly context: ViewContext) {
    this.#choice.id = uniqueId();
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
      make('section', 'panel', make('h2', '', 'Writable variables'), this.#variables),
      this.#resultSection,
    );
    this.root.append(make('h1', '', 'Control'), this.#signIn, this.#parts);
  }

  title(): string {
    return 'Control';
  }

  open(groupId: string): void {
    this.#groupId = groupId;
    this.#loadedKey = '';
    this.show();
  }

  show(): void {
    const { clientState, api } = this.context;
    const { endReason, mayControl, readOnlyReason, token } = api.session;
    this.#signIn.hidden = mayControl || (token !== null && readOnlyReason === '');
    setText(this.#signIn, readOnlyReason || endReason || 'Sign in to run commands.');
    this.#parts.hidden = !mayControl;
    this.#resultSection.hidden = this.#results.children.length === 0;
    const rows = clientState.status?.ups ?? [];
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
    const key = `${this.#groupId}\n${token ?? ''}`;
    if (!mayControl || this.#groupId === '' || key === this.#loadedKey) return;
    this.#loadedKey = key;
    void this.#load(this.#groupId);
  }

  async #load(groupId: string): Promise<void> {
    const { api } = this.context;
    const path = `/api/v1/ups/${encodeURIComponent(groupId)}`;
    this.#commands.replaceChildren(make('li', 'quiet', 'Loading.'));
    this.#variables.replaceChildren();
    try {
      const [commands, variables] = await Promise.all([
        api.get<CommandsBody>(`${path}/commands`),
        api.get<VariablesBody>(`${path}/variables`),
      ]);
      if (groupId !== this.#groupId) return;
      this.#showProblem('');
      this.#drawCommands(commands);
      this.#drawVariables(variables);
    } catch (error) {
      if (groupId !== this.#groupId) return;
      this.#commands.replaceChildren();
      this.#showProblem(`Commands and settings cannot be shown: ${requestErrorText(error)}`);
    }
  }

  #showProblem(text: string): void {
    setText(this.#problem, text);
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
    const none = 'No variable of this UPS is in nut_control.allowed_variables.';
    this.#variables.replaceChildren(...(items.length > 0 ? items : [make('li', 'quiet', none)]));
  }

  async #run(ups: string, command: string, description: string): Promise<void> {
    const value = make('input');
    value.id = uniqueId();
    const label = make('label', '', 'Value, if it takes one');
    label.htmlFor = value.id;
    const yes = await askConfirmation({
      title: `Run ${command}?`,
      lines: [
        `On ${this.#labelOf(ups)} (${ups}). ${description}`,
        'It runs immediately and is recorded under your name.',
      ],
      action: `Run ${command}`,
      ...(takesValue(command) ? { field: make('div', 'field', label, value) } : {}),
    });
    if (!yes) return;
    await this.#report(`${command} on ${this.#labelOf(ups)}`, async () => {
      const body = value.value === '' ? { command } : { command, value: value.value };
      const path = `/api/v1/ups/${encodeURIComponent(ups)}/command`;
      const { output } = await this.context.api.send<CommandBody>('POST', path, body);
      return output === '' ? 'ok' : output;
    });
  }

  async #write(ups: string, variable: string, before: string, value: string): Promise<void> {
    const shown = shownValue(variable, value);
    const yes = await askConfirmation({
      title: `Set ${variable}?`,
      lines: [
        `On ${this.#labelOf(ups)} (${ups}): from "${before}" to "${shown}".`,
        'It is recorded under your name.',
      ],
      action: `Set ${variable}`,
    });
    if (!yes) return;
    await this.#report(`${variable} = ${shown} on ${this.#labelOf(ups)}`, async () => {
      const path = `/api/v1/ups/${encodeURIComponent(ups)}/variables/${encodeURIComponent(variable)}`;
      await this.context.api.send('PUT', path, { value });
      return 'ok';
    });
    this.#loadedKey = '';
    this.context.refresh();
  }

  async #report(what: string, act: () => Promise<string>): Promise<void> {
    const result = make('li', 'running', `${formatTime(Date.now() / 1000)}  ${what}: running`);
    this.#results.prepend(result);
    this.#resultSection.hidden = false;
    while (this.#results.children.length > maxResults) this.#results.lastElementChild?.remove();
    try {
      const outcome = await act();
      result.className = 'done';
      setText(result, `${formatTime(Date.now() / 1000)}  ${what}: ${outcome}`);
    } catch (error) {
      result.className = 'failed';
      setText(result, `${formatTime(Date.now() / 1000)}  ${what}: ${requestErrorText(error)}`);
    }
  }

  #labelOf(ups: string): string {
    return this.context.clientState.status?.ups.find(({ name }) => name === ups)?.label ?? ups;
  }
}

/** NUT's commands that take a value end so: `load.off.delay` takes its seconds. */
const takesValue = (command: string): boolean => command.endsWith('.delay');

/** The label for a screen reader names the command. */
function commandButton(name: string, act: () => void): HTMLButtonElement {
  const made = button('Run', '', act);
  made.setAttribute('aria-label', `Run ${name}`);
  return made;
}
