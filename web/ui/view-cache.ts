// Views by key. Each is created on first use and disposed of with its key.

export class ViewCache<V> {
  readonly #views = new Map<string, V>();

  constructor(
    readonly make: (key: string) => V,
    readonly dispose: (view: V) => void = () => undefined,
  ) {}

  get(key: string): V {
    const view = this.#views.get(key) ?? this.make(key);
    this.#views.set(key, view);
    return view;
  }

  /** The views of exactly these keys, in this order; disposes of all others. */
  retain(keys: readonly string[]): readonly V[] {
    for (const [key, view] of this.#views) {
      if (keys.includes(key)) continue;
      this.#views.delete(key);
      this.dispose(view);
    }
    return keys.map((key) => this.get(key));
  }
}
