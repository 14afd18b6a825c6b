import { expect } from 'chai';
import type { RecordedGuest, StoppedGuest } from '../../../shared/domain/recovery/guest.js';
import { maxGuests } from '../../../shared/domain/recovery/guest.js';
import { maxRecordBytes } from '../../../shared/domain/recovery/record.js';
import type { FoundGuest } from '../../../supervisor/sequence/journal/found-guests.js';
import type { GuestEnd } from '../../../supervisor/recovery/recorded-guests.js';
import {
  guestsAfter,
  guestsAfterBoot,
  newestStops,
  withGuestsThatFit,
} from '../../../supervisor/recovery/recorded-guests.js';
import { newTarget } from '../../../supervisor/recovery/target-record.js';

const guest = (name: string): StoppedGuest => ({ engine: 'docker', id: name, name, user: null });
const found = (name: string, atMs = 1_000): FoundGuest => ({ guest: guest(name), atMs, unixSeconds: 50 });
const nothingNew = (): GuestEnd => null;
const after = (before: readonly RecordedGuest[], stops: readonly FoundGuest[], endOf = nothingNew) =>
  guestsAfter(before, { found: stops, endOf });
const states = (guests: readonly RecordedGuest[]) => guests.map(({ name, state }) => `${name} ${state}`);
const over = (): GuestEnd => ({ state: 'over', reason: '' });

describe('the recorded guests of a machine', () => {
  it('are those that its steps found running', () => {
    expect(after([], [found('web')])).to.deep.equal([
      { ...guest('web'), foundMs: 1_000, foundUnixSeconds: 50, state: 'stopped', reason: '' },
    ]);
  });

  it('keep one that runs again as over while the journal has its stop, and then forget it', () => {
    const running = after(after([], [found('web')]), [found('web')], over);
    expect(states(running)).to.deep.equal(['web over']);
    expect(states(after(running, [found('web')]))).to.deep.equal(['web over']);
    expect(after(running, [])).to.deep.equal([]);
  });

  it('have one that was stopped again as stopped', () => {
    const running = after(after([], [found('web')]), [found('web')], over);
    expect(states(after(running, [found('web', 9_000)]))).to.deep.equal(['web stopped']);
  });

  it('keep what an earlier outage has left stopped, beside what the next one stops', () => {
    const left = after([], [found('web')]);
    expect(states(after(left, [found('db', 9_000)]))).to.deep.equal(['web stopped', 'db stopped']);
  });

  it('take the last stop where several steps have stopped it', () => {
    expect(after([], [found('web', 2_000), found('web', 1_000)])[0]?.foundMs).to.equal(2_000);
  });

  it('have of one that several groups stopped the last stop, whatever dates a clock that was set gave them', () => {
    const stopped = (foundMs: number | null, foundUnixSeconds: number): RecordedGuest => ({
      ...{ ...guest('web'), state: 'stopped', reason: '' },
      ...{ foundMs, foundUnixSeconds },
    });
    const newest = (...guests: readonly RecordedGuest[]) =>
      newestStops([...guests, { ...stopped(1, 1), id: 'db' }])[0];
    const late = stopped(9_000, 50);
    const early = stopped(1_000, 3_650);
    const before = stopped(null, 9_999);
    expect(newest(early, late), 'the clock was set back an hour').to.equal(late);
    expect(newest(late, early)).to.equal(late);
    expect(newest(early, before), 'of an earlier boot').to.equal(early);
    expect(newest(before, early)).to.equal(early);
    expect(newest(before, stopped(null, 50)), 'both of earlier boots').to.equal(before);
  });

  it('lose on another boot what runs, and the times of the journal', () => {
    const guests = after([], [found('web'), found('db')]);
    const ended = after(guests, [found('web'), found('db')], () => null).map((one, place) =>
      place === 0 ? { ...one, state: 'over' as const } : one,
    );
    expect(guestsAfterBoot(ended)).to.deep.equal([{ ...guests[1], foundMs: null }]);
  });

  it('with the reason why one stays off keep it', () => {
    const why: GuestEnd = { state: 'stopped', reason: 'it is not defined any more' };
    expect(after(after([], [found('web')]), [], () => why)[0]).to.deep.include(why);
  });
});

describe('the guests of a record', () => {
  const many = (names: number, server: string | null, text = 'x') =>
    ({
      ...newTarget(server),
      guests: after(
        [],
        Array.from({ length: names }, (_, n) => found(`${text}${String(n)}`)),
      ),
    }) as const;
  const fitted = (...targets: readonly ReturnType<typeof many>[]) => withGuestsThatFit(targets, new Map());

  it('are at most a thousand of a machine, and the rest is counted', () => {
    const [host] = fitted(many(maxGuests + 7, null));
    expect([host?.guests.length, host?.guestsLeftOut]).to.deep.equal([maxGuests, 7]);
  });

  it('leave room for the rest of the record, whatever their size', () => {
    const targets = fitted(
      ...Array.from({ length: 9 }, (_, n) => many(1_000, `s${String(n)}`, 'x'.repeat(240))),
    );
    expect(Buffer.byteLength(JSON.stringify(targets))).to.be.within(maxRecordBytes / 3, maxRecordBytes * 0.6);
    expect(
      targets.reduce((sum, { guests, guestsLeftOut }) => sum + guests.length + guestsLeftOut, 0),
    ).to.equal(9_000);
  });

  it('are the same list while nothing changes, so that nothing is written', () => {
    const stops = Array.from({ length: maxGuests + 5 }, (_, n) => found(`g${String(n)}`));
    const first = withGuestsThatFit([{ ...newTarget(null), guests: after([], stops) }], new Map());
    const before = new Map(first.map((target) => [target.server, target]));
    const again = withGuestsThatFit(
      first.map((target) => ({ ...target, guests: after(target.guests, stops) })),
      before,
    );
    expect(again[0]?.guests).to.equal(first[0]?.guests);
    expect(again[0]?.guestsLeftOut).to.equal(5);
  });
});
