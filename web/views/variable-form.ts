// One writable variable as a form: a choice where the UPS lists values, a number where it gives a range, else text.
import type { VariablesBody } from '../../shared/http/device-bodies.js';
import { hiddenValue } from '../../shared/domain/ups/secret-variables.js';
import { uniqueId, make } from '../ui/dom.js';

type Variable = VariablesBody['variables'][number];

export function variableForm(variable: Variable, write: (value: string) => void): HTMLElement {
  const { name, value, range = [] } = variable;
  const input = inputFor(variable);
  input.id = uniqueId();
  const label = make('label', '', make('code', '', name));
  label.htmlFor = input.id;
  const limits = range.map(({ min, max }) => `${String(min)} to ${String(max)}`).join(' or ');
  const note = make(
    'p',
    'quiet',
    `now ${value === '' ? 'empty' : value}${limits === '' ? '' : `; ${limits}`}`,
  );
  const submit = make('button', '', 'Set');
  submit.setAttribute('aria-label', `Set ${name}`);
  const form = make('form', '', make('div', '', label, note), input, submit);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    write(input.value);
  });
  return make('li', '', form);
}

function inputFor({ value, enum: choices, range = [] }: Variable): HTMLInputElement | HTMLSelectElement {
  if (choices !== undefined && choices.length > 0) {
    const select = make('select');
    select.append(...choices.map((choice) => Object.assign(make('option', '', choice), { value: choice })));
    select.value = value;
    return select;
  }
  const input = make('input');
  input.required = true;
  // The placeholder of a secret is not a value: the daemon refuses it.
  input.value = value === hiddenValue ? '' : value;
  if (range.length === 0) return input;
  input.type = 'number';
  input.min = String(Math.min(...range.map(({ min }) => min)));
  input.max = String(Math.max(...range.map(({ max }) => max)));
  return input;
}
