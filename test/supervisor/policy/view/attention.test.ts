// When ticks may be rare: only while no UPS and no group has anything that a tick decides.
import { expect } from 'chai';
import { isQuiet, isQuietAt } from '../../../../supervisor/policy/view/attention.js';
import { reading, settingsOf, Stepper } from '../stream.js';

const settings = settingsOf('ups a\nups b\nups c\ngroup rack members=b,c');

function read(stepper = new Stepper(settings)): Stepper {
  for (const name of ['a', 'b', 'c']) stepper.poll(name, reading('OL'));
  return stepper.wait(1_000);
}

describe('the quiet of policy', () => {
  it('is true while every UPS is read and on line power, and every quorum is held', () => {
    const stepper = read();
    expect(isQuiet(stepper.state)).to.equal(true);
    expect(['a', 'b', 'redundancy-rack', 'x'].map((name) => isQuietAt(stepper.state, name))).to.deep.equal([
      true,
      true,
      true,
      true,
    ]);
  });

  it('is false before the first reading', () => {
    const stepper = new Stepper(settings).polls('a', reading('OL'), 1);
    expect([isQuiet(stepper.state), isQuietAt(stepper.state, 'a')]).to.deep.equal([false, true]);
  });

  for (const [what, outcome] of [
    ['on battery', reading('OB')],
    ['with FSD', reading('FSD OL')],
    ['with a status that names no source', reading('OFF')],
    ['with a failed poll', { kind: 'failed', detail: 'TIMEOUT', message: '' }],
  ] as const)
    it(`is false with a UPS ${what}`, () => {
      const stepper = read();
      stepper.poll('a', outcome);
      expect([isQuiet(stepper.state), isQuietAt(stepper.state, 'a')]).to.deep.equal([false, false]);
    });

  it('is false after the return of power until it is confirmed', () => {
    const stepper = read();
    stepper.poll('a', reading('OB'));
    expect(isQuiet(read(stepper).state)).to.equal(false);
    expect(isQuiet(read(stepper).state)).to.equal(true);
  });

  it('is false from well before a silent UPS counts a failed poll', () => {
    const stepper = read();
    const passedMs = (isSo: () => boolean): number => {
      let ms = 0;
      for (; isSo(); ms += 250) stepper.wait(250);
      return ms;
    };
    expect(passedMs(() => isQuiet(stepper.state))).to.be.greaterThan(1_000);
    const isUnnoticed = (): boolean =>
      stepper.state.ups.every(({ connection }) => connection.detail === 'OK');
    expect(passedMs(isUnnoticed)).to.be.at.least(1_000);
  });

  it('is false from half a poll deadline after a reading was due', () => {
    // An interval of 1 s, and half of a deadline of 5 s.
    const stepper = read(new Stepper(settingsOf('ups a')));
    const { lastReport } = stepper.state.ups[0] ?? {};
    const at = (ms: number) => {
      const watchedMs = (lastReport?.watchedMs ?? 0) + ms;
      return isQuiet({ ...stepper.state, clock: { ...stepper.state.clock, watchedMs } });
    };
    expect([at(3_500), at(3_501)]).to.deep.equal([true, false]);
  });

  it('is false with one of two groups whose quorum is lost', () => {
    // Without a grace period the loss of its only member is one at once.
    const stepper = new Stepper(
      settingsOf('ups a\nups b\nups c grace=off tolerance=1\ngroup ab members=a,b\ngroup c members=c'),
    );
    read(stepper);
    stepper.polls('c', { kind: 'failed', detail: 'SERVER_DOWN', message: '' }, 5);
    expect(stepper.events).to.include('redundancy-c QUORUM_LOST');
    for (const name of ['a', 'b', 'c']) stepper.poll(name, reading('OL'));
    const quiet = ['c', 'redundancy-ab', 'redundancy-c'].map((name) => isQuietAt(stepper.state, name));
    expect(quiet, 'read again, and not evaluated yet').to.deep.equal([true, true, false]);
    expect(isQuiet(stepper.state)).to.equal(false);
  });
});
