import { expect } from 'chai';
import { SimulatedJournals } from '../../simulation/journals.js';
import type { Decision } from '../../../supervisor/sequence/journal/record.js';
import { SequenceRecord } from '../../../supervisor/sequence/journal/record.js';
import { findUnfinished, OpenSequences } from '../../../supervisor/sequence/open-sequences.js';
import { reading, settingsOf, Stepper } from '../policy/stream.js';
import { planOf } from './several.js';
import { isSeenOnBattery, powerIsBack } from '../../../supervisor/policy/decision/power.js';
import type { PolicyState } from '../../../supervisor/policy/state/state.js';

const cause = { trigger: 'LOW_BATTERY', why: 'charge 5 %', firedAtUnixSeconds: 1 } as const;
const moment = { atMs: 2, unixSeconds: 2 };
const decided = (group: string): Decision => ({
  kind: 'decided',
  ...{ group, cause, plan: planOf(group, [], true), ...moment },
});

/** Policy that waits for the end of the sequences of `groups`. */
function waitsFor(...groups: readonly string[]): Stepper {
  const stepper = new Stepper(settingsOf('ups a\nups b\nups c'));
  const { firedAtUnixSeconds: sinceUnixSeconds, ...request } = cause;
  for (const group of groups)
    stepper.input({ kind: 'openSequenceFound', at: stepper.at, groupId: group, request, sinceUnixSeconds });
  return stepper;
}

const powerOf = (state: PolicyState) => ({
  powerIsBack: (group: string) => powerIsBack(state, group),
  isSeenOnBattery: (group: string) => isSeenOnBattery(state, group, 0),
});

describe('the sequences that a daemon finds unfinished', () => {
  let record: SequenceRecord;
  beforeEach(() => {
    record = new SequenceRecord(new SimulatedJournals(() => 'kept'));
  });
  const decide = (...groups: readonly string[]) => record.decide(groups.map(decided), () => true);
  const namesOf = (list: readonly { readonly group: string }[]) => list.map(({ group }) => group);

  it('are unknown to policy where the record alone has them, also beside others that both know', () => {
    decide('a', 'b');
    const { fired, undecided, unknownToPolicy } = findUnfinished(record, waitsFor('a').state);
    expect([fired, undecided, unknownToPolicy].map(namesOf)).to.deep.equal([['a'], [], ['b']]);
  });

  it('are undecided where policy alone has them', () => {
    decide('a');
    const { fired, undecided, unknownToPolicy } = findUnfinished(record, waitsFor('a', 'b').state);
    expect([fired, undecided, unknownToPolicy].map(namesOf)).to.deep.equal([['a', 'b'], ['b'], []]);
  });

  it('have ended where the record has the end: by themselves, or cancelled', () => {
    decide('a', 'b', 'c');
    record.write({ kind: 'over', group: 'a', cancelled: 'power is back', ...moment });
    record.write({ kind: 'over', group: 'b', cancelled: null, ...moment });
    const { fired, over } = findUnfinished(record, waitsFor('a', 'b', 'c').state);
    expect(namesOf(fired)).to.deep.equal(['c']);
    expect(over.map(({ group, cancelled }) => [group, cancelled])).to.deep.equal([
      ['a', true],
      ['b', false],
    ]);
  });

  it('are of another outage when the decision was for another, unless it is newer than the snapshot', () => {
    record.decide([{ ...decided('a'), cause: { ...cause, firedAtUnixSeconds: 9 } }], () => true);
    const { state } = waitsFor('a');
    expect(namesOf(findUnfinished(record, state).undecided)).to.deep.equal(['a']);
    const found = findUnfinished(record, state, moment.atMs - 1);
    expect([found.fired, found.undecided].map(namesOf)).to.deep.equal([[], []]);
    expect(namesOf(found.over), 'the one of policy').to.deep.equal(['a']);
    expect(found.unknownToPolicy[0]?.cause.firedAtUnixSeconds).to.equal(9);
    record.write({ kind: 'over', group: 'a', cancelled: 'power is back', ...moment });
    const { over, unknownToPolicy } = findUnfinished(record, state, moment.atMs - 1);
    expect([over, unknownToPolicy].map(namesOf)).to.deep.equal([['a'], []]);
    expect(over[0]?.cancelled).to.equal(true);
  });

  it('are those of the reserve, where policy has decided the same later', () => {
    record.decide([{ ...decided('a'), cause: { ...cause, firedAtUnixSeconds: 9 } }], () => true);
    const { state } = waitsFor('a');
    const { fired, undecided } = findUnfinished(record, state, Infinity, () => 9);
    expect([fired, undecided].map(namesOf)).to.deep.equal([['a'], []]);
    expect(fired[0]?.cause.firedAtUnixSeconds).to.equal(9);
    record.write({ kind: 'over', group: 'a', cancelled: null, ...moment });
    const [over] = findUnfinished(record, state, Infinity, () => 9).over;
    expect(over).to.include({ group: 'a', cancelled: false });
  });

  it('wait for a reading, for 15 s at most', () => {
    decide('a');
    const { state } = waitsFor('a');
    const open = new OpenSequences(record, 0);
    expect(open.any).to.equal(false);
    open.add({ group: 'a', cause });
    expect([open.any, open.has('a')]).to.deep.equal([true, true]);
    expect(open.settle(powerOf(state), 14_999)).to.deep.equal({ run: [], drop: [] });
    expect(open.settle(powerOf(state), 15_000)).to.deep.equal({ run: [{ group: 'a', cause }], drop: [] });
    expect(open.any).to.equal(false);
  });

  it('are dropped by a reading on line power, unless one is past its point of no return', () => {
    decide('a', 'b');
    record.write({ kind: 'stepBegan', group: 'b', step: 'local_poweroff/host', ...moment });
    const stepper = waitsFor('a', 'b');
    const open = new OpenSequences(record, stepper.at.monotonicMs);
    for (const group of ['a', 'b']) open.add({ group, cause });
    for (const name of ['a', 'b']) stepper.polls(name, reading('OL', { chargePercent: 100 }), 5);
    const { run, drop } = open.settle(powerOf(stepper.state), stepper.at.monotonicMs);
    expect([run, drop].map(namesOf)).to.deep.equal([['b'], ['a']]);
  });
});
