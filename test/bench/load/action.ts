// The reaction time in a fleet: from the poll whose answer has FSD, as it arrives at the server, to the start of the
// power-off command. Several rounds with one daemon: between two of them the power returns, which arms it again.
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import type { Fleet } from './fleet.js';

/** Several polls must see line power before the next outage. */
const restMs = 5_000;

/** Milliseconds from the arrival of the deciding poll to the start of the command, one per round. */
export async function actionTimes(
  fleet: Fleet,
  daemon: RunningDaemon,
  rounds: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = daemon.powerOffs().length;
    const askedAtMs = await fleet.fsd(true);
    const runs = await daemon.poweredOff(before + 1);
    times.push((runs.at(-1)?.atMs ?? NaN) - askedAtMs);
    await fleet.fsd(false);
    await pause(restMs);
  }
  return times;
}
