// Keys of the configuration file as JSON and the page name them: `low_battery_threshold` as `lowBatteryThreshold`.

export type CamelCase<S extends string> = S extends `${infer A}_${infer B}`
  ? `${A}${Capitalize<CamelCase<B>>}`
  : S;

export function camelCase(key: string): string {
  return key.replaceAll(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}

export type InCamelCase<V> = V extends readonly unknown[]
  ? V
  : V extends object
    ? { readonly [N in keyof V as CamelCase<N & string>]: InCamelCase<V[N]> }
    : V;

/** The keys of an object and of those in it; lists stay as they are. */
export function inCamelCase<V>(value: V): InCamelCase<V> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value as InCamelCase<V>;
  const entries = Object.entries(value).map(([key, one]: [string, unknown]) => [
    camelCase(key),
    inCamelCase(one),
  ]);
  return Object.fromEntries(entries) as InCamelCase<V>;
}
