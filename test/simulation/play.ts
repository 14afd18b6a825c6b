// Plays one scenario to its end, or to the first broken promise.
import type { Judgement, OracleChoice } from './both-oracles.js';
import { Judges } from './both-oracles.js';
import type { Violation } from './invariants/moment.js';
import type { Scenario } from './scenario.js';
import type { Observer } from './observer.js';
import { observers } from './observer.js';
import { isClockSet, noting, withSteadyClock } from './set-clocks.js';
import { World } from './world.js';

export interface RunResult {
  /** The first, by whichever judge. */
  readonly violation: Violation | null;
  readonly judgement: Judgement;
  readonly readings: number;
  /** Failures of the mains of a UPS. */
  readonly outages: number;
  readonly starts: number;
  readonly powerOffs: number;
  readonly blackouts: number;
  readonly playedMs: number;
}

/** More event loop turns than this at one time are an endless loop. */
const mostTurns = 100;

type ExtraObserver = (oracle: Observer, world: World) => Observer;

/** `extraObserver`: observes what the oracle observes. A world whose clock is set is played with a steady one too. */
export async function play(
  scenario: Scenario,
  extraObserver?: ExtraObserver,
  choice: OracleChoice = 'old',
): Promise<RunResult> {
  if (!isClockSet(scenario)) return playOnce(scenario, choice, extraObserver);
  const course: string[] = [];
  const result = await playOnce(scenario, choice, (oracle, world) =>
    noting(extraObserver?.(oracle, world) ?? oracle, (what) =>
      course.push(`${String(world.nowMs)} ms: ${what}`),
    ),
  );
  if (result.violation !== null) return result;
  const steady = await courseOf(withSteadyClock(scenario));
  const place = course.findIndex((what, index) => what !== steady[index]);
  if (place === -1 && course.length === steady.length) return result;
  const text = `${course[place] ?? 'nothing'} instead of ${steady[place === -1 ? course.length : place] ?? 'nothing'}`;
  const rule = 'a wall clock that is set changes nothing';
  const violation = { atMs: result.playedMs, rule, text };
  return { ...result, violation, judgement: { old: violation, new: violation } };
}

/** Without a judge: it would say nothing that the comparison does not. */
async function courseOf({ site, worldEvents, durationMs }: Scenario): Promise<readonly string[]> {
  const course: string[] = [];
  const world = new World(site, () =>
    noting(observers([]), (what) => course.push(`${String(world.nowMs)} ms: ${what}`)),
  );
  for (const { atMs, worldEvent } of worldEvents) world.at(atMs, () => world.perform(worldEvent));
  await passThrough(world, durationMs, { isDecided: false, observer: observers([]) });
  return course;
}

async function playOnce(
  scenario: Scenario,
  choice: OracleChoice,
  extraObserver?: ExtraObserver,
): Promise<RunResult> {
  let judges: Judges | undefined;
  const world = new World(scenario.site, (one) => {
    judges = new Judges(choice, one);
    return extraObserver?.(judges.observer, one) ?? judges.observer;
  });
  if (judges === undefined) throw new Error('a world has a witness');
  let outages = 0;
  for (const { atMs, worldEvent } of scenario.worldEvents)
    world.at(atMs, () => {
      const before = outagesOf(world);
      world.perform(worldEvent);
      outages += Math.max(0, outagesOf(world) - before);
    });
  await passThrough(world, scenario.durationMs, judges);
  const { judgement, figures } = judges;
  const { readings, starts, powerOffs, blackouts } = figures;
  const found = [judgement.old ?? [], judgement.new ?? []].flat().sort((a, b) => a.atMs - b.atMs);
  const violation = found[0] ?? null;
  return { violation, judgement, readings, outages, starts, powerOffs, blackouts, playedMs: world.nowMs };
}

/** Time passes in the world, up to `untilMs` or until all is decided. */
export async function passThrough(
  world: World,
  untilMs: number,
  judge: { readonly isDecided: boolean; readonly observer: Pick<Observer, 'handledOther'> },
): Promise<void> {
  while (!judge.isDecided && world.nextAtMs <= untilMs) {
    world.next();
    for (let turn = 0; world.daemon.unsettled && turn < mostTurns; turn += 1) {
      world.daemon.unsettled = false;
      await settled();
      judge.observer.handledOther();
    }
    world.settled();
  }
}

function outagesOf(world: World): number {
  return [...world.devices.values()].filter(({ outageSinceMs }) => outageSinceMs !== null).length;
}

/** After all promises have settled: nothing in a world waits for a real timer or for I/O. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve);
  });
}
