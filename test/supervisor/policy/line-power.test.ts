// Without `trust = "charge"` nothing but FSD shuts anything down on line power.
import { expect } from 'chai';
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Effect } from '../../../supervisor/policy/base/effects.js';
import type { Input } from '../../../supervisor/policy/base/inputs.js';
import { parseTranscript } from '../../transcript/parse.js';
import { TranscriptRun } from '../../transcript/run.js';
import { anyFailure, reading, settingsOf, Stepper } from './stream.js';

const folder = join(import.meta.dirname, '../../../../test/scenarios');

/** What a UPS said last that names a source, or FSD, at each of its readings. */
interface SeenStatus {
  readonly atMs: number;
  readonly ups: string;
  readonly onLine: boolean;
}

function statusesOf(inputs: readonly Input[]): readonly SeenStatus[] {
  const startMs = inputs[0]?.at.monotonicMs ?? 0;
  return inputs.flatMap((input) => {
    if (input.kind !== 'polled' || input.outcome.kind !== 'reading') return [];
    const { status } = input.outcome.reading;
    const isNamed = status.includes('OL') || status.includes('OB') || status.includes('OFF');
    if (!isNamed) return [];
    const onLine = status.includes('OL') && !['OB', 'FSD', 'OFF'].some((word) => status.includes(word));
    return [{ atMs: input.at.monotonicMs - startMs, ups: input.groupId, onLine }];
  });
}

describe('line power', () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.txt'))) {
    const text = readFileSync(join(folder, file), 'utf8');
    if (text.includes('trust=charge')) continue;
    it(`shuts nothing down in ${file.replace('.txt', '').replaceAll('-', ' ')}`, () => {
      const inputs: Input[] = [];
      const transcript = parseTranscript(text);
      const { happened } = new TranscriptRun(transcript, (input) => inputs.push(input));
      const statuses = statusesOf(inputs);
      // An outage ends with two readings in a row.
      const isOnLine = (ups: string, atMs: number): boolean => {
        const last = statuses.filter((one) => one.ups === ups && one.atMs <= atMs).slice(-2);
        return last.length > 0 && last.every(({ onLine }) => onLine);
      };
      for (const { atMs, effect } of happened) {
        if (effect.kind !== 'startSequence') continue;
        const members = transcript.groups.find(({ groupId }) => groupId === effect.groupId)?.members ?? [
          effect.groupId,
        ];
        expect(
          members.every((ups) => isOnLine(ups, atMs)),
          `${effect.groupId} ${effect.trigger}`,
        ).to.equal(false);
      }
    });
  }

  const number = (max: number) => fc.oneof(fc.constant(null), fc.integer({ min: 0, max }));
  const words = fc.subarray(['LB', 'RB', 'CHRG', 'DISCHRG', 'OVER', 'ALARM', 'TEST', 'CAL', 'BOOST', 'ODD']);
  const onLine = fc
    .record({ words, charge: number(100), runtime: number(3_600), volts: number(250) })
    .map(({ words: more, charge, runtime, volts }) =>
      reading(['OL', ...more].join(' '), {
        chargePercent: charge,
        runtimeSeconds: runtime,
        inputVolts: volts,
      }),
    );

  it('shuts nothing down, whatever else the readings say and however polls fail', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.oneof(onLine, onLine, anyFailure), fc.nat({ max: 90 })), { maxLength: 40 }),
        (polls) => {
          const stepper = new Stepper(settingsOf('ups a confirmations=1 delay=0s'));
          for (const [outcome, times] of polls) stepper.polls('a', outcome, times);
          const started = stepper.effects.filter((effect: Effect) => effect.kind === 'startSequence');
          expect(started).to.deep.equal([]);
        },
      ),
      { numRuns: 60 },
    );
  });
});
