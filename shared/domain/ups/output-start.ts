// When a UPS whose output was cut by shutdown.return starts it again: `ups.delay.start`, and from when each family of drivers
// counts it (specification/sequence.md#output-of-the-ups). Pure.
import { numberOf } from './quantity.js';
import type { Variables } from './reading.js';

export const shutdownDelay = 'ups.delay.shutdown';
export const startDelay = 'ups.delay.start';
/** Devices that count in minutes round down: a minute more stays above the delay. */
const marginSeconds = 60;

export interface OutputCommand {
  readonly command: string;
  readonly offDelaySeconds: number;
}

/** From when `ups.delay.start` counts. */
export type StartCounts = 'command' | 'cut' | 'mains';

/** The same code: newhidups is usbhid-ups before NUT 2.4, mge-shut is usbhid-ups on a serial line. */
const hidDrivers: ReadonlySet<string> = new Set(['usbhid-ups', 'newhidups', 'mge-shut', 'newmge-shut']);
const qxDrivers: ReadonlySet<string> = new Set(['nutdrv_qx', 'blazer_usb', 'blazer_ser']);
const apcSmartDrivers: ReadonlySet<string> = new Set(['apcsmart', 'apcsmart-old']);

export const isHid = (variables: Variables): boolean => hidDrivers.has(driverOf(variables));
export const isQx = (variables: Variables): boolean => qxDrivers.has(driverOf(variables));

/** apcsmart(8), "Supported instant commands": a cut has no effect before the second request, 3 to 15 s after the first; both get OK. */
export const isAskedTwice = (variables: Variables): boolean => apcSmartDrivers.has(driverOf(variables));

/** The subdriver has the name in each version; 0764 is the maker's USB id. */
export function isCyberPower(variables: Variables): boolean {
  if (!isHid(variables)) return false;
  const subdriver = variables['driver.version.data'] ?? '';
  return subdriver.startsWith('CyberPower HID') || variables['ups.vendorid'] === '0764';
}

/**
 * `off_delay` for a device that counts in minutes and rounds down: nutdrv_qx and blazer show that (drivers/nutdrv_qx_blazer-common.c),
 * usbhid-ups of a CyberPower shows what was written and the device cuts earlier (networkupstools/nut#578, #2722).
 */
export const cutDelay = ({ offDelaySeconds }: OutputCommand, variables: Variables): number =>
  isQx(variables) || isCyberPower(variables) ? wholeMinutes(offDelaySeconds) : offDelaySeconds;

export const wholeMinutes = (seconds: number): number => Math.ceil(seconds / 60) * 60;

/** Cut to what a name may have: it is part of a message. */
export function driverOf(variables: Variables): string {
  return (variables['driver.name'] ?? '').slice(0, 32);
}

/** Null where nobody has said it for the family. */
export function startCounts(variables: Variables): StartCounts | null {
  // NUT drivers/usbhid-ups.c: load.on.delay with ups.delay.start is sent first, then load.off.delay.
  if (isHid(variables)) return 'command';
  // The manuals megatec(8) ("after turning off the load") and nutdrv_qx(8): S<n>R<m>.
  if (isQx(variables)) return 'cut';
  // APC's smart protocol, and PowerNet-MIB upsAdvConfigReturnDelay: after mains has returned.
  if (apcSmartDrivers.has(driverOf(variables))) return 'mains';
  if (driverOf(variables) !== 'snmp-ups') return null;
  const mib = variables['driver.version.data'] ?? '';
  if (mib.startsWith('apcc ')) return 'mains';
  // NUT drivers/mge-mib.c and snmp-ups.c: upsStartupAfterDelay of RFC 1628, sent before upsShutdownAfterDelay.
  return mib.startsWith('mge ') ? 'command' : null;
}

/** The values that a UPS takes for a variable: these alone, or those within these bounds. */
export interface OfferedValues {
  readonly enum?: readonly string[];
  readonly range?: readonly { readonly min: number; readonly max: number }[];
}

/**
 * `seconds` as the UPS takes it: the least value that it offers and that is no shorter (APC Smart-UPS: 020, 180, 300 or 600). Where
 * all are shorter, or none is known, `seconds` itself, which the UPS may refuse.
 */
export function offeredDelay(seconds: number, offered: OfferedValues | undefined): string {
  const listed = (offered?.enum ?? []).map((text) => ({ text, value: numberOf(text) ?? -1 }));
  const bounds = (offered?.range ?? []).map(({ min, max }) => {
    const value = Math.max(min, seconds);
    return { text: String(value), value: value <= max ? value : -1 };
  });
  const [least] = [...listed, ...bounds]
    .filter(({ value }) => value >= seconds)
    .sort((a, b) => a.value - b.value);
  return least?.text ?? String(seconds);
}

/** `ups.delay.start` in seconds; null where the UPS shows none, or no number. */
export function startOf(variables: Variables): number | null {
  return numberOf(variables[startDelay]);
}

/** The seconds after which the output goes: a delay that is fixed above `off_delay` is the one that counts. */
export function cutAfter({ offDelaySeconds }: OutputCommand, variables: Variables): number {
  return Math.max(offDelaySeconds, numberOf(variables[shutdownDelay]) ?? 0);
}

/** The value to write to `ups.delay.start` before the cut; null where it need not change. 0 starts with the return of mains. */
export function startToWrite(output: OutputCommand, variables: Variables): number | null {
  const start = startOf(variables) ?? 0;
  const cut = cutAfter(output, variables);
  return output.command === 'shutdown.return' && start > 0 && start <= cut ? cut + marginSeconds : null;
}

/**
 * Why the output is not cut although the UPS would: usbhid-ups starts both timers with the command, so a start that is due
 * before the cut switches nothing on. Null: the start is late enough, or counts from another time.
 */
export function startRefusal(output: OutputCommand, variables: Variables): string | null {
  const wanted = startToWrite(output, variables);
  if (wanted === null || !isHid(variables)) return null;
  const cut = String(cutAfter(output, variables));
  return (
    `${startDelay} reads ${String(startOf(variables))} and does not change to ${String(wanted)}: with ${driverOf(variables)} ` +
    `an output that is cut after ${cut} s would not come back; set ondelay in ups.conf above that`
  );
}
