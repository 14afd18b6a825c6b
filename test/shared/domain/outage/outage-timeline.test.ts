import { expect } from 'chai';
import { timelineOf } from '../../../../shared/domain/outage/outage-timeline.js';

describe('the timeline of an outage in words', () => {
  const event = (ts: number, eventType: string) => ({ ts, eventType, label: 'Office', detail: '' });
  const timeline = (...events: readonly ReturnType<typeof event>[]) =>
    timelineOf({ start: 1000, end: 1060, endSeen: true, label: 'Office', events, shutdowns: [] }).map(
      ({ subject }) => subject,
    );

  it('is in the order of time', () => {
    expect(timeline(event(1000, 'ON_BATTERY'), event(1060, 'POWER_RESTORED'))).to.deep.equal([
      'ON_BATTERY',
      'POWER_RESTORED',
    ]);
    expect(timeline(event(1010, 'LOW_BATTERY_FLAG'))).to.deep.equal(['Office', 'LOW_BATTERY_FLAG', 'Office']);
  });

  it('has events in the order in which they were recorded where the clock was set back', () => {
    const back = [event(4600, 'ON_BATTERY'), event(1020, 'DAEMON_STOP'), event(1060, 'POWER_RESTORED')];
    expect(timeline(...back)).to.deep.equal(back.map(({ eventType }) => eventType));
  });
});
