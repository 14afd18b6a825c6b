import { expect } from 'chai';
import * as t from 'io-ts';
import { decode } from '../../../shared/domain/base/decode.js';
import { SequenceModel } from '../../../shared/domain/status/status-model.js';
import { EventRow, StatusBody } from '../../../shared/http/bodies.js';
import type { StoredRow } from '../../../shared/protocol/api.js';
import { StreamClient } from '../../../workers/api/stream/stream-client.js';
import type { ApiUnderTest } from './fixture.js';
import { publishedApi, publishedUps } from './fixture.js';
import { Held, answersIn, ask, codeOf } from './raw.js';
import { FakeTime } from '../../fixtures/fake-time.js';

const request = 'GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n';

interface Frame {
  readonly event: string;
  readonly data: unknown;
}

/** The received text; chunk headers stand on their own lines. */
function framesIn(held: Held): readonly Frame[] {
  return [...held.received.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, event = '', data = '']) => ({
    event,
    data: JSON.parse(data) as unknown,
  }));
}

async function following(api: ApiUnderTest): Promise<Held> {
  const held = new Held(api);
  held.socket.write(request);
  await held.until(() => framesIn(held).length === 2);
  return held;
}

const charge = (percent: number) => ({ ups: [publishedUps({ batteryCharge: percent })] });
const onBattery: StoredRow = {
  id: 7,
  ts: 1_790_000_000,
  source: 'office-127.0.0.1',
  type: 'ON_BATTERY',
  detail: 'on battery',
};

describe('the event stream', () => {
  let api: ApiUnderTest;
  beforeEach(async () => {
    api = await publishedApi();
  });
  afterEach(() => api.end());

  it('starts with the current status and sequence', async () => {
    const held = await following(api);
    const [status, sequence] = framesIn(held);
    expect([status?.event, sequence?.event]).to.deep.equal(['status', 'sequence']);
    expect(decode(StatusBody, status?.data).ok).to.equal(true);
    expect(decode(SequenceModel, sequence?.data).ok).to.equal(true);
    expect(held.received).to.match(/Content-Type: text\/event-stream; charset=utf-8\r\n/);
    expect(held.received).to.match(/X-Content-Type-Options: nosniff\r\n/);
    held.socket.destroy();
  });

  it('sends a status that changed twice once, with the newest value', async () => {
    await api.end();
    // Both changes come within a quarter of a second after the first status, on a busy machine too.
    api = await publishedApi({ clock: new FakeTime() });
    const held = await following(api);
    await api.publish(charge(50));
    await api.publish(charge(40));
    await held.until(() => framesIn(held).length === 3);
    expect(JSON.stringify(framesIn(held)[2])).to.contain('"batteryCharge":40');
    held.socket.destroy();
  });

  it('sends each new event with the name of its UPS or group, and a changed sequence', async () => {
    const held = await following(api);
    const daemon: StoredRow = { ...onBattery, id: 8, source: 'daemon', type: 'DAEMON_START' };
    const sequence = {
      active: true,
      group: 'office-127.0.0.1',
      startedAt: 1,
      phase: 'local_poweroff',
      pointOfNoReturn: false,
      powerBack: false,
      dryRun: true,
      others: [],
      steps: [],
    };
    const group: StoredRow = { ...onBattery, id: 9, source: 'redundancy-rack-1', type: 'QUORUM_LOST' };
    await api.publish({ events: [onBattery, daemon, group], sequence });
    await held.until(() => framesIn(held).length === 6);
    const told = framesIn(held).slice(2);
    expect(told.filter(({ event }) => event === 'event').map(({ data }) => data)).to.deep.equal([
      {
        source: 'office-127.0.0.1',
        id: 7,
        ts: 1_790_000_000,
        eventType: 'ON_BATTERY',
        detail: 'on battery',
        category: 'power_event',
        ups: 'office@127.0.0.1',
        label: 'Office',
      },
      {
        source: 'daemon',
        id: 8,
        ts: 1_790_000_000,
        eventType: 'DAEMON_START',
        detail: 'on battery',
        category: 'lifecycle',
        ups: 'daemon',
        label: 'daemon',
      },
      {
        source: 'redundancy-rack-1',
        id: 9,
        ts: 1_790_000_000,
        eventType: 'QUORUM_LOST',
        detail: 'on battery',
        category: 'shutdown',
        ups: 'rack-1',
        label: 'rack-1',
      },
    ]);
    const codecs: Record<string, t.Mixed> = { event: EventRow, sequence: SequenceModel };
    for (const { event, data } of told)
      expect(decode(codecs[event] ?? t.undefined, data).ok, event).to.equal(true);
    held.socket.destroy();
  });

  it('sends nothing for an unchanged poll', async () => {
    const held = await following(api);
    await api.publish({ storage: { samplesDropped: 3, flushSeconds: { counts: [], sum: 0 } } });
    await api.publish({ events: [onBattery] });
    await held.until(() => framesIn(held).length === 3);
    expect(framesIn(held)[2]?.event).to.equal('event');
    held.socket.destroy();
  });

  it('sends no event while the history is off', async () => {
    const held = await following(api);
    api.body.reconfigure({ ...api.settings, statistics: { ...api.settings.statistics, enabled: false } });
    await api.publish({ events: [onBattery], ...charge(1) });
    await held.until(() => framesIn(held).length === 3);
    expect(framesIn(held)[2]?.event).to.equal('status');
    held.socket.destroy();
  });

  it('answers HEAD like GET and uses no slot for it', async () => {
    for (let times = 0; times < 70; times += 1) {
      const answer = await ask(api, '/api/v1/stream', { method: 'HEAD' });
      expect([answer.status, answer.headers['content-type']]).to.deep.equal([
        200,
        'text/event-stream; charset=utf-8',
      ]);
    }
  });

  it('rejects the 65th client on the network until one leaves, and none on the control socket', async () => {
    const readers = await Promise.all(Array.from({ length: 64 }, () => following(api)));
    const refused = await ask(api, '/api/v1/stream');
    expect([refused.status, codeOf(refused)]).to.deep.equal([503, 'SUPERVISOR_UNAVAILABLE']);
    expect(Number(refused.headers['retry-after'])).to.be.greaterThan(0);
    expect((await ask(api, '/health')).status).to.equal(200);
    const local = new Held({ path: api.socket });
    local.socket.write(request.replace('/api/v1/stream', '/control/v1/stream'));
    await local.until((text) => text.startsWith('HTTP/1.1 200'));
    readers.push(local);
    readers[0]?.socket.destroy();
    const next = async (): Promise<number | undefined> => {
      const held = new Held(api);
      readers.push(held);
      held.socket.write(request);
      await held.until((text) => text.includes('\r\n\r\n'));
      return answersIn(held.received)[0]?.status;
    };
    while ((await next()) !== 200);
    for (const { socket } of readers) socket.destroy();
  });

  it('ends when the daemon stops', async () => {
    const held = await following(api);
    await api.body.drain(1000);
    await held.closed;
  });
});

describe('a client of the event stream', () => {
  let nowMs = 1_000;
  const tools = {
    monotonicMs: () => nowMs,
    status: () => 's'.repeat(100_000),
    sequence: () => '{}',
  };

  it('gets changed statuses at least a quarter of a second apart', () => {
    const reader = new StreamClient({ ...tools, status: () => '{}' });
    const taken = (): string => String(reader.read() ?? '');
    expect(taken()).to.contain('event: status');
    while (taken() !== '');
    nowMs += 249;
    reader.statusChanged();
    expect(taken()).to.equal('');
    nowMs += 1;
    reader.statusChanged();
    expect(taken()).to.contain('event: status');
    reader.destroy();
  });

  it('is disconnected at the second heartbeat when it reads nothing', () => {
    const reader = new StreamClient(tools);
    reader.read(0);
    reader.beat();
    expect(reader.destroyed).to.equal(false);
    reader.beat();
    expect(reader.destroyed).to.equal(true);
  });

  it('stays connected while it reads', () => {
    const reader = new StreamClient(tools);
    for (let beats = 0; beats < 5; beats += 1) {
      while (reader.read() !== null);
      reader.beat();
    }
    expect(reader.destroyed).to.equal(false);
    reader.destroy();
  });

  it('is disconnected when a thousand events wait for it', () => {
    const reader = new StreamClient(tools);
    reader.read(0);
    for (let events = 0; events < 1000; events += 1) reader.event('{}');
    expect(reader.destroyed).to.equal(false);
    expect(reader.readableLength).to.be.lessThan(200_000);
    reader.event('{}');
    expect(reader.destroyed).to.equal(true);
  });
});
