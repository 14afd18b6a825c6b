// The states in plain words, the same for the page and `ridethrough status`.
import type { ConnectionDetail, TriggerName } from './states.js';
import type { RedundancyRow, SequenceModel, SequenceRun, UpsRow } from './status-model.js';
import { statusWords } from '../ups/status-words.js';
import { noBreakSpace } from '../base/duration.js';
import { triggers } from '../triggers/table.js';

/** How to display it: `unknown` is neither good nor bad, and never displayed as either. */
export type Tone = 'good' | 'warning' | 'danger' | 'unknown';

export interface Headline {
  readonly tone: Tone;
  readonly text: string;
}

const details: Readonly<Record<ConnectionDetail, string>> = {
  OK: 'the UPS answers',
  SERVER_DOWN: 'the NUT server cannot be reached',
  TIMEOUT: 'the NUT server does not answer in time',
  DRIVER_NOT_CONNECTED: 'the NUT driver is not connected to the UPS',
  DATA_STALE: 'the NUT server has only old data of the UPS',
  UNKNOWN_UPS: 'the NUT server knows no UPS of this name',
  ACCESS_DENIED: 'the NUT server refuses access',
  TLS_FAILED: 'the encrypted connection to the NUT server failed',
  PROTOCOL_ERROR: 'the NUT server sends an invalid answer',
  TOOL_MISSING: 'the program upsc is not installed',
  NEVER_POLLED: 'the first poll has not ended yet',
};

const flags: Readonly<Record<string, string>> = {
  OL: 'line power',
  OB: 'on battery',
  LB: 'battery low',
  HB: 'battery high',
  RB: 'replace the battery',
  CHRG: 'charging',
  DISCHRG: 'discharging',
  BYPASS: 'bypass, load unprotected',
  CAL: 'calibrating',
  OFF: 'output off',
  OVER: 'overloaded',
  TRIM: 'trimming high voltage',
  BOOST: 'boosting low voltage',
  FSD: 'forced shutdown',
  ALARM: 'alarm',
  TEST: 'self test',
  ECO: 'economy mode',
};

const triggerWords: ReadonlyMap<string, string> = new Map(triggers.map(({ name, words }) => [name, words]));

/** The measure of a trigger in words. */
export function triggerInWords(name: TriggerName): string {
  return triggerWords.get(name) ?? name;
}

/** What the daemon cannot notice on a UPS that does not report enough. */
export function unfedText(ups: string, names: readonly TriggerName[]): string {
  return `${ups} does not report what these triggers need, so they cannot fire: ${names.map(triggerInWords).join(', ')}`;
}

/** A text with its triggers in words. FSD stays: NUT calls it so. */
export function plainTriggers(text: string): string {
  return text.replaceAll(/\b[A-Z]+(?:_[A-Z]+)*\b/g, (word) =>
    word === 'FSD' ? word : (triggerWords.get(word) ?? word),
  );
}

/** The result of the last poll in words. */
export function detailInWords(detail: ConnectionDetail): string {
  return details[detail];
}

/** Each word of ups.status explained; an unknown word is returned as it is. */
export function flagsInWords(status: string): readonly string[] {
  return statusWords(status).map((word) => (Object.hasOwn(flags, word) ? flags[word] : undefined) ?? word);
}

/** The same without line power and battery, which the headline has, and with the text of an alarm. */
export function furtherFlagsInWords({
  status,
  alarm,
  contradiction,
  valuesInDoubt,
  staleWait,
  phases,
}: Pick<
  UpsRow,
  'status' | 'alarm' | 'contradiction' | 'valuesInDoubt' | 'staleWait' | 'phases'
>): readonly string[] {
  const words = statusWords(status).filter((word) => word !== 'OL' && word !== 'OB');
  const doubt = contradiction === '' ? [] : [contradiction];
  const explained = words.flatMap((word) =>
    word === 'ALARM' && alarm !== '' ? `alarm: ${alarm}` : flagsInWords(word),
  );
  const jumps = valuesInDoubt.map(
    ({ value, seconds }) =>
      `the ${value} has jumped: it counts once the device confirms it, after ${String(seconds)} s at the latest (value_hold)`,
  );
  const stale = staleWait === null ? [] : [staleInWords(staleWait)];
  const lost = lostPhases(phases);
  const missing =
    lost === '' ? [] : [`no mains voltage at ${lost} (PHASE_LOST): check its fuse and its supply`];
  return [...doubt, ...jumps, ...stale, ...missing, ...explained];
}

/** Beside the headline: that, or why the UPS cannot be read, with how long the shutdown waits for its driver. */
export function notesOf(row: UpsRow): string {
  const { connectionDetail, staleWait } = row;
  if (connectionDetail === 'OK') return furtherFlagsInWords(row).join(', ');
  return staleWait === null ? detailInWords(connectionDetail) : staleInWords(staleWait);
}

const staleInWords = (seconds: number): string =>
  `the driver of the NUT server has lost the UPS (DATA-STALE), and the battery was good: the shutdown starts ${String(seconds)} s after the last reading (failsafe_share)`;

/** The lost phases, "L1 and L2"; "" for none. */
function lostPhases(phases: UpsRow['phases']): string {
  return phases.flatMap(({ phase, lost }) => (lost ? [phase] : [])).join(' and ');
}

/** The input of a card: the voltage or those of the phases, lowest to highest, and what is wrong with it. */
export function inputInWords({ powerQuality, phases }: Pick<UpsRow, 'powerQuality' | 'phases'>): {
  readonly text: string;
  readonly wrong: string;
} {
  const { inputVoltage, voltageState } = powerQuality;
  const all = phases.flatMap((phase) => phase.inputVoltage ?? []);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const volts = (text: string) => `${text}${noBreakSpace}V`;
  const single = inputVoltage === '' ? 'unknown' : volts(inputVoltage);
  const lost = lostPhases(phases);
  return {
    text:
      all.length < 2
        ? single
        : low === high
          ? volts(String(low))
          : volts(`${String(low)} to ${String(high)}`),
    wrong: [
      voltageState === 'LOW' || voltageState === 'HIGH' ? `too ${voltageState.toLowerCase()}` : '',
      lost === '' ? '' : `${lost} lost`,
    ]
      .filter((words) => words !== '')
      .join(', '),
  };
}

/** The most important fact about a UPS. */
export function headlineOf(row: UpsRow): Headline {
  const words = statusWords(row.status);
  const has = (word: string): boolean => words.includes(word);
  switch (row.connectionState) {
    case 'UNKNOWN':
      return { tone: 'unknown', text: 'No data yet' };
    case 'FAILED':
      return {
        tone: 'danger',
        text: has('OB') ? 'Connection lost, last seen on battery' : 'Connection lost',
      };
    case 'GRACE_PERIOD':
      return { tone: 'warning', text: 'Connection lost, within the grace period' };
    case 'OK':
      break;
  }
  if (has('FSD')) return { tone: 'danger', text: 'Forced shutdown' };
  if (isUnknown(row)) return { tone: 'warning', text: 'Line power or battery: unknown' };
  if (has('OB'))
    return has('LB') ? { tone: 'danger', text: 'On battery, low' } : { tone: 'warning', text: 'On battery' };
  if (row.contradiction !== '') return { tone: 'danger', text: 'Line power in doubt' };
  if (has('OFF')) return { tone: 'danger', text: 'Output off' };
  if (has('OVER')) return { tone: 'danger', text: 'Overloaded' };
  if (has('BYPASS')) return { tone: 'warning', text: 'On bypass, unprotected' };
  if (has('OL') && row.phases.some(({ lost }) => lost))
    return { tone: 'warning', text: 'On line power, a phase is lost' };
  if (has('RB')) return { tone: 'warning', text: 'On line power, replace the battery' };
  if (has('OL') && has('ALARM')) return { tone: 'warning', text: 'On line power, alarm' };
  if (has('OL') && has('LB')) return { tone: 'warning', text: 'On line power, battery low' };
  if (has('OL')) return { tone: 'good', text: 'On line power' };
  return { tone: 'unknown', text: words.length === 0 ? 'No status' : 'State unclear' };
}

/**
 * The sentences of an explanation: what comes next, the sequence, and how long jumps are in doubt. Without its first line,
 * which repeats the state of the UPS, and without the indented lines of the triggers.
 */
export function forecastLines(text: string): readonly string[] {
  const [first = '', ...rest] = text.split('\n');
  const sentences = rest.filter((line) => line !== '' && !line.startsWith(' '));
  return sentences.length === 0 ? [first] : sentences;
}

/** True while the UPS feeds its load from the battery, or did at its last reading. */
export function onBattery(row: UpsRow): boolean {
  return statusWords(row.status).includes('OB') && !isUnknown(row);
}

/** OL with OB, and nothing shows yet that the battery gives (specification/policy.md#source-unknown). */
function isUnknown({ status, contradiction }: Pick<UpsRow, 'status' | 'contradiction'>): boolean {
  return contradiction !== '' && statusWords(status).includes('OB');
}

/** The label of a UPS or the name of a redundancy group; the id when it is no longer configured. */
export function labelOf(
  group: string,
  status: { readonly ups: readonly UpsRow[]; readonly redundancyGroups: readonly RedundancyRow[] } | null,
): string {
  return (
    status?.ups.find(({ groupId }) => groupId === group)?.label ??
    status?.redundancyGroups.find(({ groupId }) => groupId === group)?.name ??
    group
  );
}

/** All sequences of the model, its main one first. */
export function runsOf(sequence: SequenceModel): readonly SequenceRun[] {
  return 'group' in sequence ? [sequence, ...sequence.others] : [];
}

/** One that has ended without passing its point of no return (specification/sequence.md#cancelling). */
export function wasCancelled(run: SequenceRun): boolean {
  return !run.active && !run.pointOfNoReturn;
}

/** For the beginning of a sentence. */
export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A quantity with its unit, or the given word when it is missing: neither a missing nor a small value may look like zero. */
export function quantity(value: number | null, unit: string, missing = 'unknown'): string {
  if (value === null) return missing;
  const size = Math.abs(value);
  const scale = size >= 100 ? 1 : size >= 1 ? 10 : 1000;
  return `${String(Math.round(value * scale) / scale)}${noBreakSpace}${unit}`;
}

/** Energy that the UPS did not measure. */
export function estimatedText(powerFactor: number | null): string {
  return powerFactor === null ? 'estimated from the load' : `estimated, power factor ${String(powerFactor)}`;
}
