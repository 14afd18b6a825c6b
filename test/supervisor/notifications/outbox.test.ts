import { expect } from 'chai';
import type { Delivery, Notification } from '../../../shared/domain/notification.js';
import { Outbox } from '../../../supervisor/notifications/outbox.js';

const message = (id: string, urgent = false): Notification => ({
  id,
  at: 1,
  source: 'office',
  type: 'ON_BATTERY',
  text: id,
  urgent,
});
const pending: Delivery = { service: 's', state: 'pending', reason: null, attempts: 0, at: 1 };
const sent: Delivery = { ...pending, state: 'sent', attempts: 1 };

describe('the outbox of notifications', () => {
  it('returns the oldest entry first, and keeps it until it is recorded', () => {
    const ledger = new Outbox();
    ledger.add(message('1'), [pending]);
    ledger.add(message('2'), [pending]);
    expect(ledger.take(1).map(({ id }) => id)).to.deep.equal(['1']);
    ledger.retry();
    expect(ledger.take(1).map(({ id }) => id)).to.deep.equal(['1']);
    ledger.acknowledged();
    expect(ledger.take(5).map(({ id }) => id)).to.deep.equal(['2']);
    ledger.acknowledged();
    expect(ledger.empty).to.equal(true);
  });

  it('adds updates that arrive while an entry is refused', () => {
    const ledger = new Outbox();
    ledger.add(message('1'), [pending]);
    ledger.take(5);
    ledger.update('1', sent);
    ledger.retry();
    expect(ledger.take(5)).to.deep.equal([{ id: '1', notification: message('1'), deliveries: [sent] }]);
  });

  it('distinguishes ended deliveries, also of an entry in flight', () => {
    const ledger = new Outbox();
    ledger.add(message('1'), [sent]);
    ledger.take(5);
    ledger.add(message('2'), [pending]);
    expect([ledger.isOver('1', 's'), ledger.isOver('2', 's'), ledger.isOver('3', 's')]).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect(ledger.tasks().map(({ notification }) => notification.id)).to.deep.equal(['2']);
  });

  it('drops ended entries first, then entries that are not urgent, then the oldest', () => {
    const ledger = new Outbox(3);
    ledger.add(message('alarm', true), [pending]);
    ledger.add(message('dull'), [pending]);
    ledger.add(message('done', true), [sent]);
    ledger.add(message('more', true), [pending]);
    expect(ledger.tasks().map(({ notification }) => notification.id)).to.deep.equal([
      'alarm',
      'dull',
      'more',
    ]);
    ledger.add(message('again', true), [pending]);
    expect(ledger.tasks().map(({ notification }) => notification.id)).to.deep.equal([
      'alarm',
      'more',
      'again',
    ]);
    ledger.add(message('last', true), [pending]);
    expect(ledger.tasks().map(({ notification }) => notification.id)).to.deep.equal([
      'more',
      'again',
      'last',
    ]);
    expect(ledger.dropped).to.equal(3);
  });

  it('drops an entry in flight that cannot be recorded', () => {
    const ledger = new Outbox();
    ledger.add(message('1'), [pending]);
    ledger.take(5);
    ledger.dropInFlight();
    expect([ledger.empty, ledger.dropped]).to.deep.equal([true, 1]);
  });
});
