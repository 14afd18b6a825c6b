// Says of what was seen in a case whether every promise was kept, and how close it came. Pure.
import type { Case, Excuse, Fault } from './fault.js';
import type { Sight } from './course.js';
import { delays } from './fault.js';
import { limits } from './limits.js';
import type { Note } from './notes.js';
import { targets, upses } from './site.js';
import type { HealthWatch, PollWatch } from './watch.js';

/** A case and what came of it, as it goes into the report. Times in ms. */
export interface Verdict {
  readonly of: Case;
  /** Promises that were broken, in words; empty: none. */
  readonly broken: readonly string[];
  /** Of the UPSes that were not hit. */
  readonly pollGapMs: number;
  /** From upsd's word to the first command; null on line power. */
  readonly firstCommandMs: number | null;
  readonly sequence: {
    readonly tookMs: number;
    readonly boundMs: number;
    readonly commanded: number;
    readonly reachable: number;
  } | null;
  readonly api: { readonly slowestMs: number; readonly awayMs: number };
  /** From the fault, or from its end, until all was well. */
  readonly backMs: number | null;
}

export function judge(
  of: Case,
  faults: readonly Fault[],
  sight: Sight,
  polls: Pick<PollWatch, 'longestGapMs'>,
  health: Pick<HealthWatch, 'within'>,
): Verdict {
  const excuses = faults.map(({ excuse }) => excuse);
  const delay = delays(excuses);
  const hit = excuses.flatMap((excuse) => excuse.polls ?? []);
  const gaps = upses.filter((ups) => !hit.includes(ups)).map((ups) => polls.longestGapMs(ups, sight.span));
  const pollGapMs = Math.max(0, ...gaps);
  const api = health.within(sight.span);
  const backMs = sight.wellMs === null ? null : sight.wellMs - sight.healedMs;
  const outcome = of.moment === 'mains' ? onMains(sight) : inOutage(of, excuses, delay.commands, sight);
  const broken = [
    ...outcome.broken,
    ...over('no poll of an untouched UPS', pollGapMs, limits.pollGapMs + delay.all),
    ...(excuses.some((excuse) => excuse.api === true)
      ? []
      : over('no answer of the API', api.awayMs, limits.apiAwayMs + delay.all)),
    ...(backMs === null
      ? [`not well again after ${seconds(limits.wellMs)}: ${sight.unwell}`]
      : over('not well again', backMs, limits.wellMs)),
    ...tookHold(faults, sight),
    ...(sight.ended ? ['the supervisor has ended'] : []),
    ...(/\bbug: /.test(sight.log) ? ['the daemon has logged a bug of its own'] : []),
  ];
  return { of, pollGapMs, api, backMs, ...outcome, broken };
}

type Outcome = Pick<Verdict, 'broken' | 'firstCommandMs' | 'sequence'>;

function onMains({ notes, sequences }: Sight): Outcome {
  const ran = notes.map(({ what, target }) => `${what} ${target}`);
  return {
    broken: [
      ...(ran.length > 0 ? [`on line power there ran: ${ran.join(', ')}`] : []),
      ...(sequences.length > 0 ? ['a sequence has begun on line power'] : []),
    ],
    firstCommandMs: null,
    sequence: null,
  };
}

function inOutage(of: Case, excuses: readonly Excuse[], lateMs: number, sight: Sight): Outcome {
  const { notes, sequences, givenMs } = sight;
  const [sequence] = sequences;
  const first = notes[0];
  const blind = excuses.some((excuse) => excuse.blind === true);
  const [powerOff, ...others] = notes.filter(({ what }) => what === 'power-off');
  if (givenMs === null || sequence === undefined || first === undefined || powerOff === undefined)
    return {
      broken: [`no sequence that came to its end: ${wordsOf(notes)}`],
      firstCommandMs: null,
      sequence: null,
    };
  const firstCommandMs = first.atMs - givenMs;
  // A fault that comes into a running sequence has not delayed its beginning.
  const late = of.moment === 'outage' ? lateMs + (blind ? limits.failsafeMs : 0) : 0;
  const again = excuses.some((excuse) => excuse.again === true);
  const away = excuses.flatMap((excuse) => excuse.targets ?? []);
  const reachable = targets.filter((target) => !away.includes(target));
  const given = (target: string): readonly Note[] =>
    notes.filter((note) => note.what === 'goes-down' && note.target === target);
  const tookMs = powerOff.atMs - sequence.startedMs;
  const broken = [
    ...(sequences.length === 1 ? [] : [`${String(sequences.length)} sequences in one outage`]),
    ...(others.length > (again ? 1 : 0) ? [`${String(others.length + 1)} power-off commands`] : []),
    // Hundredths of a second are all that the notes know.
    ...(firstCommandMs < -20 && !blind ? ['a command before the battery was low'] : []),
    ...over('no command after the trigger', firstCommandMs, limits.firstCommandMs + late),
    ...over('no power-off since the sequence began', tookMs, sequence.boundMs + lateMs),
    ...reachable.flatMap((target) => {
      const [one, ...more] = given(target);
      if (one === undefined) return [`${target} never had its command`];
      const afterMs = one.atMs - sequence.startedMs;
      return [
        ...over(`${target} without its command`, afterMs, sequence.deadlinesMs[target] + lateMs),
        ...(more.length > (again ? 1 : 0)
          ? [`${target} was commanded ${String(more.length + 1)} times`]
          : []),
        ...(one.atMs > powerOff.atMs ? [`${target} was commanded after the power-off`] : []),
      ];
    }),
  ];
  const commanded = reachable.filter((target) => given(target).length > 0).length;
  return {
    broken,
    firstCommandMs,
    sequence: { tookMs, boundMs: sequence.boundMs, commanded, reachable: reachable.length },
  };
}

/** A fault that cost nobody anything proves nothing. */
function tookHold(faults: readonly Fault[], { log }: Sight): readonly string[] {
  return faults.flatMap(({ name, costs }) =>
    costs === undefined || new RegExp(`lost the worker ${costs}\\b`).test(log)
      ? []
      : [`"${name}" did not take hold`],
  );
}

function over(what: string, ms: number, limitMs: number): readonly string[] {
  return ms > limitMs ? [`${what} for ${seconds(ms)}, allowed are ${seconds(limitMs)}`] : [];
}

function wordsOf(notes: readonly Note[]): string {
  return notes.length === 0 ? 'nothing ran' : notes.map(({ what, target }) => `${what} ${target}`).join(', ');
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}
