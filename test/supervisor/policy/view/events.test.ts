// The two halves of the table of events agree.
import { expect } from 'chai';
import { isSent } from '../../../../shared/domain/status/events.js';
import { policyEvents, worded } from '../../../../supervisor/policy/view/events.js';
import { settingsOf } from '../stream.js';

describe('the words of an event', () => {
  it('have a message exactly where one is sent', () => {
    const types = Object.keys(policyEvents) as (keyof typeof policyEvents)[];
    const withMessage = types.filter((type) => 'text' in policyEvents[type]);
    expect(withMessage).to.deep.equal(types.filter(isSent));
  });

  it('name a UPS by its label', () => {
    const [ups] = settingsOf('ups a').ups;
    if (ups === undefined) throw new Error('no UPS');
    const message = worded({ type: 'UPS_ON' }, { ...ups, name: 'a@host:3493', label: 'Rack left' });
    expect(message).to.deep.include({
      kind: 'notify',
      source: 'a',
      type: 'UPS_ON',
      text: 'Rack left has its output on again.',
    });
  });
});
