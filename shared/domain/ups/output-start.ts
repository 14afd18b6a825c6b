// When a UPS whose output was cut by shutdown.return starts it again: by `ups.delay.start`, which usbhid-ups counts from the
// command, nutdrv_qx from the cut, apcsmart and APC's SNMP from the return of mains (specification/sequence.md#output-of-the-ups).
import type { Variables } from './reading.js';

export const shutdownDelay = 'ups.delay.shutdown';
export const startDelay = 'ups.delay.start';
/** Devices that count in minutes round down: a minute more stays above the delay. */
const marginSeconds = 60;

export interface OutputCommand {
  readonly command: string;
  readonly offDelaySeconds: number;
}

/** The value to write to `ups.delay.start` before the cut; null where it need not change. 0 starts with the return of mains. */
export function startToWrite(
  { command, offDelaySeconds }: OutputCommand,
  variables: Variables,
): number | null {
  const start = startOf(variables);
  // A delay that is fixed above `off_delay` is the one that counts.
  const cut = Math.max(offDelaySeconds, Number(variables[shutdownDelay] ?? 0) || 0);
  return command === 'shutdown.return' && start > 0 && start <= cut ? cut + marginSeconds : null;
}

/** The same code: newhidups is usbhid-ups before NUT 2.4, mge-shut is usbhid-ups on a serial line. */
const hidDrivers: ReadonlySet<string> = new Set(['usbhid-ups', 'newhidups', 'mge-shut', 'newmge-shut']);

/** usbhid-ups starts both timers with the command: a start that is due before the cut switches nothing on. */
export function staysOffByStart(output: OutputCommand, variables: Variables): boolean {
  return hidDrivers.has(variables['driver.name'] ?? '') && startToWrite(output, variables) !== null;
}

/** Why the output may stay off when mains is back, by what the UPS shows now; null where nothing speaks for it. */
export function startWarning(output: OutputCommand, variables: Variables): string | null {
  const start = startOf(variables);
  const reads = `${startDelay} reads ${String(start)}`;
  // networkupstools/nut#578: a CyberPower then never switches its output on by itself.
  if (output.command === 'shutdown.return' && start < 0)
    return `${reads}: some UPSes then leave the output off when mains is back; set ondelay in ups.conf, and try it once`;
  const wanted = startToWrite(output, variables);
  if (wanted === null) return null;
  const stays = staysOffByStart(output, variables)
    ? `with ${variables['driver.name'] ?? ''} it would not come back, and the step fails; set ondelay in ups.conf`
    : 'it comes back only if this UPS counts that time from the cut or from the return of mains; try it once';
  return `${reads}, too early for an output that is cut after ${String(wanted - marginSeconds)} s: where the UPS does not take ${String(wanted)}, ${stays}`;
}

function startOf(variables: Variables): number {
  const start = Number(variables[startDelay] ?? 0);
  return Number.isFinite(start) ? start : 0;
}
