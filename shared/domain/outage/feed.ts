// What feeds a load, what must fail for it to go down, and which of two loads may go down first. Pure; the page uses it too.

/** The load runs while at least `minHealthy` of the UPSes `sources` are healthy; a UPS outside of groups is its own source. */
export interface Feed {
  readonly sources: readonly string[];
  readonly minHealthy: number;
}

/** `rack-a and rack-b fail`, `rack-a or rack-b fails`, `2 of a, b and c fail`. */
export function whatMustFail({ sources, minHealthy }: Feed): string {
  const [only] = sources;
  if (sources.length === 1) return `${only ?? ''} fails`;
  const needed = sources.length - minHealthy + 1;
  if (needed <= 1) return `${joinNames(sources, 'or')} fails`;
  if (needed >= sources.length) return `${joinNames(sources, 'and')} fail`;
  return `${String(needed)} of ${joinNames(sources, 'and')} fail`;
}

/** Some UPSes may fail that take power from `first` and leave enough to `second`. */
export function mayLosePowerBefore(first: Feed, second: Feed): boolean {
  const needed = first.sources.length - first.minHealthy + 1;
  const elsewhere = first.sources.filter((source) => !second.sources.includes(source)).length;
  const shared = Math.max(0, needed - elsewhere);
  return shared <= second.sources.length - second.minHealthy;
}

/** `a`, `a and b`, `a, b and c`. */
export function joinNames(names: readonly string[], word: 'and' | 'or'): string {
  if (names.length < 2) return names.join();
  return `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1) ?? ''}`;
}
