// The variables of one UPS as upsd holds them, and cached answers that are valid until a value changes.
import { listAnswer, row } from './answers.js';
import type { VariableKind } from './variable-kinds.js';
import { quote } from '../../workers/poller/wire/wire.js';

/** upsd's order of a list. */
function byNameWithoutCase(a: string, b: string): number {
  const [first, second] = [a.toLowerCase(), b.toLowerCase()];
  return first < second ? -1 : Number(first > second);
}

const plain: VariableKind = { description: 'Description unavailable' };

export class VariableStore {
  readonly #values = new Map<string, string>();
  readonly #answers = new Map<'VAR' | 'RW', string>();
  #sorted: string[] | undefined;
  #fsd = false;

  constructor(
    private readonly upsName: string,
    private readonly kinds: Readonly<Record<string, VariableKind>>,
  ) {}

  /** The FSD latch: upsd puts FSD in front of ups.status in its answers. */
  get fsd(): boolean {
    return this.#fsd;
  }

  set fsd(latched: boolean) {
    if (latched !== this.#fsd) this.#answers.clear();
    this.#fsd = latched;
  }

  /** Replaces all variables; null or undefined removes one. Unchanged values keep the cached answers. */
  replace(values: Readonly<Record<string, string | null | undefined>>): void {
    for (const [name, value] of Object.entries(values)) this.#set(name, value ?? undefined);
    for (const name of this.#values.keys()) if (!Object.hasOwn(values, name)) this.#set(name, undefined);
  }

  #set(name: string, value: string | undefined): void {
    if (this.#values.get(name) === value) return;
    this.#answers.clear();
    if (!this.#values.has(name) || value === undefined) this.#sorted = undefined;
    if (value === undefined) this.#values.delete(name);
    else this.#values.set(name, value);
  }

  names(): readonly string[] {
    return (this.#sorted ??= [...this.#values.keys()].sort(byNameWithoutCase));
  }

  /** The raw value, without quotes, escapes or FSD. Names are compared without case, as upsd does. */
  value(name: string): string | undefined {
    return this.#values.get(name) ?? this.#values.get(name.toLowerCase());
  }

  /** The value with the quotes of an answer. */
  quoted(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const latched = this.#fsd && name.toLowerCase() === 'ups.status';
    return quote(`${latched ? 'FSD ' : ''}${value}`);
  }

  kind(name: string): VariableKind {
    const lower = name.toLowerCase();
    return (Object.hasOwn(this.kinds, lower) ? this.kinds[lower] : undefined) ?? plain;
  }

  /** The complete LIST VAR or LIST RW answer; cached for the configured spelling of the name, built again for any other. */
  list(what: 'VAR' | 'RW', askedName: string): string {
    if (askedName !== this.upsName) return this.#build(what, askedName);
    const kept = this.#answers.get(what) ?? this.#build(what, askedName);
    this.#answers.set(what, kept);
    return kept;
  }

  #build(what: 'VAR' | 'RW', askedName: string): string {
    const shown =
      what === 'VAR' ? this.names() : this.names().filter((name) => this.kind(name).writable === true);
    // Only LIST VAR shows the latch; LIST RW shows the value of the driver.
    const value = (name: string): string =>
      what === 'VAR' ? (this.quoted(name) ?? '""') : quote(this.value(name) ?? '');
    return listAnswer(
      `${what} ${askedName}`,
      shown.map((name) => row(`${what} ${askedName} ${name} ${value(name)}`)),
    );
  }
}
