// Plays one scenario to its end, or to the first broken promise.
import { Invariants } from './invariants/invariants.js';
import type { Violation } from './invariants/moment.js';
import type { Scenario } from './scenario.js';
import type { Observer } from './observer.js';
import { observers } from './observer.js';
import { isClockSet, noting, withSteadyClock } from './set-clocks.js';
import { World } from './world.js';

export interface RunResult {
  /** The first broken promise. */
  readonly violation: Violation | null;
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

type ExtraObserver = (judge: Observer, world: World) => Observer;

/** `extraObserver`: observes what the judge observes. A world whose clock is set is played with a steady one too. */
export async function play(scenario: Scenario, extraObserver?: ExtraObserver): Promise<RunResult> {
  if (!isClockSet(scenario)) return playOnce(scenario, extraObserver);
  const course: string[] = [];
  const result = await playOnce(scenario, (judge, world) =>
    noting(extraObserver?.(judge, world) ?? judge, (what) =>
      course.push(`${String(world.nowMs)} ms: ${what}`),
    ),
  );
  if (result.violation !== null) return result;
  const steady = await courseOf(withSteadyClock(scenario));
  const place = course.findIndex((what, index) => what !== steady[index]);
  if (place === -1 && course.length === steady.length) return result;
  const text = `${course[place] ?? 'nothing'} instead of ${steady[place === -1 ? course.length : place] ?? 'nothing'}`;
  const rule = 'a wall clock that is set changes nothing';
  return { ...result, violation: { atMs: result.playedMs, rule, text } };
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

async function playOnce(scenario: Scenario, extraObserver?: ExtraObserver): Promise<RunResult> {
  let judge: Invariants | undefined;
  const world = new World(scenario.site, (one) => {
    judge = new Invariants(one);
    return extraObserver?.(judge.observer, one) ?? judge.observer;
  });
  if (judge === undefined) throw new Error('a world has a witness');
  let outages = 0;
  for (const { atMs, worldEvent } of scenario.worldEvents)
    world.at(atMs, () => {
      const before = outagesOf(world);
      world.perform(worldEvent);
      outages += Math.max(0, outagesOf(world) - before);
    });
  await passThrough(world, scenario.durationMs, judge);
  const { violation, readings, starts, powerOffs, blackouts } = judge;
  return { violation, readings, outages, starts, powerOffs, blackouts, playedMs: world.nowMs };
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
