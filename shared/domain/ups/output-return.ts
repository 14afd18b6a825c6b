// Whether the output of a UPS comes back when mains is back, after the step `ups_output_off` has cut it: judged by what the UPS
// shows before (specification/sequence.md#return-of-the-output). Each rule names who said it. Pure.
import { charge } from './quantity.js';
import type { OutputCommand } from './output-start.js';
import {
  cutAfter,
  driverOf,
  isCyberPower,
  isHid,
  isQx,
  shutdownDelay,
  startCounts,
  startDelay,
  startOf,
  startToWrite,
} from './output-start.js';
import type { Variables } from './reading.js';

/** `unknown`: nothing speaks against it, and not enough for it. */
export type ReturnVerdict = 'returns' | 'may_not_return' | 'unknown';

export interface OutputReturn {
  readonly verdict: ReturnVerdict;
  readonly reason: string;
}

/** Commands after which somebody has to switch the output on; the check of the configuration says so too. */
export const staysOff = (command: string): boolean =>
  command === 'shutdown.stayoff' || command === 'load.off.delay';

/** nutdrv_qx(8), blazer_usb(8): with less, earlier firmware may not switch on by itself. */
const leastQxSeconds = 180;
const tryOnce = 'try it once';

/** `commands`: the instant commands that the UPS offers; null where nobody has listed them. */
export function outputReturn(
  output: OutputCommand,
  variables: Variables,
  commands: readonly string[] | null,
): OutputReturn {
  if (Object.keys(variables).length === 0)
    return { verdict: 'unknown', reason: 'the UPS has not been read yet' };
  const against = unsentReason(output, variables, commands) ?? keptOffReason(output, variables);
  if (against !== null) return { verdict: 'may_not_return', reason: against };
  const doubt = doubtReason(output, variables, commands);
  const later = chargeOf(variables);
  if (doubt !== null) return { verdict: 'unknown', reason: `${doubt}${later}` };
  return { verdict: 'returns', reason: `${evidenceOf(variables)}${later}` };
}

/** The text for the step, validate and /ready: empty unless the output may stay off, and not by the command that was chosen. */
export function returnWarning(
  output: OutputCommand,
  variables: Variables,
  commands: readonly string[] | null,
): string {
  const { verdict, reason } = outputReturn(output, variables, commands);
  return verdict === 'may_not_return' && !staysOff(output.command) ? reason : '';
}

/** Why the step would send nothing: machines that have shut down then stay off until somebody starts them. */
function unsentReason(
  { command }: OutputCommand,
  variables: Variables,
  commands: readonly string[] | null,
): string | null {
  const then = 'so the output stays on, and machines that have shut down stay off until somebody starts them';
  if (commands !== null && !commands.some((one) => one.toLowerCase() === command.toLowerCase()))
    return `the UPS does not offer ${command}, ${then}`;
  if (variables[shutdownDelay] === undefined) return `the UPS does not show ${shutdownDelay}, ${then}`;
  return null;
}

function keptOffReason(output: OutputCommand, variables: Variables): string | null {
  // NUT docs/nut-names.txt: these commands leave the load off.
  if (staysOff(output.command))
    return `${output.command} leaves the output off when mains is back: somebody has to switch it on`;
  const reasons = [
    autoStartReason(variables),
    output.command === 'shutdown.return' ? startReason(output, variables) : null,
  ];
  const found = reasons.filter((reason) => reason !== null);
  return found.length === 0 ? null : found.join('; ');
}

/** RFC 1628 upsAutoRestart: off prevents the start until somebody intervenes. usbhid-ups and snmp-ups only try to write yes. */
function autoStartReason(variables: Variables): string | null {
  const text = variables['ups.start.auto']?.trim().toLowerCase() ?? '';
  if (!['no', 'off', 'disabled'].includes(text)) return null;
  return `ups.start.auto reads ${text}: the UPS does not start its output by itself; set it to yes (upsrw -s ups.start.auto=yes), and ${tryOnce}`;
}

function startReason(output: OutputCommand, variables: Variables): string | null {
  const seconds = startOf(variables);
  if (seconds === null || seconds === 0) return null;
  const reads = `${startDelay} reads ${String(seconds)}`;
  if (isCyberPower(variables)) return cyberPowerReason(reads, seconds);
  // NUT drivers/usbhid-ups.c and snmp-ups.c: shutdown.stayoff is load.on.delay with -1.
  if (seconds < 0)
    return `${reads}: some UPSes then leave the output off when mains is back; set ondelay in ups.conf, and ${tryOnce}`;
  if (isQx(variables)) return seconds < leastQxSeconds ? shortStartReason(reads, variables) : null;
  const wanted = startToWrite(output, variables);
  if (wanted === null || startCounts(variables) === 'mains') return null;
  // networkupstools/nut#1114, usbhid-ups(8): ondelay must be greater than offdelay.
  const early = `${reads}, too early for an output that is cut after ${String(cutAfter(output, variables))} s: where the UPS does not take ${String(wanted)}, `;
  if (isHid(variables))
    return `${early}with ${driverOf(variables)} it would not come back, and the step fails; set ondelay in ups.conf`;
  if (startCounts(variables) === 'command')
    return `${early}it does not come back with ${driverOf(variables)}; set ${startDelay} with upsrw, and ${tryOnce}`;
  return `${early}it comes back only if this UPS counts that time from the cut or from the return of mains; ${tryOnce}`;
}

/** usbhid-ups(8) of NUT 2.8.3 for many models, by the reports networkupstools/nut#578, #625 and #1394. */
function cyberPowerReason(reads: string, seconds: number): string {
  const why =
    seconds < 0
      ? 'a CyberPower then never starts its output by itself'
      : 'a CyberPower then starts its output whatever mains does, and in a long outage the machines start on what is left of the battery';
  return `${reads}: ${why}; set ondelay = 0 in ups.conf, and ${tryOnce}`;
}

function shortStartReason(reads: string, variables: Variables): string {
  const least = String(leastQxSeconds);
  return `${reads}: below ${least} s some devices of ${driverOf(variables)} do not start by themselves; set ondelay to three minutes or more in ups.conf, and ${tryOnce}`;
}

/** What is missing for a promise. */
function doubtReason(
  { command }: OutputCommand,
  variables: Variables,
  commands: readonly string[] | null,
): string | null {
  // NUT docs/nut-names.txt says only "reboot the load": what it does without mains is the device's.
  if (command !== 'shutdown.return')
    return `what ${command} does without mains is up to the device; ${tryOnce}`;
  const counts = startCounts(variables);
  const seconds = startOf(variables);
  const driver = driverOf(variables) === '' ? 'its driver' : driverOf(variables);
  if (counts === null)
    return `it is not documented when a UPS of ${driver} starts its output again; ${tryOnce}`;
  // 386 of 718 dumps in NUT's collection of devices show it.
  if (seconds === null && counts !== 'mains')
    return `the UPS shows no ${startDelay}, and starts its output by its own rule; ${tryOnce}`;
  // With usbhid-ups it switches on what is on, nutdrv_qx sends no R<m>; only of CyberPower it is known that 0 waits for mains.
  if (seconds === 0 && counts !== 'mains' && !isCyberPower(variables))
    return `${startDelay} reads 0: whether the output then starts with mains is up to the device; set ondelay in ups.conf above off_delay, or ${tryOnce}`;
  return commands === null ? 'the commands of the UPS are not listed here; a drill lists them' : null;
}

const meanings = {
  command: 'the start is due after the cut, and waits for mains',
  cut: 'the start counts from the cut, and waits for mains',
  mains: 'the start counts from the return of mains',
} as const;

/** What the sources of `startCounts` say; the manuals add that it must be tried ("Unattended shutdowns" of usbhid-ups(8)). */
function evidenceOf(variables: Variables): string {
  const seconds = startOf(variables);
  const reads = seconds === null ? '' : `${startDelay} reads ${String(seconds)}: `;
  const meaning = isCyberPower(variables)
    ? 'the start waits for mains'
    : meanings[startCounts(variables) ?? 'mains'];
  return `${reads}${meaning}, by the documents of ${driverOf(variables)}`;
}

/** PowerNet-MIB upsAdvConfigMinReturnCapacity, NUT docs/nut-names.txt: the least charge for a start after the cut. */
function chargeOf(variables: Variables): string {
  const percent = charge(variables['battery.charge.restart']);
  if (percent === null || percent <= 0) return '';
  return `; it waits for a charge of ${String(percent)} % (battery.charge.restart), so after a long outage it starts later`;
}
