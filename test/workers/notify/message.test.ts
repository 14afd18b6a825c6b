import { expect } from 'chai';
import { plainForm } from './fixture.js';
import { messageOf, timeInWords } from '../../../workers/notify/message.js';

const notification = {
  id: 'a-1',
  at: 1_700_000_000,
  source: 'office',
  type: 'ON_BATTERY',
  text: 'Office is on battery.',
  urgent: true,
} as const;

describe('the text of a notification', () => {
  it('starts with the host and the event, and ends with the time', () => {
    const message = messageOf(notification, plainForm, 1, notification.at + 1);
    expect(message.title).to.equal('nas01: On battery');
    expect(message.body).to.equal(`Office is on battery.\n${timeInWords(notification.at)}.`);
  });

  it('says how much later it was sent', () => {
    const { body } = messageOf(notification, plainForm, 120, notification.at + 120);
    expect(body.endsWith(' It was sent 2\u00a0min later.')).to.equal(true);
  });

  it('says when that was by a clock that was set meanwhile', () => {
    const now = notification.at + 86_400;
    const { body } = messageOf(notification, plainForm, 5, now);
    expect(body).to.include(`${timeInWords(notification.at)}. The clock of this host was set meanwhile`);
    expect(body.endsWith(` by it, that was at ${timeInWords(now - 5)}.`)).to.equal(true);
  });

  it('has the correct time with its zone', () => {
    const text = timeInWords(1_700_000_000);
    expect(text).to.match(/^2023-11-1[45] \d\d:\d\d:\d\d [+-]\d\d:\d\d \(.+\)$/);
    const [day, clock, offset] = text.split(' ');
    expect(Date.parse(`${day ?? ''}T${clock ?? ''}${offset ?? ''}`)).to.equal(1_700_000_000_000);
  });
});
