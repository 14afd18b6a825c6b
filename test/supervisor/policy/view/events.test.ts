// The two halves of the table of events agree.
import { expect } from 'chai';
import { isSent } from '../../../../shared/domain/status/events.js';
import { policyEvents } from '../../../../supervisor/policy/view/events.js';

describe('the words of an event', () => {
  it('have a message exactly where one is sent', () => {
    const types = Object.keys(policyEvents) as (keyof typeof policyEvents)[];
    const withMessage = types.filter((type) => 'text' in policyEvents[type]);
    expect(withMessage).to.deep.equal(types.filter(isSent));
  });
});
