import { expect } from 'chai';
import type { RecordedTarget } from '../../../shared/domain/recovery/record.js';
import { recoveryStatus } from '../../../supervisor/recovery/status.js';
import type { Look } from '../../../supervisor/recovery/target-record.js';
import { newTarget } from '../../../supervisor/recovery/target-record.js';

const answers: Look = { before: 'up', answers: true, unixSeconds: 1 };
const silent: Look = { before: 'unknown', answers: false, unixSeconds: 1 };
const nothing: Look = { before: 'unknown', answers: null, unixSeconds: null };

const nas = { name: 'nas', group: 'office', isLookedAt: true };

function statusOf(record: Partial<RecordedTarget> | undefined, look: Look, change: object = {}) {
  return recoveryStatus({
    ...{
      isEnabled: true,
      guests: '',
      trouble: '',
      servers: [nas],
      ways: new Map([['nas', 'by_itself']]),
    },
    guestsOf: () => '',
    recordOf: () => (record === undefined ? undefined : { ...newTarget('nas'), ...record }),
    lookAt: () => look,
    ...change,
  });
}

describe('the status of the recovery', () => {
  it('is off, with every server, until it is enabled', () => {
    const { state, reason, targets } = statusOf(undefined, nothing, { isEnabled: false });
    expect([state, targets[0]?.state, targets[0]?.level]).to.deep.equal(['off', 'skipped', 'unknown']);
    expect(reason).to.match(/set \[recovery\] enabled = true/);
  });

  it('says why nothing is kept', () => {
    const { state, reason } = statusOf({}, answers, { trouble: 'the disk is full' });
    expect([state, reason]).to.deep.equal(['idle', 'the disk is full']);
  });

  it('has a server that answers as up, and its way back', () => {
    const up = {
      name: 'nas',
      group: 'office',
      state: 'up',
      level: 'reachable',
      way: 'by_itself',
      reason: '',
    };
    expect(statusOf({ before: 'up' }, answers).targets[0]).to.include(up);
    for (const way of ['wake', 'never'])
      expect(statusOf({}, answers, { ways: new Map([['nas', way]]) }).targets[0]?.way).to.equal(way);
  });

  it('does not say of a server that keeps its power that it may start with the power', () => {
    const reasonBy = (way: string) =>
      statusOf({ command: 'given' }, silent, { ways: new Map([['nas', way]]) }).targets[0]?.reason;
    expect(reasonBy('by_itself')).to.match(/: start it by hand, or let it start with the power$/);
    expect(reasonBy('never')).to.match(/: start it by hand$/);
  });

  it('never has a server as up that nothing looks at, and says why', () => {
    const servers = [{ ...nas, isLookedAt: false }];
    expect(statusOf({}, nothing, { servers }).targets[0]).to.include({
      ...{ before: 'unknown', state: 'skipped', level: 'unknown' },
      reason: 'nothing looks whether it is up: its off_check is "none"',
    });
    expect(statusOf({ command: 'given' }, nothing, { servers }).targets[0]?.reason).to.match(
      /^it was shut down;/,
    );
  });

  for (const [record, look, level, reason] of [
    [undefined, nothing, 'unknown', /not recorded yet/],
    [{ before: 'off' }, silent, 'off', /was off before the outage/],
    [{}, silent, 'off', /got no command/],
    [{}, nothing, 'unknown', /no look has shown/],
    [{ before: 'up', command: 'given', isOff: true }, silent, 'off', /^it was shut down and was found off;/],
    [
      { before: 'off', byHandUnixSeconds: 1_000 },
      silent,
      'off',
      /^it was shut down by hand on 19\d\d-.*; start it by hand$/,
    ],
    [{ before: 'up', byHandUnixSeconds: 1_000 }, answers, 'reachable', /^it was shut down by hand on /],
    [{ before: 'up', command: 'maybe' }, answers, 'reachable', /^it may have been shut down;/],
  ] as const)
    it(`says ${String(reason)} of a server that is skipped`, () => {
      const [target] = statusOf(record, look).targets;
      expect(target).to.include({ state: 'skipped', level });
      expect(target?.reason).to.match(reason);
    });
});
