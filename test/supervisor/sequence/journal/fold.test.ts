import { expect } from 'chai';
import type { StoppedGuest } from '../../../../shared/domain/recovery/guest.js';
import { maxGuests } from '../../../../shared/domain/recovery/guest.js';
import type { JournalEntry } from '../../../../supervisor/sequence/journal/entries.js';
import type { Fold } from '../../../../supervisor/sequence/journal/fold.js';
import { endDateOf } from '../../../../supervisor/sequence/journal/fold.js';
import { maxFoundChars, takenOf } from '../../../../supervisor/sequence/journal/found-guests.js';
import { entriesOf, foldOf } from '../../../../supervisor/sequence/journal/record.js';
import { planWith } from '../../../fixtures/plans.js';
import { cause } from '../several.js';

describe('the date of the end of a step', () => {
  const step = { beganMs: 1_000, beganUnixSeconds: 1_790_000_000 };

  it('is as far from its begin as the clock of the boot says, whatever the wall clock was set to', () => {
    const ended = { outcome: { kind: 'done' as const }, atMs: 31_500, unixSeconds: 30 };
    expect(endDateOf({ ...step, ended })).to.equal(1_790_000_030.5);
    expect(endDateOf({ ...step, ended: null })).to.equal(null);
  });
});

describe('the guests that steps have found', () => {
  const at = (atMs: number) => ({ group: 'office', atMs, unixSeconds: 50 });
  const guest = (name: string): StoppedGuest => ({ engine: 'docker', id: name, name, user: null });
  const plan = planWith([], 'office');
  const decided: JournalEntry = { kind: 'decided', cause, plan, ...at(0) };
  const foundAt = (atMs: number, step: string, ...names: string[]): JournalEntry => ({
    ...{ kind: 'found', step, guests: names.map(guest), ...at(atMs) },
  });
  const namesOf = (fold: Fold, step: string) =>
    [...(fold.groups.get('office')?.found.get(step)?.values() ?? [])].map(
      ({ guest: { name }, atMs }) => `${name} ${String(atMs)}`,
    );

  it('are the union of each step, with the last time', () => {
    const fold = foldOf([
      decided,
      foundAt(1, 'a', 'web', 'db'),
      foundAt(2, 'a', 'db'),
      foundAt(3, 'b', 'vm'),
    ]);
    expect(namesOf(fold, 'a')).to.deep.equal(['web 1', 'db 2']);
    expect(namesOf(fold, 'b')).to.deep.equal(['vm 3']);
  });

  it('are at most a thousand of a step', () => {
    const names = Array.from({ length: maxGuests }, (_, n) => `g${String(n)}`);
    const fold = foldOf([decided, foundAt(1, 'a', ...names), foundAt(2, 'a', 'more', 'g0')]);
    expect(fold.groups.get('office')?.found.get('a')?.size).to.equal(maxGuests);
    expect(namesOf(fold, 'a')[0]).to.equal('g0 2');
  });

  it('are read again from a journal', () => {
    const entries = JSON.parse(JSON.stringify([decided, foundAt(1, 'a', 'web')])) as unknown[];
    expect(namesOf(foldOf(entriesOf(entries)), 'a')).to.deep.equal(['web 1']);
    const hostile = { ...foundAt(1, 'a'), guests: [{ ...guest('x'), id: '--all' }] };
    expect(entriesOf([hostile])).to.deep.equal([]);
  });

  it('that do not fit are named', () => {
    const many = Array.from({ length: maxGuests + 1 }, (_, n) => guest(`g${String(n)}`));
    const taken = takenOf([...many, { ...guest('x'), id: '-x' }], undefined, 0);
    expect([taken.guests.length, taken.tooMany, taken.malformed]).to.deep.equal([maxGuests, ['g1000'], 1]);
    expect(takenOf([guest('web')], undefined, maxFoundChars).tooMany).to.deep.equal(['web']);
  });
});
