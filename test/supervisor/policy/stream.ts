// Inputs for policy, by hand or from fast-check: readings, settings, and a stepper that collects the effects.
import fc from 'fast-check';
import type { Reading } from '../../../shared/domain/ups/reading.js';
import type { Effect } from '../../../supervisor/policy/base/effects.js';
import type { Input, PolicySettings, PollOutcome } from '../../../supervisor/policy/base/inputs.js';
import type { PolicyState } from '../../../supervisor/policy/state/state.js';
import { initialState } from '../../../supervisor/policy/state/state.js';
import { emptyReading } from '../../simulation/empty-reading.js';
import { parseTranscript } from '../../transcript/parse.js';
import { soundStep } from '../../transcript/sound-step.js';

/** Settings written as the head of a transcript. */
export function settingsOf(text: string): PolicySettings {
  const { ups, groups } = parseTranscript(text);
  return { ups, redundancyGroups: groups, voltageHysteresisMs: 30_000 };
}

export function reading(words: string, values: Partial<Reading> = {}): PollOutcome {
  return {
    kind: 'reading',
    reading: {
      ...emptyReading,
      status: words.split(' ').filter((word) => word !== ''),
      ...values,
    },
    variables: {},
  };
}

/** A policy with a clock of its own. */
export class Stepper {
  state: PolicyState;
  readonly effects: Effect[] = [];
  nowMs: number;
  /** By how much the wall clock was set. */
  setSeconds = 0;
  readonly #settings: PolicySettings;

  constructor(settings: PolicySettings, state: PolicyState = initialState, nowMs = 1_000_000) {
    this.#settings = settings;
    this.state = state;
    this.nowMs = nowMs;
    if (state === initialState) this.configure(settings);
  }

  get at(): Input['at'] {
    return { monotonicMs: this.nowMs, unixSeconds: this.nowMs / 1000 + this.setSeconds };
  }

  get starts(): readonly string[] {
    return this.effects.flatMap((effect) => (effect.kind === 'startSequence' ? [effect.groupId] : []));
  }

  get events(): readonly string[] {
    return this.effects.flatMap((effect) =>
      effect.kind === 'recordEvent' ? [`${effect.source} ${effect.type}`] : [],
    );
  }

  configure(settings = this.#settings): readonly Effect[] {
    return this.input({ kind: 'configured', at: this.at, settings });
  }

  poll(groupId: string, outcome: PollOutcome): readonly Effect[] {
    return this.input({ kind: 'polled', at: this.at, groupId, outcome });
  }

  /** Ticks every 250 ms, as in the supervisor. */
  wait(ms: number): this {
    for (let passed = 0; passed < ms; passed += 250) {
      this.nowMs += 250;
      this.input({ kind: 'ticked', at: this.at });
    }
    return this;
  }

  polls(groupId: string, outcome: PollOutcome, count: number): this {
    for (let index = 0; index < count; index += 1) {
      this.wait(1_000);
      this.poll(groupId, outcome);
    }
    return this;
  }

  input(input: Input): readonly Effect[] {
    const { state, effects } = soundStep(this.state, input);
    this.state = state;
    this.effects.push(...effects);
    return effects;
  }
}

/** Any report of a UPS, false ones included. */
export const anyWords = fc.subarray(
  [
    'OL',
    'OB',
    'LB',
    'RB',
    'CHRG',
    'DISCHRG',
    'BYPASS',
    'CAL',
    'OFF',
    'OVER',
    'TRIM',
    'BOOST',
    'TEST',
    'WAIT',
    'X',
  ],
  { maxLength: 6 },
);

const maybe = (values: fc.Arbitrary<number>) => fc.option(values, { nil: null });

const anyValues: fc.Arbitrary<Partial<Reading>> = fc.record({
  chargePercent: maybe(fc.oneof(fc.constantFrom(0, 1, 19, 20, 21, 100), fc.integer({ min: 0, max: 100 }))),
  runtimeSeconds: maybe(fc.oneof(fc.constantFrom(0, 1, 599, 600), fc.integer({ min: 0, max: 90_000 }))),
  inputVolts: maybe(fc.integer({ min: 0, max: 600 })),
  nominalVolts: maybe(fc.constantFrom(0, 120, 230)),
});

export function anyReading(words: fc.Arbitrary<string[]>): fc.Arbitrary<PollOutcome> {
  return fc.tuple(words, anyValues).map(([some, values]) => reading(some.join(' '), values));
}

export const anyFailure: fc.Arbitrary<PollOutcome> = fc
  .constantFrom('SERVER_DOWN', 'TIMEOUT', 'DATA_STALE', 'DRIVER_NOT_CONNECTED')
  .map((detail) => ({ kind: 'failed', detail, message: detail }) as const);
