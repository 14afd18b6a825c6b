// What all importers share: reading a file of another program, carrying one value, and naming secrets. A value that the daemon's
// own check refuses is left, with the reason.
import type { Checked } from '../../../../shared/domain/base/checked.js';
import type { DraftTable, TomlValue } from '../../../../shared/domain/setup/config-draft.js';
import { readBounded } from '../../../../supervisor/config/read/bounded-file.js';
import { triggerKeys } from '../../../../shared/domain/triggers/table.js';
import { accepts } from '../../../../supervisor/config/schema/codec.js';
import { splitCommand } from '../../../../supervisor/config/schema/command.js';
import { secretFault } from '../../../../supervisor/config/schema/secret.js';
import type { Draft } from '../delivery.js';

export type ImportedSource =
  | { readonly ok: true; readonly draft: Draft }
  | { readonly ok: false; readonly message: string };

export type SourceText =
  | {
      readonly ok: true;
      readonly text: string;
      /** Lines end with CR LF in it, as on Windows. `text` has LF. */
      readonly hasCarriageReturns: boolean;
    }
  | { readonly ok: false; readonly message: string };

/** Far larger than any of these files. */
const maxBytes = 1_048_576;

export function readSource(path: string): SourceText {
  const read = readBounded(path, maxBytes);
  if (!read.ok) return { ok: false, message: `${path} ${read.fault}` };
  if (read.text.includes('\0')) return { ok: false, message: `${path} is not text: it has NUL bytes` };
  const text = read.text.replace(/^\ufeff/, '');
  return { ok: true, text: text.replaceAll('\r\n', '\n'), hasCarriageReturns: text.includes('\r\n') };
}

/** A line with its number from 1, for messages. */
export const linesOf = (text: string): readonly { readonly number: number; readonly text: string }[] =>
  text.split('\n').map((line, index) => ({ number: index + 1, text: line }));

/** True where the value was set. `what`: as the other program writes it, without secrets. */
export function carry(
  table: DraftTable,
  key: string,
  codec: Checked<unknown>,
  value: TomlValue,
  { what, comment = '' }: { readonly what: string; readonly comment?: string },
): boolean {
  if (accepts(codec, value)) {
    table.set(key, value, comment);
    return true;
  }
  table.leavesOut(what, `${key} takes ${codec.name}`);
  return false;
}

/** A command that the other program gives to a shell: as words where it needs none, else with the shell written out. */
export function shellCommand(text: string): readonly string[] {
  const split = splitCommand(text);
  const [program = ''] = split.ok ? split.words : [];
  const isPlain = split.ok && program !== '' && (program.startsWith('/') || !program.includes('/'));
  return isPlain ? split.words : ['/bin/sh', '-c', text];
}

/** The secrets of a draft. Each has a file of its own; equal ones share it. */
export class DraftSecrets {
  readonly #files: { name: string; text: string; of: string }[] = [];

  /** The name of its file; null for a text that no secret can be. `of`: what it is, for the report. */
  add(stem: string, text: string, of: string): string | null {
    if (text === '' || secretFault(text) !== undefined) return null;
    const same = this.#files.find((file) => file.text === text && file.name.startsWith(stem));
    if (same !== undefined) return same.name;
    const count = this.#files.filter(({ name }) => name.startsWith(stem)).length;
    const name = `${stem}${count === 0 ? '' : `-${String(count + 1)}`}.secret`;
    this.#files.push({ name, text, of });
    return name;
  }

  get all(): Draft['secrets'] {
    return this.#files;
  }
}

/** A whole number, as these files write them; null for anything else. */
export const wholeNumber = (text: string): number | null => (/^-?\d{1,9}$/.test(text) ? Number(text) : null);

/** `depletion` has no switch: above the highest rate no charge falls. */
export const noDepletion = { key: 'critical_rate', value: 10_000 } as const;

/** The triggers of this daemon that another program does not have: they must not act earlier than it would. */
export function withoutDepletion(triggers: DraftTable, program: string): void {
  triggers.table('depletion').set(noDepletion.key, noDepletion.value, `off: ${program} has no such trigger`);
}

/** A time on battery that another program has. True where it was carried; nothing that waits is longer. */
export function carryTimeOnBattery(
  triggers: DraftTable,
  seconds: number,
  { what, comment }: { readonly what: string; readonly comment: string },
): boolean {
  const { extended_time, on_battery_stabilization_delay: stabilization } = triggerKeys;
  const extended = triggers.table('extended_time');
  const { codec } = extended_time.keys.threshold;
  if (!codec.is(seconds)) {
    extended.leavesOut(what, `threshold takes ${codec.name}`);
    return false;
  }
  extended.set('enabled', true).set('threshold', seconds, comment);
  if (seconds < stabilization.fallback)
    triggers.set('on_battery_stabilization_delay', seconds, 'no longer than extended_time.threshold');
  triggers.leavesOut(
    what,
    'carried; but there each outage began at 0; here those that follow each other add up until the charge is back: it may go down earlier',
  );
  return true;
}

/** The failsafe stays: nothing else acts where the battery can no longer be seen. */
export function tellOfFailsafe(triggers: DraftTable, program: string): void {
  triggers.leavesOut(
    'a connection that is lost on battery',
    `${program} waits for it; here failsafe_delay (${String(triggerKeys.failsafe_delay.fallback)} s) shuts the machine down`,
  );
}

/** Charge and runtime wait at the begin of an outage, which the other program does not. */
export function tellOfStabilization(triggers: DraftTable, program: string): void {
  const key = 'on_battery_stabilization_delay';
  const seconds = Number(triggers.get(key) ?? triggerKeys[key].fallback);
  triggers.leavesOut(
    'the begin of an outage',
    `${program} acts at once on a low charge or runtime; here they wait for ${key} (${String(seconds)} s) and, after a jump, for value_hold`,
  );
}
