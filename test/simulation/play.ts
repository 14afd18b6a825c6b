// Plays one scenario to its end, or to the first broken promise.
import type { Violation } from './oracle/oracle-context.js';
import { Oracle } from './oracle/oracle.js';
import type { Scenario } from './scenario.js';
import type { Observer } from './observer.js';
import { World } from './world.js';

export interface RunResult {
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

/** `extraObserver`: observes what the oracle observes. */
export async function play(
  scenario: Scenario,
  extraObserver?: (oracle: Observer, world: World) => Observer,
): Promise<RunResult> {
  let oracle: Oracle | undefined;
  const world = new World(scenario.site, (one) => {
    oracle = new Oracle(one);
    return extraObserver?.(oracle, one) ?? oracle;
  });
  if (oracle === undefined) throw new Error('a world has a witness');
  let outages = 0;
  for (const { atMs, worldEvent } of scenario.worldEvents)
    world.at(atMs, () => {
      const before = outagesOf(world);
      world.perform(worldEvent);
      outages += Math.max(0, outagesOf(world) - before);
    });
  while (oracle.violation === null && world.nextAtMs <= scenario.durationMs) {
    world.next();
    for (let turn = 0; world.daemon.unsettled && turn < mostTurns; turn += 1) {
      world.daemon.unsettled = false;
      await settled();
      oracle.handledOther();
    }
    world.settled();
  }
  const { violation, readings, starts, powerOffs, blackouts } = oracle;
  return { violation, readings, outages, starts, powerOffs, blackouts, playedMs: world.nowMs };
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
