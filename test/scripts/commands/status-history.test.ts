import { expect } from 'chai';
import { columnsOf } from '../../../scripts/commands/terminal/plot.js';
import { bars } from '../../../shared/domain/base/plot.js';
import { status } from '../../../scripts/commands/status/status.js';
import type { HistoryBody } from '../../../shared/http/bodies.js';
import type { SampleRecord } from '../../../shared/protocol/storage.js';
import { SampleWriter } from '../../../workers/storage/samples.js';
import type { ApiUnderTest } from '../../workers/api/fixture.js';
import { publishedUps, startedApi } from '../../workers/api/fixture.js';
import { Bench, sampleOf } from '../../workers/storage/fixture.js';
import { run } from './run.js';

const retention = { rawHours: 24, fiveMinuteDays: 30, hourlyDays: 1825 };

function series(data: readonly (readonly [number, number])[], stepSeconds = 1): HistoryBody {
  const points = data.map(([ts, value]) => ({ ts, value, min: value, max: value }));
  return { ups: 'a', metric: 'charge', from: 0, to: 100, tier: 'raw', stepSeconds, data: points };
}

describe('the plot of a metric', () => {
  it('has the mean of the values in each column, and no value in a gap', () => {
    const columns = columnsOf(
      series([
        [0, 10],
        [9, 20],
        [95, 50],
        [100, 70],
      ]),
      10,
    );
    expect(columns).to.deep.equal([15, null, null, null, null, null, null, null, null, 60]);
  });

  it('shows a step in every column that it covers', () => {
    expect(columnsOf(series([[20, 5]], 30), 10)).to.deep.equal([
      null,
      null,
      5,
      5,
      5,
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it('ranges from the lowest block to the full one, and leaves gaps blank', () => {
    expect(bars([0, null, 12.5, 50, 99, 100], 0, 100)).to.equal('▁ ▂▅██');
    expect(bars([-5, 200], 0, 100)).to.equal('▁█');
  });
});

describe('ridethrough status --history', () => {
  let bench: Bench;
  let api: ApiUnderTest;
  const now = () => Math.floor(Date.now() / 1000);
  const start = async (directory: string) => {
    api = await startedApi({ settings: { statistics: { directory, enabled: true, retention } } });
    await api.publish({ ups: [publishedUps({ label: 'Off\u001bice' })] });
  };
  beforeEach(async () => {
    bench = new Bench();
    await bench.probe();
    await start(bench.directory);
  });
  afterEach(async () => {
    await api.end();
    await bench.end();
  });
  const told = (...args: string[]) => run(() => status(['--socket', api.socket, '--history', ...args]));

  /** Half an hour of readings up to now, with a gap of ten minutes, the charge falling from 100 to 70 %. */
  const keep = () => {
    const samples: SampleRecord[] = [];
    for (let age = 1800; age > 0; age -= 10)
      if (age < 600 || age > 1200)
        samples.push(
          sampleOf('office-127.0.0.1', now() - age, {
            charge: 70 + age / 60,
            load: age === 300 ? 90 : 20,
          }),
        );
    return bench.run((db) => new SampleWriter().append(db, samples));
  };

  it('plots the last hour and the last day with gaps and with minimum and maximum', async () => {
    await keep();
    const { code, out, err } = await told();
    expect([code, err]).to.deep.equal([0, '']);
    expect(out).to.match(/^UPS/);
    expect(out).to.match(/^Off\?ice, last hour: \d{4}-\d\d-\d\d \d\d:\d\d to /m);
    expect(out).to.match(/^Off\?ice, last 24 hours: /m);
    const line = (title: string) => new RegExp(`^  ${title} +\\|(.*)\\|  (.*)$`, 'm').exec(out) ?? [];
    const [, charge, range] = line('charge');
    expect(charge).to.have.length(44);
    expect(charge).to.match(/^ {20,23}█+[▇█]* {6,8}[▆▇]+$/);
    expect(range).to.equal('70.2 to 100 %');
    // The peak of a single reading is in the figures, although the columns show means.
    expect(line('load')[2]).to.equal('20 to 90 %');
    expect(out).to.match(/^ {2}input voltage {2}no data$/m);
    for (const row of out.split('\n').filter((text) => text.includes('|')))
      expect(row.length).to.be.at.most(80);
  });

  it('reports that the history is empty', async () => {
    const { code, out } = await told();
    expect(code).to.equal(0);
    expect(out.match(/no data/g)).to.have.length(6);
  });

  it('prints the values as JSON with --json', async () => {
    await keep();
    const body = JSON.parse((await told('--json')).out) as { history: HistoryBody[] };
    expect(body).to.have.all.keys('generatedAt', 'ups', 'redundancyGroups', 'history');
    expect(body.history.map(({ metric }) => metric)).to.deep.equal([
      ...['charge', 'load', 'voltage'],
      ...['charge', 'load', 'voltage'],
    ]);
    expect(body.history[0]?.data.length).to.be.above(50);
  });

  it('prints the state without the history if it cannot be read, and exits with an error with --json', async () => {
    await api.end();
    await start('/nonexistent');
    const { code, out } = await told();
    expect(code).to.equal(0);
    expect(out).to.match(/^UPS/).and.to.contain('The history cannot be read');
    const json = await told('--json');
    expect([json.code, json.out]).to.deep.equal([1, '']);
    expect(json.err).to.contain('The history cannot be read');
  });
});
