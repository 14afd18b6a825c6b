import { expect } from 'chai';
import { metrics } from '../../../shared/domain/status/metrics.js';
import { ImportBatch, maxImportedBuckets } from '../../../shared/protocol/history-import.js';

const now = 1_700_006_400;
const values = (charge: number) => metrics.map((_, index) => (index === 0 ? charge : null));
const raw = (at: number, charge: number) => ({ tier: 'raw', at, rows: [[0, ...values(charge)]] });
const hourly = (at: number) => ({ tier: 'hourly', at, rows: [[0, 10, 1, 0, 2]] });

describe('a batch of imported history', () => {
  it('is refused in another form', () => {
    const batch = {
      groupId: 'office',
      source: 'upslog',
      isDryRun: false,
      buckets: [],
      events: [],
      outages: [],
    };
    const takes = (part: object) => ImportBatch.is({ ...batch, ...part });
    expect(takes({})).to.equal(true);
    expect(takes({ buckets: [raw(now, 1)] })).to.equal(true);
    for (const buckets of [
      [{ ...raw(now, 1), at: now + 1 }],
      [{ ...raw(now, 1), tier: 'weekly' }],
      [{ ...hourly(now), at: now + 300 }],
      [{ tier: 'raw', at: now, rows: [[300, ...values(1)]] }],
      [{ tier: 'raw', at: now, rows: [[0, 1]] }],
      [{ tier: 'raw', at: now, rows: [[0, ...values(Infinity)]] }],
      [{ tier: 'raw', at: now, rows: [[0, ...values(1e12)]] }],
      [{ tier: 'raw', at: now, rows: Array(301).fill([0, ...values(1)]) }],
      [{ tier: 'hourly', at: now, rows: [[11, 1, 1, 1, 1]] }],
      [{ tier: 'hourly', at: now, rows: [[0, 0, 1, 1, 1]] }],
      [{ tier: 'hourly', at: now, rows: [[0, 1, 1, 2, 3]] }],
      [{ tier: 'hourly', at: now, rows: [[0, 1, 3, 1, 2]] }],
      [{ tier: 'hourly', at: now, rows: [[0, 1, 1, 1]] }],
      Array(maxImportedBuckets + 1).fill(raw(now, 1)),
    ])
      expect(takes({ buckets }), JSON.stringify(buckets).slice(0, 200)).to.equal(false);
    for (const type of ['SHUTDOWN_TRIGGERED', 'CONFIG_RELOAD', 'DAEMON_STOP', 'HISTORY_IMPORTED'])
      expect(takes({ events: [{ at: now, type, detail: '' }] })).to.equal(false);
    expect(takes({ events: [{ at: now, type: 'ON_BATTERY', detail: 'x'.repeat(1025) }] })).to.equal(false);
  });
});
