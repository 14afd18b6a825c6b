// Plays one case: brings the daemon to the moment, inflicts the faults, lets the outage take its course, heals, and waits
// until all is well again. Sees and times everything; judges nothing.
import { setTimeout as pause } from 'node:timers/promises';
import { firstSeen } from '../bench/reaction.js';
import { until } from '../fixtures/until.js';
import type { Case, Fault } from './fault.js';
import { delays } from './fault.js';
import type { Ground } from './ground.js';
import type { Begun } from './journals.js';
import { begunWith, sequencesOf } from './journals.js';
import { limits } from './limits.js';
import type { Note } from './notes.js';
import { nowMs } from './notes.js';
import type { FaultSet } from './plight.js';
import { apartMs } from './plight.js';
import { nearlyEmptyStatus } from './site.js';
import type { Span } from './watch.js';

/** What is over at once is looked at for this long on line power: longer than a hung worker is let live. */
const shortestLookMs = 3_500;
/** On battery for this long before the fault: the daemon has seen it. */
const onBatteryMs = 1_500;
/** After the power-off: whatever would run twice has begun by then. */
const afterwardsMs = 1_000;

/** What was seen; times by `nowMs`. */
export interface Sight {
  readonly struckMs: number;
  readonly healedMs: number;
  /** Null: not within the limit. */
  readonly wellMs: number | null;
  /** What was missing then. */
  readonly unwell: string;
  /** When upsd said that the battery is nearly empty (or was to say it and hung); null on line power. */
  readonly givenMs: number | null;
  readonly notes: readonly Note[];
  readonly sequences: readonly Begun[];
  readonly span: Span;
  readonly log: string;
  /** It has ended although nobody killed it. */
  readonly ended: boolean;
}

export async function play(ground: Ground, { moment }: Case, plight: FaultSet): Promise<Sight> {
  const { faults, chance } = plight;
  let ended = false;
  const { daemon } = ground;
  void daemon.exited.then(() => (ended = true));
  let givenMs: number | null = null;
  try {
    if (moment === 'outage') {
      await ground.power('onBattery');
      await pause(onBatteryMs + chance() * 1_000);
    }
    if (moment === 'sequence') {
      givenMs = await give(ground, null);
      await begun(ground);
      await pause(chance() * apartMs);
    }
    const struckMs = nowMs();
    await plight.inflict(ground);
    if (moment === 'outage') {
      await pause(chance() * apartMs);
      givenMs = await give(ground, faults);
    }
    if (moment === 'mains') await pause(Math.max(shortestLookMs, ...faults.map(({ lastsMs }) => lastsMs)));
    else await poweredOff(ground, faults);
    await plight.heal();
    const healedMs = nowMs();
    const unwell = await ground.atRest(limits.wellMs).then(
      () => '',
      (error: unknown) => String(error),
    );
    const wellMs = nowMs();
    return {
      struckMs,
      healedMs,
      wellMs: unwell === '' ? wellMs : null,
      unwell,
      givenMs,
      notes: ground.notes.all(),
      sequences: seen(ground),
      span: { fromMs: struckMs, toMs: nowMs() },
      log: ground.log(),
      ended: ended && ground.daemon === daemon,
    };
  } finally {
    await plight.heal();
  }
}

/** Lets the battery be nearly empty; when upsd says so. A hung one never does: then it counts from when it was told to. */
async function give(ground: Ground, faults: readonly Fault[] | null): Promise<number> {
  const { port } = ground.servers.upsd.house;
  const blind = faults?.some(({ excuse }) => excuse.blind === true) ?? false;
  const seen = blind ? null : firstSeen(port, nearlyEmptyStatus).then(nowMs);
  await ground.power('nearlyEmpty');
  return (await seen) ?? nowMs();
}

async function begun(ground: Ground): Promise<void> {
  await until(
    () => ground.notes.all().length,
    (count) => count > 0,
    limits.firstCommandMs * 4,
  );
}

/**
 * Without a descriptor to open it with there is no journal, and the log has to tell. Its sequence began right before the first
 * command.
 */
function seen(ground: Ground): readonly Begun[] {
  const written = sequencesOf(ground.directory);
  if (written.length > 0) return written;
  const [first] = ground.notes.all();
  const told = ground.log().match(/shutdown sequence of \S+ started/g) ?? [];
  return told.map(() => begunWith(ground.plan, first?.atMs ?? NaN));
}

/** Or not within the time the plan and the excuses allow: the judge will say so. */
async function poweredOff(ground: Ground, faults: readonly Fault[]): Promise<void> {
  const bound = ground.plan.boundSeconds * 1000;
  const excuses = faults.map(({ excuse }) => excuse);
  const failsafe = excuses.some(({ blind }) => blind === true) ? limits.failsafeMs : 0;
  const end = nowMs() + bound + delays(excuses).commands + failsafe + limits.firstCommandMs;
  while (nowMs() < end && !ground.notes.all().some(({ what }) => what === 'power-off')) await pause(20);
  await pause(afterwardsMs);
}
