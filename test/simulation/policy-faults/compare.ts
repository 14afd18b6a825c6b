// Compares a daemon whose policy throws with one whose policy works, in the same world.
import type { Scenario } from '../scenario.js';
import type { History, Span, Start } from './history.js';

export interface Comparison {
  /** Null: every promise held. */
  readonly broken: { readonly rule: string; readonly text: string } | null;
  /** Outages in which the healthy policy starts a sequence, by group. */
  readonly met: number;
  /** How much later each was met, in ms. */
  readonly lateMs: readonly number[];
  /** Those that no rule meets (DEPLETION, a quorum by members that cannot be read), and not met. */
  readonly unruled: number;
  /** Those not met before power was back, or before the end of the world. */
  readonly notMet: readonly string[];
}

export function compare(scenario: Scenario, healthy: History, faulty: History): Comparison {
  const outages = outagesOf(scenario, healthy);
  // After the host went down in one of them the two worlds differ.
  const comparableMs = Math.min(...[healthy, faulty].map(({ downs }) => downs[0]?.atMs ?? Infinity));
  const first = (history: History, { group, fromMs, toMs }: Outage) =>
    history.starts.find((one) => one.group === group && one.atMs >= fromMs && one.atMs <= toMs);
  let met = 0;
  let unruled = 0;
  const notMet: string[] = [];
  const lateMs: number[] = [];
  for (const outage of outages) {
    const right = first(healthy, outage);
    if (right === undefined || right.atMs > comparableMs) continue;
    met += 1;
    const own = first(faulty, outage);
    if (own !== undefined) lateMs.push(Math.max(0, own.atMs - right.atMs));
    else if (right.isRuled)
      notMet.push(
        `${wordsOf(right)}; outage until ${String(outage.toMs - afterMs)} ms, comparable until ${String(comparableMs)} ms`,
      );
    else unruled += 1;
  }
  const broken =
    escaped(faulty) ??
    onAtTheEnd(healthy, faulty) ??
    started(outages, healthy, faulty) ??
    twice(outages, healthy, faulty);
  return { broken, met, lateMs, unruled, notMet };
}

interface Outage extends Span {
  readonly group: string;
}

/**
 * Of each group: the joined troubles of its members, with what a healthy policy starts in none of them, since a driver shows one bad
 * sample in several polls. What they start may come a while after their end.
 */
function outagesOf({ site }: Scenario, { troubles, starts }: History): readonly Outage[] {
  const groups = [
    ...site.ups.map(({ policy }) => ({ group: policy.groupId, members: [policy.groupId] })),
    ...site.groups.map(({ groupId, members }) => ({ group: groupId, members })),
  ];
  return groups.flatMap(({ group, members }) => {
    const started = starts.filter((start) => start.group === group);
    const spans = [
      ...members.flatMap((ups) => troubles.get(ups) ?? []),
      // A daemon that was away in one of both worlds, by a record that the other has not, starts later.
      ...started.map(({ atMs }) => ({ fromMs: atMs - afterMs, toMs: atMs })),
    ].sort((a, b) => a.fromMs - b.fromMs);
    const joined: { fromMs: number; toMs: number }[] = [];
    for (const span of spans) {
      const last = joined.at(-1);
      if (last !== undefined && span.fromMs <= last.toMs + afterMs)
        last.toMs = Math.max(last.toMs, span.toMs);
      else joined.push({ ...span });
    }
    return joined.map(({ fromMs, toMs }) => ({ group, fromMs, toMs: toMs + afterMs }));
  });
}

const afterMs = 90_000;

type Broken = Comparison['broken'];

function escaped({ escaped: [one] }: History): Broken {
  return one === undefined ? null : { rule: 'an exception escapes', text: one };
}

/** No host is on when its battery ends where a healthy policy would have had it off. */
function onAtTheEnd(healthy: History, faulty: History): Broken {
  const [down] = faulty.downs;
  const [right] = healthy.downs;
  if (down?.why !== 'blackout' || right?.why !== 'power-off' || right.atMs > down.atMs) return null;
  // What decided it has no rule: counted, not promised.
  if (healthy.starts.some(({ atMs, isRuled }) => atMs <= right.atMs && !isRuled)) return null;
  // Whether a command in time succeeds is not its matter.
  const order = healthy.ordered.findLast((atMs) => atMs <= right.atMs) ?? -Infinity;
  if (faulty.ordered.some((atMs) => atMs <= order)) return null;
  const causes = healthy.starts.filter(({ atMs }) => atMs <= right.atMs).map(wordsOf);
  const own = faulty.starts.filter(({ atMs }) => atMs <= down.atMs).map(wordsOf);
  return {
    rule: 'a host is on when its battery ends',
    text: `at ${String(down.atMs)} ms; healthy: off at ${String(right.atMs)} ms after ${causes.join(', ')}; here: ${own.join(', ') || 'no sequence'}`,
  };
}

/** No sequence is started in an outage in which a healthy policy starts none, but for one of before that still runs. */
function started(outages: readonly Outage[], healthy: History, faulty: History): Broken {
  const endMs = healthy.downs[0]?.atMs ?? Infinity;
  for (const start of faulty.starts) {
    if (start.atMs > endMs || start.boot > 1) continue;
    const outage = outages.find(
      ({ group, fromMs, toMs }) => group === start.group && start.atMs >= fromMs && start.atMs <= toMs,
    );
    const isRight = (one: Pick<Start, 'group' | 'atMs'>) =>
      one.group === start.group &&
      outage !== undefined &&
      one.atMs >= outage.fromMs &&
      one.atMs <= outage.toMs;
    if ([...healthy.starts, ...healthy.advised].some(isRight) || isLate(start, healthy)) continue;
    if (outage !== undefined && isByKill(start, outage, faulty)) continue;
    // It may be still to come, after the healthy host is off.
    if (outage !== undefined && endMs <= outage.toMs) continue;
    return { rule: 'a sequence that a healthy policy does not start', text: wordsOf(start) };
  }
  return null;
}

/** The healthy policy has started it before, and power was not back since: the mains of a driver may come back unseen. */
function isLate({ group, atMs }: Start, { starts, backs }: History): boolean {
  const before = starts.findLast((one) => one.group === group && one.atMs <= atMs);
  if (before === undefined) return false;
  return !backs.some((one) => one.group === group && one.atMs > before.atMs && one.atMs <= atMs);
}

/** The memory of the reserve is up to a second old: what was read in it, such as OL, counts for OB until the next daemon reads. */
function isByKill({ cause, atMs }: Start, { fromMs, toMs }: Outage, { restarts }: History): boolean {
  const kills = restarts.filter((one) => one >= fromMs && one <= atMs).length;
  return cause === 'EXTENDED_TIME' && atMs >= toMs - afterMs - kills * longestAbsenceMs;
}

const longestAbsenceMs = 10_000;

function twice(outages: readonly Outage[], healthy: History, faulty: History): Broken {
  // A restart that finds no record starts again, with a policy that works too, unless its host is off by then.
  const endMs = healthy.downs[0]?.atMs ?? Infinity;
  for (const outage of outages) {
    const isOf = (one: Start) =>
      one.group === outage.group && one.boot === 1 && one.atMs >= outage.fromMs && one.atMs <= outage.toMs;
    const own = faulty.starts.filter((one) => isOf(one) && one.atMs <= endMs);
    const right = healthy.starts.filter(isOf);
    // What a policy that works arms again, by one wrong reading too, may start again; a sequence of the reserve may be shorter than its own.
    const isArmed = (fromMs: number, toMs: number) =>
      [...healthy.armed, ...healthy.restored].some(
        ({ group, atMs }) => group === outage.group && atMs >= fromMs && atMs <= toMs,
      );
    // A quorum that was lost by members that no rule has decided, such as silent ones, is restored by them.
    const isRestored = ({ isRuled, atMs: fromMs }: Start, toMs: number) =>
      !isRuled &&
      faulty.restored.some(({ group, atMs }) => group === outage.group && atMs > fromMs && atMs < toMs);
    const isSecond = ({ isAnew, atMs }: Start, before: Start | undefined) =>
      before !== undefined && !isAnew && !isArmed(before.atMs, atMs) && !isRestored(before, atMs);
    const unarmed = (all: readonly Start[]) => all.filter((one, at) => isSecond(one, all[at - 1])).length;
    // Where a policy that works starts again itself, in a flicker, how often it does is not compared.
    if (own.length > right.length && unarmed(own) > 0 && unarmed(right) === 0)
      return { rule: 'two sequences in one outage', text: own.map(wordsOf).join(', ') };
  }
  return null;
}

const wordsOf = ({ group, atMs, cause }: Start): string =>
  `${group} ${cause} at ${String(Math.round(atMs))} ms`;
