import { expect } from 'chai';
import type { PowerFacts } from '../../../../supervisor/recovery/guests/power-hold.js';
import { PowerHold } from '../../../../supervisor/recovery/guests/power-hold.js';
import { noPowerOff } from '../../../../supervisor/sequence/journal/power-off-record.js';

const asked = { ...noPowerOff, askedBy: new Set(['office']), attempts: 1 };
const at = (minutes: number, journal: Partial<PowerFacts['journal']>): PowerFacts => ({
  // Of no group: only what is under way on this host counts.
  state: { ups: [], groups: [] } as unknown as PowerFacts['state'],
  journal: { powerOff: noPowerOff, restart: null, of: () => undefined, ...journal },
  nowMs: minutes * 60_000,
});

describe('a start of guests on line power', () => {
  it('is held while this host is being powered off', () => {
    const hold = new PowerHold();
    expect(hold.of([], at(0, { powerOff: asked }))?.why).to.equal('this host is being powered off');
    expect(hold.of([], at(1, { powerOff: { ...asked, givenUp: true } }))).to.equal(null);
  });

  it('is not held for ever by a power-off that did not come', () => {
    const hold = new PowerHold();
    expect(hold.of([], at(0, { powerOff: asked }))).not.to.equal(null);
    expect(hold.of([], at(14, { powerOff: asked }))).not.to.equal(null);
    expect(hold.of([], at(15, { powerOff: asked }))).to.equal(null);
  });

  it('is held for three minutes after the choice of a restart', () => {
    const hold = new PowerHold();
    const restart = { atMs: 0 };
    expect(hold.of([], at(2, { restart }))?.why).to.equal('this host is being restarted');
    expect(hold.of([], at(3, { restart }))).to.equal(null);
  });
});
