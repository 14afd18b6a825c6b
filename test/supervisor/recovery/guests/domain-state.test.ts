import { expect } from 'chai';
import { endedSince } from '../../../../supervisor/recovery/guests/domain-state.js';

describe('a libvirt guest that is off', () => {
  it('is left alone where it was migrated, which may leave its definition behind', () => {
    expect(endedSince('shut off (migrated)\n\n', false)).to.equal('it was migrated to another host');
  });

  it('was started since where it has ended on this boot', () => {
    for (const reason of ['shutdown', 'destroyed'])
      expect(endedSince(`shut off (${reason})\n`, true), reason).to.match(/^it was started since/);
  });

  it('is started else: the stop itself is such an end, and libvirt forgets it', () => {
    expect(endedSince('shut off (shutdown)\n', false)).to.equal(null);
    for (const state of ['shut off (unknown)', 'shut off (failed)', 'shut off (crashed)', 'abgeschaltet', ''])
      expect(endedSince(state, true), state).to.equal(null);
  });
});
