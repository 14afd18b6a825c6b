import { expect } from 'chai';
import type { ServerTime, ServerTimes } from '../../../shared/domain/outage/server-time.js';
import { noServerTimes, serverTimesText } from '../../../shared/domain/outage/server-time.js';
import { readServerTimes } from '../../../workers/api/history/server-times.js';
import { ReadPool } from '../../../workers/api/history/read-pool.js';
import { keepServerTimes } from '../../../workers/storage/server-times.js';
import { Bench } from './fixture.js';

const nas = (at: number, seconds: number, change: Partial<ServerTime> = {}): ServerTime => ({
  server: 'nas',
  phase: 'off',
  isDrill: false,
  at,
  seconds,
  ...change,
});

describe('the measured times of servers', () => {
  let bench: Bench;
  let pool: ReadPool;
  beforeEach(() => {
    bench = new Bench();
    pool = new ReadPool(bench.path);
  });
  afterEach(async () => {
    await pool.close();
    await bench.end();
  });

  const keep = (times: readonly ServerTime[]) => bench.run((db) => keepServerTimes(db, times));
  const read = async (): Promise<ReadonlyMap<string, ServerTimes>> => {
    const signal = new AbortController().signal;
    const outcome = await readServerTimes(pool, { signal, deadlineMs: 60_000 });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.value;
  };

  it('are reported as the median and the 95th percentile', async () => {
    await keep(Array.from({ length: 20 }, (_, index) => nas(1000 + index, 20 - index)));
    expect((await read()).get('nas')?.sequence.off).to.deep.equal({
      count: 20,
      p50Seconds: 10,
      p95Seconds: 19,
      lastTs: 1019,
    });
    await keep([nas(7, 0.25, { server: 'one', phase: 'login' })]);
    expect((await read()).get('one')?.sequence.login).to.deep.equal({
      count: 1,
      p50Seconds: 0.25,
      p95Seconds: 0.25,
      lastTs: 7,
    });
  });

  it('of drills and of shutdowns are apart', async () => {
    await keep([
      nas(5, 3, { phase: 'login', isDrill: true }),
      nas(6, 1, { phase: 'login' }),
      nas(6, 2, { phase: 'command' }),
    ]);
    const times = (await read()).get('nas') ?? noServerTimes;
    expect(times.drill.login?.p50Seconds).to.equal(3);
    expect(times.sequence.login?.p50Seconds).to.equal(1);
    expect(times.sequence.off).to.equal(null);
    expect(serverTimesText(times)).to.deep.equal([
      'login 1 s (95 %: 1 s), command 2 s (95 %: 2 s), of 1 shutdown',
      'login 3 s (95 %: 3 s), of 1 drill',
    ]);
  });

  it('that are sent again count once, and only the newest 50 of each are kept', async () => {
    await keep([nas(1, 9), nas(2, 9)]);
    await keep([nas(2, 9), nas(3, 9, { server: "x'); --" })]);
    expect((await read()).get('nas')?.sequence.off?.count).to.equal(2);
    await keep(Array.from({ length: 60 }, (_, index) => nas(100 + index, index)));
    const off = (await read()).get('nas')?.sequence.off;
    expect(off?.count).to.equal(50);
    expect(off?.p50Seconds).to.equal(34);
    expect((await read()).get("x'); --")?.sequence.off?.count).to.equal(1);
  });
});
