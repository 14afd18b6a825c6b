// From detection to action in a fleet: the poll whose answer tells of FSD, as it comes in at the server, to the start of the
// power-off command. Several times in the life of one daemon: between two of them power is back, which arms it again.
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { until } from '../../fixtures/until.js';
import type { Fleet } from './fleet.js';

const commandWithinMs = 30_000;
/** Power has to be seen by several polls before another outage can be one. */
const restMs = 5_000;

/** Milliseconds from the arrival of the poll that decides to the start of the command, once per round. */
export async function actionTimes(
  fleet: Fleet,
  daemon: RunningDaemon,
  rounds: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = daemon.powerOffs().length;
    const askedAtMs = await fleet.fsd(true);
    const runs = await until(
      () => daemon.powerOffs(),
      (list) => list.length > before,
      commandWithinMs,
    );
    times.push((runs.at(-1)?.atMs ?? NaN) - askedAtMs);
    await fleet.fsd(false);
    await pause(restMs);
  }
  return times;
}
