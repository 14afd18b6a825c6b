import { expect } from 'chai';
import { fullScreen } from '../../../../scripts/commands/status/monitor-screen.js';
import { monitor } from '../../../../scripts/commands/status/monitor.js';
import type { EventRow } from '../../../../shared/http/bodies.js';
import { includes, until } from '../../../fixtures/until.js';
import type { ApiUnderTest } from '../../../workers/api/fixture.js';
import { publishedUps, row, startedApi } from '../../../workers/api/fixture.js';
import type { Said } from '../run.js';
import { run } from '../run.js';

const restored = {
  id: 7,
  ts: 1_790_000_000,
  source: 'office-127.0.0.1',
  type: 'POWER_RESTORED',
  detail: 'after 2 min',
} as const;

describe('ridethrough monitor', () => {
  let api: ApiUnderTest;
  let stop: AbortController;
  let said: Said;
  beforeEach(async () => {
    api = await startedApi();
    await api.publish();
    stop = new AbortController();
    said = { out: '', err: '' };
  });
  afterEach(() => api.end());

  const begun = (...args: string[]) =>
    run(() => monitor(['--socket', api.socket, ...args], stop.signal), said);
  const heard = (text: string) => until(() => said.out, includes(text));

  it('prints the table at each change of a state, and each event, until it is stopped', async () => {
    const running = begun();
    await heard('On line power');
    await api.publish({ ups: [publishedUps({ batteryCharge: 86 })] });
    const ups = [publishedUps({ status: 'OB DISCHRG', timeOnBattery: 5 })];
    await api.publish({ ups });
    await heard('On battery');
    await api.publish({ ups, events: [restored] });
    await heard('POWER_RESTORED');
    stop.abort();
    expect((await running).code).to.equal(0);
    expect(said.out.split('LAST READING')).to.have.length(3);
    expect(said.out).to.match(/Office +POWER_RESTORED +after 2 min\n/);
  });

  it('prints one JSON frame per line with --json', async () => {
    const running = begun('--json');
    await heard('"event":"sequence"');
    stop.abort();
    expect((await running).code).to.equal(0);
    const frames = said.out.trimEnd().split('\n');
    expect(frames.map((line) => (JSON.parse(line) as { event: string }).event)).to.deep.equal([
      'status',
      'sequence',
    ]);
  });

  it('exits 1 if no daemon answers', async () => {
    const { code, err } = await run(() => monitor(['--socket', `${api.socket}.gone`]));
    expect([code, err.includes('is not running')]).to.deep.equal([1, true]);
  });

  it('waits for a stopped daemon, and reports it once', async () => {
    const running = begun();
    await heard('On line power');
    await api.body.drain(1000);
    await heard('Waiting for it.');
    stop.abort();
    await running;
    expect(said.out.split('Waiting for it.')).to.have.length(2);
  });
});

describe('the screen of ridethrough monitor', () => {
  const event = (id: number): EventRow => ({
    source: 'office',
    id,
    ts: 1_790_000_000,
    eventType: 'ON_BATTERY',
    detail: `number ${String(id)}\u001b[2J`,
    category: 'power_event',
    ups: 'office',
    label: 'Office',
  });
  const facts = {
    status: { generatedAt: 1_790_000_000, ups: [row()], redundancyGroups: [] },
    sequence: null,
    ready: null,
    explanations: [],
    batteries: [],
  };

  it('fits the terminal, shows the newest events, and restores the terminal', () => {
    let written = '';
    const terminal = { write: (text: string) => void (written += text), rows: () => 10, columns: () => 60 };
    const screen = fullScreen(terminal);
    screen.draw(facts);
    written = '';
    screen.events(Array.from({ length: 300 }, (_, index) => event(index)));
    const lines = written.split('\n');
    expect(lines.length).to.be.at.most(10);
    expect(written).to.contain('number 299').and.not.to.contain('number 100');
    for (const line of lines)
      expect(line.split('\u001b[K')[0]?.replace('\u001b[H', '').length).to.be.at.most(60);
    expect(written).not.to.contain('\u001b[2J');
    screen.close();
    expect(written.endsWith('\u001b[?25h\u001b[?1049l')).to.equal(true);
  });

  it('reports that the daemon is away and keeps the last state', () => {
    let written = '';
    const screen = fullScreen({ write: (text) => void (written += text), rows: () => 24, columns: () => 80 });
    screen.draw(facts);
    written = '';
    screen.trouble('The daemon is away.');
    expect(written).to.contain('The daemon is away.').and.to.contain('On line power');
    screen.trouble(null);
    expect(written.split('The daemon is away.')).to.have.length(2);
  });
});
