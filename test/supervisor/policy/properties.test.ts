import { expect } from 'chai';
import fc from 'fast-check';
import type { Effect } from '../../../supervisor/policy/base/effects.js';
import type { PollOutcome } from '../../../supervisor/policy/base/inputs.js';
import { restored, snapshotOf } from '../../../supervisor/policy/snapshot.js';
import type { PolicyState } from '../../../supervisor/policy/state/state.js';
import { soundStep } from '../../transcript/sound-step.js';
import { anyFailure, anyReading, anyWords, reading, settingsOf, Stepper } from './stream.js';

type Move =
  | { readonly kind: 'poll'; readonly ups: string; readonly outcome: PollOutcome; readonly times: number }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'stall'; readonly ms: number }
  | { readonly kind: 'restart'; readonly ms: number }
  | { readonly kind: 'ended'; readonly group: string }
  | { readonly kind: 'tested'; readonly ups: string; readonly running: boolean };

const twoFeeds = settingsOf(`
  ups a delay=3s threshold=20s low=50
  ups b delay=0s confirmations=1 failsafe=5s
  ups c low=60 grace=off
  group rack members=b,c
  group pair members=c,b min=2 degraded=critical`);

const groups = ['a', 'redundancy-rack', 'redundancy-pair'];

function moves(outcome: fc.Arbitrary<PollOutcome>): fc.Arbitrary<Move[]> {
  const ups = fc.constantFrom('a', 'b', 'c');
  const poll = fc.record({
    kind: fc.constant('poll' as const),
    ups,
    outcome,
    times: fc.integer({ min: 1, max: 4 }),
  });
  const wait = fc.record({
    kind: fc.constantFrom('wait' as const),
    ms: fc.constantFrom(250, 1_000, 6_000, 20_000),
  });
  const jump = fc.record({
    kind: fc.constantFrom('stall' as const, 'restart' as const),
    ms: fc.constantFrom(0, 3_000, 3_600_000),
  });
  const ended = fc.record({ kind: fc.constant('ended' as const), group: fc.constantFrom(...groups) });
  const tested = fc.record({ kind: fc.constant('tested' as const), ups, running: fc.boolean() });
  return fc.array(
    fc.oneof(
      { weight: 12, arbitrary: poll },
      { weight: 4, arbitrary: wait },
      { weight: 1, arbitrary: jump },
      { weight: 1, arbitrary: ended },
      { weight: 1, arbitrary: tested },
    ),
    { maxLength: 60 },
  );
}

function play(stepper: Stepper, move: Move): void {
  switch (move.kind) {
    case 'poll':
      stepper.polls(move.ups, move.outcome, move.times);
      return;
    case 'wait':
      stepper.wait(move.ms);
      return;
    case 'stall':
      stepper.nowMs += move.ms;
      return;
    case 'restart':
      stepper.nowMs += move.ms;
      stepper.state = restart(stepper.state, stepper);
      return;
    case 'ended':
      stepper.input({ kind: 'sequenceEnded', at: stepper.at, groupId: move.group, cancelled: false });
      return;
    case 'tested':
      stepper.input({ kind: 'tested', at: stepper.at, groupId: move.ups, running: move.running });
  }
}

function restart(state: PolicyState, { at }: Stepper): PolicyState {
  const back = restored(JSON.parse(JSON.stringify(snapshotOf(state))), state.settings, at);
  if (!back.ok) throw new Error(JSON.stringify(back.problems));
  return back.value;
}

const anything = anyReading(anyWords);
const withFsd = anyReading(anyWords.map((words) => ['FSD', ...words]));
const anyOutcome = fc.oneof(
  { weight: 6, arbitrary: anything },
  { weight: 3, arbitrary: anyFailure },
  { weight: 1, arbitrary: withFsd },
);
const onMains = anyReading(
  anyWords.map((words) => [...words.filter((word) => word !== 'OB' && word !== 'OFF'), 'OL']),
);

function isFine(outcome: PollOutcome): boolean {
  if (outcome.kind === 'failed') return false;
  const { status } = outcome.reading;
  return (
    status.includes('OL') && !status.includes('OB') && !status.includes('FSD') && !status.includes('WAIT')
  );
}

/** Everything but what is only displayed: a restart drops the raw variables. */
function decisions(effects: readonly Effect[]): readonly Effect[] {
  return effects.filter(({ kind }) => kind !== 'publish' && kind !== 'saveSnapshot');
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}

describe('policy under random inputs', () => {
  // Some of these try hundreds of runs; a busy machine needs longer.

  it('starts nothing while every status has OL and none has OB, OFF or FSD', () => {
    fc.assert(
      fc.property(moves(fc.oneof(onMains, onMains, anyFailure)), (course) => {
        const stepper = new Stepper(twoFeeds);
        for (const move of course) play(stepper, move);
        expect(stepper.starts).to.deep.equal([]);
      }),
    );
  });

  it('starts one sequence per outage: another only after a confirmed end of both the outage and the sequence', () => {
    const check = (course: readonly Move[]): readonly string[] => {
      const stepper = new Stepper(twoFeeds);
      const open = new Set<string>();
      let isBack = true;
      for (const move of course) {
        const before = stepper.starts.length;
        play(stepper, move);
        // One good reading without FSD ends an FSD without OB: the shortest possible end.
        if (move.kind === 'poll' && move.ups === 'a' && isFine(move.outcome)) isBack = true;
        if (move.kind === 'ended') open.delete(move.group);
        for (const group of stepper.starts.slice(before)) {
          expect(open.has(group), `${group} started twice in one sequence`).to.equal(false);
          expect(group !== 'a' || isBack, 'a second sequence in one outage').to.equal(true);
          open.add(group);
          if (group === 'a') isBack = false;
        }
      }
      return stepper.starts;
    };
    fc.assert(fc.property(moves(anyOutcome), (course) => void check(course)));
    // How many sequences random courses start is chance: these have a seed.
    const courses = fc.sample(moves(anyOutcome), { seed: 1, numRuns: 100 });
    expect(courses.flatMap(check), 'sequences in all courses').to.have.length.above(5);
  });

  it('decides the same after a restart at any point', () => {
    fc.assert(
      fc.property(moves(anyOutcome), fc.nat(60), (course, cut) => {
        const stepper = new Stepper(twoFeeds);
        for (const move of course.slice(0, cut)) play(stepper, move);
        // A stall right before the restart counts as a second of watched time for the first daemon and as none for the
        // next: their clocks agree from here on.
        stepper.input({ kind: 'ticked', at: stepper.at });
        const again = new Stepper(twoFeeds, restart(stepper.state, stepper), stepper.nowMs);
        stepper.effects.length = 0;
        for (const move of course.slice(cut)) {
          play(stepper, move);
          play(again, move);
        }
        expect(decisions(again.effects)).to.deep.equal(decisions(stepper.effects));
      }),
    );
  });

  it('does not modify the state it is given, and never throws', () => {
    fc.assert(
      fc.property(moves(anyOutcome), (course) => {
        const stepper = new Stepper(twoFeeds);
        for (const move of course) {
          deepFreeze(stepper.state);
          play(stepper, move);
        }
      }),
    );
  });

  it('starts no shutdown by one bad reading on line power or in a healthy outage', () => {
    const feeds = settingsOf(`
      ups a interval=5s extended=off
      ups b interval=5s extended=off
      ups c extended=off
      group pair members=a,b min=2 degraded=healthy`);
    const calm = fc.constantFrom(
      reading('OL', { chargePercent: 90, runtimeSeconds: 3_000 }),
      reading('OB', { chargePercent: 80, runtimeSeconds: 3_000 }),
    );
    fc.assert(
      fc.property(calm, anyReading(anyWords), fc.integer({ min: 0, max: 45 }), (normal, bad, place) => {
        const stepper = new Stepper(feeds);
        for (let poll = 0; poll < 60; poll += 1) {
          stepper.wait(5_000);
          stepper.poll('a', poll === place ? bad : normal);
          stepper.poll('b', normal);
          stepper.poll('c', poll === place ? bad : normal);
        }
        expect(stepper.starts).to.deep.equal([]);
      }),
      // Five times as many: few of the random bad readings are relevant.
      { numRuns: 5 * (fc.readConfigureGlobal().numRuns ?? 100) },
    );
  });

  it('starts no shutdown by a jump of the clock, forward or back, on battery', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 100_000_000 }), (jumpMs) => {
        const stepper = new Stepper(settingsOf('ups a extended=off'));
        const normal = reading('OB', { chargePercent: 80, runtimeSeconds: 3_000 });
        stepper.polls('a', normal, 60);
        stepper.nowMs += jumpMs;
        stepper.input({ kind: 'ticked', at: stepper.at });
        stepper.polls('a', normal, 60);
        expect(stepper.starts).to.deep.equal([]);
      }),
    );
  });

  it('does not advance while the clock stands still, and continues with it', () => {
    const stepper = new Stepper(settingsOf('ups a'));
    const low = reading('OB LB', { chargePercent: 5, runtimeSeconds: 10 });
    for (let poll = 0; poll < 100; poll += 1) stepper.poll('a', low);
    expect(stepper.starts).to.deep.equal([]);
    stepper.wait(5_000).poll('a', low);
    expect(stepper.starts).to.deep.equal(['a']);
  });

  it('advances only its clock for an unknown UPS or group', () => {
    const stepper = new Stepper(settingsOf('ups a'));
    const before = stepper.state;
    const { state, effects } = soundStep(before, {
      kind: 'polled',
      at: stepper.at,
      groupId: 'x',
      outcome: reading('OB'),
    });
    expect(state.ups).to.equal(before.ups);
    expect(effects).to.deep.equal([]);
    expect(
      soundStep(before, { kind: 'sequenceEnded', at: stepper.at, groupId: 'x', cancelled: false }).state.ups,
    ).to.equal(before.ups);
  });
});
