// The first pass over a source: every line is read as the second pass will, and nothing is kept but what is wrong.
import type { HistorySink, HistorySource } from './history-sink.js';

const maxListed = 10;
/** So many problems without a single good line: it is another kind of file. */
const hopeless = 200;

export interface CheckedFile {
  readonly count: number;
  /** The first ones. */
  readonly problems: readonly { readonly where: string; readonly message: string }[];
  readonly hasGood: boolean;
  /** Some of the UPSes whose lines are not of this one. */
  readonly foreign: readonly string[];
  /** The rest was not read. */
  readonly isCut: boolean;
}

export async function check(source: HistorySource): Promise<CheckedFile> {
  const problems: { where: string; message: string }[] = [];
  const foreign = new Set<string>();
  let [count, hasGood, isCut] = [0, false, false];
  const good = (): void => {
    hasGood = true;
  };
  const sink: HistorySink = {
    reading: good,
    mean: good,
    event: good,
    outage: good,
    omitted: () => undefined,
    foreign: (ups) => {
      if (foreign.size < maxListed) foreign.add(ups);
    },
    problem: (where, message) => {
      count += 1;
      if (problems.length < maxListed) problems.push({ where, message });
    },
  };
  await source.read(sink, () => {
    isCut ||= !hasGood && count >= hopeless;
    return Promise.resolve(!isCut);
  });
  return { count, problems, hasGood, isCut, foreign: [...foreign] };
}
