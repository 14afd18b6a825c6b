import { setTimeout as pause } from 'node:timers/promises';
import { bootMs } from '../../../supervisor/remote-health/machine/finding.js';

/** Waits on a machine that has just started: a failed probe of a server that has not answered yet does not count there. */
export function bootedHost(): void {
  before(async function () {
    const leftMs = bootMs - Number(process.hrtime.bigint() / 1_000_000n);
    if (leftMs <= 0) return;
    this.timeout(leftMs + 60_000);
    await pause(leftMs);
  });
}
