import { expect } from 'chai';
import { report } from '../../../../scripts/commands/control/test-notifications.js';

describe('the report of a notification test', () => {
  it('has the answer of each service, and its warnings', () => {
    const told = report([
      { name: 'urls[0] (ntfy)', delivered: true, message: '', seconds: 0.1 },
      { name: 'urls[1] (mail)', delivered: true, message: 'one address is wrong', seconds: 1 },
      { name: 'urls[2] (slack)', delivered: false, message: 'it is down', seconds: 2 },
    ]);
    expect(told.split('\n')).to.deep.equal([
      'urls[0] (ntfy)    delivered in 0.10 s',
      'urls[1] (mail)    delivered in 1.00 s, but one address is wrong',
      'urls[2] (slack)   NOT delivered: it is down',
      '',
    ]);
  });
});
