// An upgrade during an outage reads the snapshot of the daemon before it: the keys of its text are fixed within a version.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { OutageSnapshot } from '../../../shared/domain/outage/outage-snapshot.js';
import { batteryTimeMs } from '../../../supervisor/policy/power/battery-time.js';
import { onBatteryMs } from '../../../supervisor/policy/power/power-source.js';
import { restored, snapshotOf } from '../../../supervisor/policy/snapshot.js';
import { settingsOf } from './stream.js';

const file = join(import.meta.dirname, '../../../../test/fixtures/snapshot-version-2.json');

describe('the text of a snapshot that an earlier build wrote', () => {
  const text = JSON.parse(readFileSync(file, 'utf8')) as OutageSnapshot;
  const { monotonicMs, unixSeconds } = text.clock;
  const state = () => {
    const decoded = restored(text, settingsOf('ups a'), { monotonicMs, unixSeconds });
    if (!decoded.ok) throw new Error(JSON.stringify(decoded.problems));
    return decoded.value;
  };

  it('is restored', () => {
    expect(state().ups[0]).to.deep.include({
      addedWatchedMs: 1000,
      lastReport: { watchedMs: 9000, waiting: true },
      slowPollReportedMs: 1_002_000,
    });
  });

  it('has given what its outage has lasted', () => {
    const [ups] = state().ups;
    expect(ups?.line).to.deep.include({ kind: 'outage' });
    expect(ups === undefined ? 0 : batteryTimeMs(ups.batteryTime, monotonicMs)).to.equal(
      ups === undefined ? 1 : onBatteryMs(ups.line, monotonicMs),
    );
  });

  it('is written again with the same keys and values, beside those that are new', () => {
    const falls = text.ups.map(({ depletion, ...rest }) => ({
      ...rest,
      depletion: { ...depletion, samples: [depletion.samples[0], depletion.samples[3]] },
    }));
    expect(JSON.parse(JSON.stringify(snapshotOf(state()).ups))).to.containSubset(falls);
  });

  it('keeps of all charges of the window those to which it has fallen', () => {
    expect(state().ups[0]?.depletion.levels.map(({ percent }) => percent)).to.deep.equal([40, 15]);
  });
});
