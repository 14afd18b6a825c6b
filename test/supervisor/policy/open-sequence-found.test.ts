import { expect } from 'chai';
import { reading, settingsOf, Stepper } from './stream.js';

const request = { trigger: 'LOW_BATTERY', why: 'charge 5 %' } as const;
const low = reading('OB', { chargePercent: 5, runtimeSeconds: 60 });

describe('an open sequence that policy does not know', () => {
  const found = (stepper: Stepper) =>
    stepper.input({ kind: 'openSequenceFound', at: stepper.at, groupId: 'a', request, sinceUnixSeconds: 1 });

  it('is the only sequence of this outage', () => {
    const stepper = new Stepper(settingsOf('ups a delay=0s'));
    found(stepper);
    expect(stepper.state.ups[0]?.shutdown).to.deep.equal({
      kind: 'fired',
      ...request,
      sinceUnixSeconds: 1,
      outageOver: false,
      sequenceOver: false,
    });
    stepper.polls('a', low, 10);
    expect(stepper.starts).to.deep.equal([]);
  });

  it('changes nothing for a group that has a sequence', () => {
    const stepper = new Stepper(settingsOf('ups a delay=0s'));
    stepper.polls('a', low, 10);
    expect(stepper.starts).to.deep.equal(['a']);
    const { ups } = stepper.state;
    found(stepper);
    expect(stepper.state.ups[0]?.shutdown).to.equal(ups[0]?.shutdown);
  });

  it('replaces a sequence that has ended: a journal is newer than the snapshot', () => {
    const stepper = new Stepper(settingsOf('ups a delay=0s'));
    stepper.polls('a', low, 10);
    stepper.input({ kind: 'sequenceEnded', at: stepper.at, groupId: 'a', cancelled: false });
    found(stepper);
    expect(stepper.state.ups[0]?.shutdown).to.include({ sinceUnixSeconds: 1, sequenceOver: false });
  });

  it('is not cancelled by an earlier reading of line power in a redundancy group', () => {
    const stepper = new Stepper(
      settingsOf('ups a\nups b\nups c\ngroup rack members=a,b unknown=healthy\ngroup lab members=b,c'),
    );
    const calm = reading('OL', { chargePercent: 100 });
    for (const name of ['a', 'b', 'c']) stepper.polls(name, calm, 2);
    const group = 'redundancy-rack';
    const cause = { trigger: 'QUORUM_LOST', why: 'both critical' } as const;
    stepper.input({
      kind: 'openSequenceFound',
      at: stepper.at,
      groupId: group,
      request: cause,
      sinceUnixSeconds: 1,
    });
    expect(stepper.state.groups.map(({ quorum, shutdown }) => [quorum.kind, shutdown.kind])).to.deep.equal([
      ['lost', 'fired'],
      ['held', 'armed'],
    ]);
    stepper.wait(5_000);
    const returned = () => stepper.effects.filter(({ kind }) => kind === 'powerReturned');
    expect(returned()).to.deep.equal([]);
    expect(stepper.state.ups.map(({ readings }) => readings.last === null)).to.deep.equal([
      true,
      true,
      false,
    ]);
    stepper.polls('a', calm, 1).wait(1_000);
    expect(returned()).to.deep.equal([{ kind: 'powerReturned', groupId: group }]);
  });

  it('shows at once that its redundancy group has lost the quorum', () => {
    const stepper = new Stepper(settingsOf('ups a\nups b\ngroup rack members=a,b'));
    for (const name of ['a', 'b']) stepper.polls(name, reading('OL'), 2);
    const groupId = 'redundancy-rack';
    const effects = stepper.input({
      kind: 'openSequenceFound',
      at: stepper.at,
      groupId,
      request,
      sinceUnixSeconds: 1,
    });
    expect(stepper.state.groups[0]?.row.quorumLost).to.equal(true);
    expect(effects).to.deep.include({ kind: 'publish', groupId });
  });

  it('changes nothing for a group that is not configured', () => {
    const stepper = new Stepper(settingsOf('ups a'));
    const { ups } = stepper.state;
    stepper.input({ kind: 'openSequenceFound', at: stepper.at, groupId: 'x', request, sinceUnixSeconds: 1 });
    expect(stepper.state.ups).to.deep.equal(ups);
  });
});
