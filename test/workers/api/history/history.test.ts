import { expect } from 'chai';
import type { HistorySettings } from '../../../../shared/protocol/storage.js';
import { History } from '../../../../workers/api/history/history.js';
import { insertEvent } from '../../../../workers/storage/events.js';
import { SampleWriter } from '../../../../workers/storage/samples.js';
import { Bench, sampleOf } from '../../storage/fixture.js';

const now = 1_700_000_000;
const signal = new AbortController().signal;
const series = { groupId: 'office', metric: 'charge', from: now - 100, to: null, points: 1000 } as const;
const events = { limit: 10, verbosity: 2, category: null, from: null, to: null, before: null } as const;

describe('the history', () => {
  let bench: Bench;
  let history: History;
  const settings = (directory: string, enabled = true): HistorySettings => ({
    directory,
    enabled,
    retention: { rawHours: 24, fiveMinuteDays: 30, hourlyDays: 1825 },
  });
  beforeEach(async () => {
    bench = new Bench();
    await bench.run((db) => new SampleWriter().append(db, [sampleOf('office', now - 5, { charge: 50 })]));
    await bench.run((db) =>
      insertEvent(db, { at: now, source: 'office', type: 'ON_BATTERY', detail: 'power is gone' }),
    );
    history = new History(settings(bench.directory));
  });
  afterEach(async () => {
    await history.close();
    await bench.end();
  });
  const found = async (): Promise<readonly [number, number] | string> => {
    const points = await history.series(series, now, signal);
    const rows = await history.events(events, signal);
    return points.ok && rows.ok ? [points.value.data.length, rows.value.length] : 'failed';
  };

  it('is empty while statistics are off, and returns when they are on', async () => {
    history.configure(settings(bench.directory, false));
    expect(await found()).to.deep.equal([0, 0]);
    history.configure(settings(bench.directory));
    expect(await found()).to.deep.equal([1, 1]);
  });

  it('follows the database to another directory', async () => {
    const other = new Bench();
    await other.probe();
    expect(await found()).to.deep.equal([1, 1]);
    history.configure(settings(other.directory));
    expect(await found()).to.deep.equal([0, 0]);
    await other.end();
  });

  it('reports that it cannot be read', async () => {
    history.configure(settings('/nonexistent'));
    const outcome = await history.events(events, signal);
    expect(outcome.ok ? 'OK' : outcome.error.code).to.equal('UNAVAILABLE');
  });
});
