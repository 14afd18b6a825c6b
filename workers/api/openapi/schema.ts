// Converts an io-ts codec to a JSON Schema (draft 2020-12, as in OpenAPI 3.1). It knows the codecs of the bodies and refuses
// any other, because a guessed description would be wrong.
import * as t from 'io-ts';
import { Described } from '../../../shared/domain/base/units.js';
import { unreachable } from '../../../shared/domain/base/unreachable.js';

export type Schema = Readonly<Record<string, unknown>>;

/** A codec of io-ts, by its tag. */
interface Tagged {
  readonly _tag?: string;
  readonly name: string;
  readonly props?: Readonly<Record<string, t.Mixed>>;
  readonly type?: t.Mixed;
  readonly codomain?: t.Mixed;
  readonly types?: readonly t.Mixed[];
  readonly value?: unknown;
}

export class Schemas {
  readonly #named = new Map<string, Schema>();

  /** Every named codec so far, by its name, for `#/components/schemas/NAME`. */
  get components(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => a.localeCompare(b)));
  }

  /** The schema of a codec; a named one becomes a reference. Throws for an unknown codec, which is a bug. */
  of(codec: t.Mixed): Schema {
    // io-ts and units.ts generate names that do not have this form.
    if (!/^[A-Z][A-Za-z0-9]*$/.test(codec.name) || codec.name === t.UnknownRecord.name)
      return this.#inline(codec);
    if (!this.#named.has(codec.name)) {
      this.#named.set(codec.name, {});
      this.#named.set(codec.name, this.#inline(codec));
    }
    return { $ref: `#/components/schemas/${codec.name}` };
  }

  #inline(codec: t.Mixed): Schema {
    if (codec instanceof Described) return this.#described(codec);
    const { _tag: tag, name, props = {}, type, codomain, types = [], value } = codec as unknown as Tagged;
    switch (tag ?? '') {
      case 'StringType':
        return { type: 'string' };
      case 'BooleanType':
        return { type: 'boolean' };
      case 'NullType':
        return { type: 'null' };
      case 'UnknownType':
        return {};
      case 'AnyDictionaryType':
        return { type: 'object' };
      case 'LiteralType':
        return { const: value };
      case 'InterfaceType':
        return { type: 'object', properties: this.#all(props), required: Object.keys(props) };
      case 'PartialType':
        return { type: 'object', properties: this.#all(props) };
      case 'IntersectionType':
        return { allOf: types.map((one) => this.of(one)) };
      case 'UnionType':
        return { anyOf: types.map((one) => this.of(one)) };
      default:
        if (type === undefined && codomain === undefined)
          throw new Error(`no JSON Schema is known for the codec ${name} (${tag ?? 'without a tag'})`);
        return this.#wrapped(tag, (type ?? codomain) as t.Mixed, name);
    }
  }

  #wrapped(tag: string | undefined, inner: t.Mixed, name: string): Schema {
    switch (tag ?? '') {
      case 'ReadonlyType':
      case 'RefinementType':
        return this.of(inner);
      case 'ArrayType':
      case 'ReadonlyArrayType':
        return { type: 'array', items: this.of(inner) };
      case 'DictionaryType':
        return { type: 'object', additionalProperties: this.of(inner) };
      default:
        throw new Error(`no JSON Schema is known for the codec ${name} (${tag ?? 'without a tag'})`);
    }
  }

  #described({ shape }: Described<unknown>): Schema {
    switch (shape.kind) {
      case 'number':
        return { type: 'number', ...bounds(shape.low, shape.high) };
      case 'integer':
        return { type: 'integer', ...bounds(shape.low, shape.high) };
      case 'text':
        return { type: 'string', maxLength: shape.max };
      case 'words':
        return { type: 'string', enum: shape.words };
      case 'nullable':
        return { anyOf: [this.of(shape.of), { type: 'null' }] };
      default:
        return unreachable(shape);
    }
  }

  #all(props: Readonly<Record<string, t.Mixed>>): Record<string, Schema> {
    return Object.fromEntries(Object.entries(props).map(([name, codec]) => [name, this.of(codec)]));
  }
}

function bounds(low: number | null, high: number | null): Schema {
  return {
    ...(low === null ? {} : { minimum: low }),
    ...(high === null ? {} : { maximum: high }),
  };
}
