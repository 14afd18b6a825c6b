import { expect } from 'chai';
import { Resumption } from '../../../supervisor/engine/resumption.js';
import type { ResumptionDependencies, Unstamped } from '../../../supervisor/engine/resumption.js';
import { policyQueries } from '../../../supervisor/engine/policy-queries.js';
import { ReserveWatch } from '../../../supervisor/engine/reserve-watch.js';
import { Guard } from '../../../supervisor/guard/guard.js';
import { initialState } from '../../../supervisor/policy/state/state.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import { idleLog } from '../../fixtures/idle-parts.js';
import { reading, settingsOf, Stepper } from '../policy/stream.js';

describe('the resumption of sequences', () => {
  it('goes by the record alone where policy cannot say what it knows', () => {
    const posted: Unstamped[] = [];
    const cause = { trigger: 'LOW_BATTERY', why: 'charge 9 %', firedAtUnixSeconds: 50 } as const;
    const open = [{ group: 'office', cause }];
    const resumption = new Resumption({
      guard: new Guard(idleLog),
      clock: new FakeTime(),
      journal: { open, of: () => undefined, groups: [] },
      sequences: { decide: () => undefined, resumePowerOff: () => undefined },
      standby: { firedAt: () => undefined, isUnknownToPolicy: () => false, unknown: () => [] },
      state: () => {
        throw new Error('policy cannot say');
      },
      post: (input: Unstamped) => void posted.push(input),
    } as unknown as ResumptionDependencies);
    resumption.recover(-Infinity);
    expect(resumption.has('office')).to.equal(true);
    const request = { trigger: 'LOW_BATTERY', why: 'charge 9 %' };
    expect(posted).to.deep.equal([
      { kind: 'openSequenceFound', groupId: 'office', request, sinceUnixSeconds: 50 },
    ]);
  });

  for (const place of ['groups', 'decide', 'unknown'] as const)
    it(`goes on with what it knows, and with the power-off, when ${place} throws`, () => {
      const fails = (): never => {
        throw new Error(place);
      };
      const at = (name: typeof place, answer: () => unknown) => (name === place ? fails : answer);
      const cause = { trigger: 'LOW_BATTERY', why: '', firedAtUnixSeconds: 50 } as const;
      let isResumed = false;
      const resumption = new Resumption({
        guard: new Guard(idleLog),
        clock: new FakeTime(),
        journal: {
          open: [{ group: 'office', cause }],
          of: () => undefined,
          get groups() {
            return at('groups', () => [])();
          },
        },
        sequences: {
          decide: at('decide', () => undefined),
          resumePowerOff: () => (isResumed = true),
        },
        standby: {
          firedAt: () => undefined,
          isUnknownToPolicy: () => false,
          unknown: at('unknown', () => []),
        },
        state: fails,
        post: () => undefined,
      } as unknown as ResumptionDependencies);
      resumption.recover(-Infinity);
      expect(resumption.has('office')).to.equal(true);
      expect(isResumed).to.equal(true);
    });

  it('tells policy of an end, and the operator, also when the sequence cannot be dropped', () => {
    const [events, over]: [string[], string[]] = [[], []];
    const cause = { trigger: 'LOW_BATTERY', why: '', firedAtUnixSeconds: 50 } as const;
    const resumption = new Resumption({
      guard: new Guard(idleLog),
      clock: new FakeTime(),
      journal: { open: [{ group: 'office', cause }], of: () => undefined, groups: [] },
      sequences: {
        decide: () => undefined,
        resumePowerOff: () => undefined,
        drop: () => {
          throw new Error('no drop');
        },
      },
      standby: { firedAt: () => undefined, isUnknownToPolicy: () => false, unknown: () => [] },
      state: () => {
        throw new Error('policy cannot say');
      },
      post: () => undefined,
      queries: { isSeen: () => true, powerIsBack: () => true },
      observer: { record: ({ type }: { readonly type: string }) => void events.push(type) },
      ended: (group: string) => void over.push(group),
    } as unknown as ResumptionDependencies);
    resumption.recover(-Infinity);
    resumption.settle();
    expect(events).to.deep.equal(['SHUTDOWN_CANCELLED']);
    expect(over).to.deep.equal(['office']);
  });

  it('needs the record of a sequence until policy knows its end', () => {
    const known = new Map([['office', 50]]);
    const standby = { answersFor: () => false, firedAt: (group: string) => known.get(group) };
    const answers = { ...standby, watch: new ReserveWatch() };
    const { isPast } = policyQueries(new Guard(idleLog), () => initialState, answers, 0);
    expect(isPast('office')).to.equal(false);
    known.clear();
    expect(isPast('office')).to.equal(true);
    const stepper = new Stepper(settingsOf('ups a delay=0s')).polls('a', reading('OB FSD'), 2);
    const fired = policyQueries(new Guard(idleLog), () => stepper.state, answers, 0);
    expect(stepper.polls('a', reading('OL'), 3).state.ups[0]?.shutdown.kind).to.equal('fired');
    expect([fired.isOutageOver('a'), fired.isPast('a')]).to.deep.equal([true, false]);
  });
});
