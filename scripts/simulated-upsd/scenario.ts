// A scenario is data: what happens to a UPS, and when, in seconds of the UPS. Reads them from text, too.
import type { BatteryChange, Surroundings } from './ups-model.js';

/** A moment in a scenario. Fields left out stay as they are. */
export interface Happening extends Partial<Surroundings>, BatteryChange {
  readonly atSeconds: number;
  /** For the newcomer who watches: what happens, in a few words. */
  readonly says: string;
  readonly command?: string;
  /** Whether the FSD flag is set or taken away, as by another primary or a restart of upsd. */
  readonly fsd?: boolean;
  readonly link?: DriverLink;
}

/** How upsd stands with the driver: fresh data, a silent driver, no driver. */
export type DriverLink = 'ok' | 'stale' | 'gone';

export interface Scenario {
  readonly title: string;
  readonly sentence: string;
  /** After this many seconds it starts again. */
  readonly lengthSeconds: number;
  /** By time. The first is at 0 and brings the UPS to a known state. */
  readonly happenings: readonly Happening[];
}

const numbers = [
  'mainsVolts',
  'mainsHertz',
  'loadPercent',
  'temperatureCelsius',
  'chargePercent',
  'batteryHealthPercent',
] as const;
const switches = ['bypass', 'replaceBattery', 'fsd'] as const;
const maxLines = 1000;

/**
 * Reads a scenario from text:
 *
 *     title Outage
 *     sentence The power fails and comes back.
 *     length 600
 *     at 0 mainsVolts=230 "All is well"
 *     at 60 mainsVolts=0 "The power fails"
 *
 * Throws an Error naming the line when it is not a scenario.
 */
export function parseScenario(text: string): Scenario {
  let [title, sentence, lengthSeconds] = ['', '', 0];
  const happenings: Happening[] = [];
  for (const [index, whole] of text.split('\n').slice(0, maxLines).entries()) {
    const line = whole.trim();
    const wrong = (why: string): Error =>
      new Error(`line ${String(index + 1)}: ${why}: ${line.slice(0, 80)}`);
    const [verb = '', rest = ''] = [line.split(/\s/, 1)[0], line.slice(line.search(/\s/) + 1).trim()];
    if (line === '' || line.startsWith('#')) continue;
    else if (verb === 'title') title = rest;
    else if (verb === 'sentence') sentence = rest;
    else if (verb === 'length') lengthSeconds = quantity(rest, wrong);
    else if (verb === 'at') happenings.push(happeningOf(rest, wrong));
    else throw wrong('expected title, sentence, length or at');
  }
  const inOrder = happenings.every(
    (next, index) => next.atSeconds >= (happenings[index - 1]?.atSeconds ?? 0),
  );
  if (happenings[0]?.atSeconds !== 0 || !inOrder)
    throw new Error('a scenario begins "at 0" and its lines go by time');
  if (lengthSeconds <= (happenings.at(-1)?.atSeconds ?? 0))
    throw new Error('"length" is missing or ends before the last line');
  return { title, sentence, lengthSeconds, happenings };
}

type Wrong = (why: string) => Error;

function happeningOf(rest: string, wrong: Wrong): Happening {
  const match = /^(\S+)\s+(.*?)\s*"([^"]*)"$/.exec(rest);
  if (match === null) throw wrong('expected: at SECONDS name=value ... "what happens"');
  const fields: Record<string, unknown> = {
    atSeconds: quantity(match[1] ?? '', wrong),
    says: match[3] ?? '',
  };
  for (const word of (match[2] ?? '').split(/\s+/).filter((each) => each !== '')) {
    const [name = '', value = ''] = word.split('=', 2);
    if ((numbers as readonly string[]).includes(name)) fields[name] = quantity(value, wrong);
    else if ((switches as readonly string[]).includes(name)) fields[name] = switchOf(value, wrong);
    else if (name === 'command') fields[name] = value;
    else if (name === 'link' && ['ok', 'stale', 'gone'].includes(value)) fields[name] = value;
    else throw wrong(`no such setting "${word.slice(0, 40)}"`);
  }
  return fields as unknown as Happening;
}

function quantity(text: string, wrong: Wrong): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= 1e6)) throw wrong(`expected a number, found "${text.slice(0, 40)}"`);
  return value;
}

function switchOf(text: string, wrong: Wrong): boolean {
  if (text !== 'true' && text !== 'false')
    throw wrong(`expected true or false, found "${text.slice(0, 40)}"`);
  return text === 'true';
}
