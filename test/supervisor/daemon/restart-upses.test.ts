import { expect } from 'chai';
import { restartUpses } from '../../../supervisor/daemon/restart-upses.js';
import type { RestartUps } from '../../../supervisor/sequence/restart-rule.js';
import { reading, settingsOf, Stepper } from '../policy/stream.js';
import { configurationFrom } from '../config/loading.js';

const configured = configurationFrom('[[ups]]\nname = "a"\n').ups.map((ups) => ({
  ...ups,
  policy: { ...ups.policy, groupId: 'a', label: 'A' },
}));

function shown(stepper: Stepper, change: Partial<(typeof configured)[number]> = {}): RestartUps | undefined {
  return restartUpses(
    stepper.state,
    configured.map((ups) => ({ ...ups, ...change })),
    [{ group: 'a', fedBy: ['a'] }],
  )[0];
}

const stepper = () => new Stepper(settingsOf('ups a'));

describe('a UPS for the rule of the restart', () => {
  it('is not read before its first reading, and after a failed poll', () => {
    expect(shown(stepper())).to.deep.equal({
      ...{ groupId: 'a', label: 'A', hasRole: false, hostGroups: ['a'], isRead: false },
      ...{ showsFsd: false, showsBattery: false, cyclesOnMains: false },
    });
    const read = stepper().polls('a', reading('OL'), 1);
    expect(shown(read)?.isRead).to.equal(true);
    read.polls('a', { kind: 'failed', detail: 'TIMEOUT', message: 'no answer' }, 1);
    expect(shown(read)?.isRead).to.equal(false);
    expect(restartUpses(read.state, configured.slice(1), []), 'of the configuration').to.deep.equal([]);
  });

  it('is not read after a failed poll on battery, or none, long before its failsafe', () => {
    const failed = stepper().polls('a', reading('OB'), 3);
    expect(shown(failed)?.isRead).to.equal(true);
    failed.polls('a', { kind: 'failed', detail: 'SERVER_DOWN', message: 'no connection' }, 1);
    expect(shown(failed)?.isRead).to.equal(false);
    expect(shown(failed.polls('a', reading('OL'), 1))?.isRead, 'read again').to.equal(true);
    const silent = stepper().polls('a', reading('OB'), 3);
    expect(shown(silent.wait(12_000))?.isRead, 'a worker that hangs').to.equal(false);
  });

  it('shows FSD by its status, also one that policy takes for old', () => {
    expect(shown(stepper().polls('a', reading('OL FSD'), 1))?.showsFsd, 'latched').to.equal(true);
    const set = stepper().polls('a', reading('OL'), 2).polls('a', reading('OB FSD'), 1);
    expect(shown(set)?.showsFsd).to.equal(true);
    set.polls('a', { kind: 'failed', detail: 'TIMEOUT', message: 'no answer' }, 1);
    expect(shown(set)?.showsFsd, 'it acts until a reading is without it').to.equal(true);
    set.polls('a', reading('OL'), 2);
    expect(shown(set)?.showsFsd).to.equal(false);
  });

  it('shows OB by its last status, before the outage is confirmed', () => {
    const read = stepper().polls('a', reading('OL'), 3);
    expect(shown(read)?.showsBattery).to.equal(false);
    expect(shown(read.polls('a', reading('OB DISCHRG'), 1))?.showsBattery).to.equal(true);
  });

  it('shows FSD that this daemon has asked for, before a reading has it', () => {
    const own = stepper().polls('a', reading('OB'), 2);
    own.input({ kind: 'forcedShutdown', at: own.at, groupId: 'a', state: 'asked' });
    expect(shown(own)?.showsFsd).to.equal(true);
  });

  it('has the role of this host, and what is known of its output', () => {
    const output = { username: 'u', password: 'p', command: 'shutdown.return', offDelaySeconds: 120 };
    const cycles = { role: 'secondary', output: { ...output, cyclesOnMains: true } } as const;
    expect(shown(stepper(), cycles)).to.include({ hasRole: true, cyclesOnMains: true });
    expect(shown(stepper(), { output: { ...output, cyclesOnMains: false } })?.cyclesOnMains).to.equal(false);
  });
});
