// A configuration under construction, and its text in TOML with comments. Each program part that writes a configuration, on the command line or
// in the page, writes it with this. Knows no key.

export type TomlValue =
  | string
  | number
  | boolean
  | readonly TomlValue[]
  | { readonly [key: string]: TomlValue };

/** Something of another program that the configuration does not have, and why. */
export interface LeftOut {
  readonly what: string;
  readonly why: string;
}

type DraftEntry =
  | { readonly kind: 'value'; readonly value: TomlValue; readonly comment: string }
  | { readonly kind: 'table'; readonly table: DraftTable }
  | { readonly kind: 'rows'; readonly rows: DraftTable[] };

type Remark = { readonly kind: 'note'; readonly text: string } | ({ readonly kind: 'leftOut' } & LeftOut);

/** A table with its keys in the order in which they were set. Names of keys are literals of this program. */
export class DraftTable {
  readonly #entries = new Map<string, DraftEntry>();
  readonly #remarks: Remark[] = [];

  /** `comment` follows the value on its line. */
  set(key: string, value: TomlValue, comment = ''): this {
    this.#entries.set(key, { kind: 'value', value, comment });
    return this;
  }

  get(key: string): TomlValue | undefined {
    const entry = this.#entries.get(key);
    return entry?.kind === 'value' ? entry.value : undefined;
  }

  remove(key: string): void {
    this.#entries.delete(key);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** The tables of these lists. */
  rowsOf(...keys: readonly string[]): readonly DraftTable[] {
    return keys.flatMap((key) => {
      const entry = this.#entries.get(key);
      return entry?.kind === 'rows' ? entry.rows : [];
    });
  }

  /** The table of that name, which is made at its first use. */
  table(key: string): DraftTable {
    const entry = this.#entries.get(key);
    if (entry?.kind === 'table') return entry.table;
    const table = new DraftTable();
    this.#entries.set(key, { kind: 'table', table });
    return table;
  }

  /** Adds a table to the list of that name. */
  row(key: string): DraftTable {
    const entry = this.#entries.get(key);
    const row = new DraftTable();
    if (entry?.kind === 'rows') entry.rows.push(row);
    else this.#entries.set(key, { kind: 'rows', rows: [row] });
    return row;
  }

  /** A comment below the head of the table. */
  note(text: string): this {
    this.#remarks.push({ kind: 'note', text });
    return this;
  }

  /** Says as a comment what is not carried. */
  leavesOut(what: string, why: string): this {
    this.#remarks.push({ kind: 'leftOut', what, why });
    return this;
  }

  /** Everything that was left, here and below. */
  allLeftOut(): readonly LeftOut[] {
    const here = this.#remarks.flatMap((remark) => (remark.kind === 'leftOut' ? [remark] : []));
    return [...here, ...this.#below().flatMap(({ table }) => table.allLeftOut())];
  }

  /** The complete text; this is the table of the file. */
  text(): string {
    const parts = this.#parts('', '');
    return `${parts.join('\n\n')}\n`;
  }

  #parts(path: string, head: string): readonly string[] {
    const lines = [
      ...(head === '' ? [] : [head]),
      ...this.#remarks.flatMap((remark) =>
        comment(remark.kind === 'note' ? remark.text : `Not carried: ${remark.what}: ${remark.why}`),
      ),
      ...this.#valueLines(),
    ];
    // A list shows that it exists by its head; a table without anything does not.
    const isShown = lines.length > 1 || head.startsWith('[[') || (head === '' && lines.length > 0);
    const below = this.#below().flatMap(({ key, isRow, table }) => {
      const full = path === '' ? key : `${path}.${key}`;
      return table.#parts(full, isRow ? `[[${full}]]` : `[${full}]`);
    });
    return [...(isShown ? [lines.join('\n')] : []), ...below];
  }

  #valueLines(): readonly string[] {
    const values = [...this.#entries].flatMap(([key, entry]) =>
      entry.kind === 'value'
        ? [{ text: `${tomlKey(key)} = ${toml(entry.value)}`, comment: entry.comment }]
        : [],
    );
    const width = Math.max(0, ...values.filter((one) => one.comment !== '').map(({ text }) => text.length));
    const column = Math.min(width, maxColumn);
    return values.map(({ text, comment: note }) =>
      note === '' ? text : `${text.padEnd(column)}   # ${oneLine(note)}`,
    );
  }

  #below(): readonly Below[] {
    return [...this.#entries].flatMap(([name, entry]): Below[] => {
      const key = tomlKey(name);
      if (entry.kind === 'table') return [{ key, isRow: false, table: entry.table }];
      return entry.kind === 'rows' ? entry.rows.map((table) => ({ key, isRow: true, table })) : [];
    });
  }
}

interface Below {
  readonly key: string;
  readonly isRow: boolean;
  readonly table: DraftTable;
}

/** Comments behind values stand in one column, unless that is too far away. */
const maxColumn = 48;
const maxWidth = 118;

function comment(text: string): readonly string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '#';
    for (const word of oneLine(paragraph).split(' ')) {
      if (line.length > 1 && line.length + 1 + word.length > maxWidth) {
        lines.push(line);
        line = '#  ';
      }
      line += ` ${word}`;
    }
    lines.push(line.trimEnd());
  }
  return lines;
}

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text that ends no comment and controls no terminal. */
const oneLine = (text: string): string => text.replace(/\p{Cc}/gu, '?').replace(loneSurrogate, '\ufffd');

const tomlKey = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : tomlString(key));

/** TOML 1.0: a basic string has no control character, and no surrogate alone. Nor may one control a terminal. */
const tomlString = (text: string): string =>
  JSON.stringify(text.replace(loneSurrogate, '\ufffd')).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );

function toml(value: TomlValue): string {
  if (typeof value === 'string') return tomlString(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (isList(value)) return `[${value.map(toml).join(', ')}]`;
  const pairs = Object.entries(value).map(([key, one]) => `${tomlKey(key)} = ${toml(one)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

const isList = (value: TomlValue): value is readonly TomlValue[] => Array.isArray(value);
