import { expect } from 'chai';
import { domainVerdict } from '../../../../supervisor/recovery/guests/domain-state.js';

const verdict = (text: string, isOtherBoot: boolean): string => {
  const found = domainVerdict(text, isOtherBoot);
  return 'why' in found ? `${found.kind}: ${found.why}` : found.kind;
};

describe('a libvirt guest', () => {
  it('runs while it is active, whatever the reason', () => {
    for (const state of [
      'running (booted)',
      'paused (user)',
      'in shutdown (user)',
      'pmsuspended (disk)',
      'idle',
    ])
      expect(verdict(state, true), state).to.equal('runs');
  });

  it('that is off is left alone where it was migrated, which may leave its definition behind', () => {
    for (const isOtherBoot of [true, false])
      expect(verdict('shut off (migrated)\n\n', isOtherBoot)).to.equal(
        'over: it was migrated to another host',
      );
  });

  it('that is off was started since where it has ended on this boot', () => {
    for (const reason of ['shutdown', 'destroyed'])
      expect(verdict(`shut off (${reason})\n`, true), reason).to.match(/^over: it was started since/);
  });

  it('that is off is started else: the stop itself is such an end, and libvirt forgets it', () => {
    expect(verdict('shut off (shutdown)\n', false)).to.equal('start');
    for (const reason of ['unknown', 'failed', 'crashed', 'from snapshot', 'daemon'])
      expect(verdict(`shut off (${reason})`, true), reason).to.equal('start');
    expect(verdict('shut off', true)).to.equal('start');
  });

  it('stays off, and is named, where its state is none of these', () => {
    for (const state of ['crashed (panicked)', 'no state (unknown)', 'abgeschaltet', 'shut off (a) (b)', ''])
      expect(verdict(state, true), state).to.equal(`stays: its state is ${state}`);
  });
});
