// An upgrade during an outage reads the snapshot of the daemon before it: the keys of its text are fixed within a version.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { OutageSnapshot } from '../../../shared/domain/outage/outage-snapshot.js';
import { batteryTimeMs } from '../../../supervisor/policy/power/battery-time.js';
import { onBatteryMs } from '../../../supervisor/policy/power/power-source.js';
import { restored, snapshotOf } from '../../../supervisor/policy/snapshot.js';
import { settingsOf } from './stream.js';

const file = join(import.meta.dirname, '../../../../test/fixtures/snapshot-version-4.json');

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

  it('is written again with the same keys and values', () => {
    // Keys that this version has got since, with what they mean where an earlier build has not written them.
    const ups = text.ups.map((kept) => ({
      ...kept,
      reported: { ...kept.reported, firstRbMs: null },
      voltage: { ...kept.voltage, offLine: null },
      readings: { ...kept.readings, last: kept.readings.last && { ...kept.readings.last, askedMs: 0 } },
    }));
    expect(JSON.parse(JSON.stringify(snapshotOf(state()).ups))).to.deep.equal(ups);
  });

  it('is read although a table of the program has a trigger and a quantity more', () => {
    const [ups] = state().ups;
    const [kept] = text.ups;
    if (kept === undefined) throw new Error('no UPS');
    const [trigger = ''] = Object.keys(kept.confirmed);
    const [quantity = ''] = Object.keys(kept.reportedQuantities);
    const shorter = structuredClone(text) as unknown as { ups: Record<string, Record<string, unknown>>[] };
    delete shorter.ups[0]?.['confirmed']?.[trigger];
    delete shorter.ups[0]?.['reportedQuantities']?.[quantity];
    const back = restored(shorter, settingsOf('ups a'), { monotonicMs, unixSeconds });
    if (!back.ok) throw new Error(JSON.stringify(back.problems));
    expect(back.value.ups[0]?.confirmed).to.deep.equal({ ...ups?.confirmed, [trigger]: 0 });
    expect(back.value.ups[0]?.reportedQuantities).to.deep.equal({
      ...ups?.reportedQuantities,
      [quantity]: { anyMs: null, batteryMs: null },
    });
  });

  it('is not used when it has another version', () => {
    const other = { ...text, version: 2 };
    const back = restored(other, settingsOf('ups a'), { monotonicMs, unixSeconds });
    expect(back.ok ? [] : back.problems.map(({ path }) => path)).to.deep.equal(['version']);
  });
});
