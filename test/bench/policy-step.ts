// The time of one policy step, with one UPS and with a thousand: a reading on line power, one on battery with a full
// depletion window, and a tick. Goal: 5 microseconds at the median, 20 at p99.
import type { Reading } from '../../shared/domain/ups/reading.js';
import type { Input, PolicySettings } from '../../supervisor/policy/base/inputs.js';
import type { PolicyState } from '../../supervisor/policy/state/state.js';
import { initialState } from '../../supervisor/policy/state/state.js';
import { step } from '../../supervisor/policy/step.js';
import { parseTranscript } from '../transcript/parse.js';
import type { Figure } from './table.js';
import { spread } from './table.js';

/** Simulated seconds before the measurement: more than the depletion window of 300 s, so that it is full. */
const warmSeconds = 400;
/** Number of measured readings, all of one UPS. */
const samples = 20_000;

export function policyStepBench(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const count of [1, 1000]) {
    const settings = settingsFor(count);
    const names = `${String(count)} UPS${count === 1 ? '' : 'es'}`;
    figures.push(measured(`reading on line power, ${names}`, settings, ['OL'], 'polled'));
    figures.push(measured(`reading on battery, ${names}`, settings, ['OB', 'DISCHRG'], 'polled'));
    figures.push(measured(`tick, ${names}`, settings, ['OB', 'DISCHRG'], 'ticked'));
  }
  return Promise.resolve(figures);
}

function settingsFor(count: number): PolicySettings {
  const lines = Array.from({ length: count }, (_, index) => `ups u${String(index)} extended=off rate=1000`);
  return { ups: parseTranscript(lines.join('\n')).ups, redundancyGroups: [], voltageHysteresisMs: 30_000 };
}

function measured(
  name: string,
  settings: PolicySettings,
  words: readonly string[],
  kind: 'polled' | 'ticked',
): Figure {
  let nowMs = 1_000_000;
  let state: PolicyState = initialState;
  const at = () => ({ monotonicMs: nowMs, unixSeconds: 1_700_000_000 + nowMs / 1000 });
  const apply = (input: Input) => {
    ({ state } = step(state, input));
  };
  const poll = (index: number): Input => {
    const reading = readingOf(words, nowMs);
    const variables = { 'ups.status': words.join(' ') };
    const groupId = settings.ups[index]?.groupId ?? '';
    return { kind: 'polled', at: at(), groupId, outcome: { kind: 'reading', reading, variables } };
  };
  apply({ kind: 'configured', at: at(), settings });
  for (let second = 0; second < warmSeconds; second += 1) {
    nowMs += 1_000;
    // All UPSes have readings; the first one, which is measured, has one every second.
    const all = second % 60 === 0;
    for (let index = 0; index < (all ? settings.ups.length : 1); index += 1) apply(poll(index));
  }
  const microseconds: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    nowMs += kind === 'polled' ? 1_000 : 1;
    const input: Input = kind === 'polled' ? poll(0) : { kind: 'ticked', at: at() };
    const before = process.hrtime.bigint();
    apply(input);
    microseconds.push(Number(process.hrtime.bigint() - before) / 1000);
  }
  const value = spread(microseconds, 'µs', 2);
  return kind === 'polled' ? { what: name, value, against: 'goal: p50 5, p99 20 µs' } : { what: name, value };
}

function readingOf(words: readonly string[], nowMs: number): Reading {
  return {
    status: words,
    chargePercent: 50 + Math.floor((nowMs / 1000) % 40),
    runtimeSeconds: 3000 + ((nowMs / 1000) % 7),
    loadPercent: 23,
    inputVolts: 230,
    outputVolts: 230,
    batteryVolts: 27,
    inputHertz: 50,
    outputHertz: 50,
    temperatureCelsius: 25,
    nominalVolts: 230,
    realPowerWatts: 300,
  };
}
