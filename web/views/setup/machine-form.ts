// The machines to shut down: a form that adds one, and the list of those added.
import type { SetupServer } from '../../../shared/domain/setup/setup.js';
import { button, make, setText, uniqueId } from '../../ui/dom.js';

/** `ups`: null for what powers the machine of the daemon. */
type Machine = SetupServer & { readonly ups: string | null };

export class MachineForm {
  readonly root = make('div');
  readonly #machines: Machine[] = [];
  readonly #list = make('ul', 'plain-list');
  readonly #problem = make('p', 'problem');
  readonly #owner = make('select');
  #offered = '';

  constructor(changed: () => void) {
    const name = field('Name', { maxLength: 128 });
    const host = field('Host', { maxLength: 253, pattern: '[A-Za-z0-9_.:\\-]+' });
    const user = field('User', { maxLength: 128, pattern: '[A-Za-z0-9_][A-Za-z0-9_.@\\\\$\\-]*' });
    const command = field('Command (empty: sudo -n shutdown -h now)', { maxLength: 4096, required: false });
    this.#owner.id = uniqueId();
    const ownerLabel = make('label', '', 'Powered by');
    ownerLabel.htmlFor = this.#owner.id;
    this.#problem.setAttribute('role', 'alert');
    const form = make(
      'form',
      'form',
      ...[name, host, user, command].map(({ row }) => row),
      make('div', 'field', ownerLabel, this.#owner),
      this.#problem,
      make('div', '', make('button', '', 'Add the machine')),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const machine = {
        name: name.input.value.trim(),
        host: host.input.value,
        port: 22,
        user: user.input.value,
        command: command.input.value.trim(),
        ups: this.#owner.value === '' ? null : this.#owner.value,
      };
      const isTaken = this.#machines.some((one) => one.name === machine.name);
      setText(this.#problem, isTaken ? `There is a machine ${machine.name} already.` : '');
      if (isTaken) return;
      this.#add(machine, changed);
      form.reset();
      name.input.focus();
    });
    this.root.append(this.#list, form);
  }

  get servers(): readonly Machine[] {
    return this.#machines;
  }

  /** The UPSes that may power a machine. */
  offer(upses: readonly { readonly name: string; readonly label: string }[]): void {
    const offered = JSON.stringify(upses);
    if (offered === this.#offered) return;
    this.#offered = offered;
    const option = (text: string, value: string) => Object.assign(make('option', '', text), { value });
    const { value } = this.#owner;
    this.#owner.replaceChildren(
      option('what powers the machine of the daemon', ''),
      ...upses.map(({ name, label }) => option(label, name)),
    );
    this.#owner.value = upses.some(({ name }) => name === value) ? value : '';
  }

  #add(machine: Machine, changed: () => void): void {
    this.#machines.push(machine);
    const remove = button('Remove', 'plain', () => {
      this.#machines.splice(this.#machines.indexOf(machine), 1);
      item.remove();
      changed();
    });
    remove.setAttribute('aria-label', `Remove ${machine.name}`);
    const item = make('li', '', `${machine.name} (${machine.user}@${machine.host}) `, remove);
    this.#list.append(item);
    changed();
  }
}

function field(label: string, more: Partial<HTMLInputElement>) {
  const input = make('input');
  Object.assign(
    input,
    { type: 'text', required: true, autocomplete: 'off', spellcheck: false, id: uniqueId() },
    more,
  );
  const text = make('label', '', label);
  text.htmlFor = input.id;
  return { input, row: make('div', 'field', text, input) };
}
