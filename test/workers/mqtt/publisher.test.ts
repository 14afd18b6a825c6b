import { expect } from 'chai';
import type { MqttSettings, MqttUps } from '../../../shared/protocol/mqtt.js';
import type { MqttMessage } from '../../../workers/mqtt/client.js';
import { MqttPublisher } from '../../../workers/mqtt/publisher.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { row } from '../api/fixture.js';

const settings: MqttSettings = {
  broker: { tls: false, host: '127.0.0.1', port: 1883, username: '', password: '' },
  topicPrefix: 'svc',
  publishIntervalMs: 10_000,
  discovery: false,
  availability: false,
};
const shown = (change = {}): MqttUps => ({
  row: row(change),
  totalKwh: null,
  device: { manufacturer: 'Eaton', model: '5P', firmware: '' },
});

class Bench {
  readonly time = new FakeTime();
  readonly sent: (MqttMessage & { readonly atMs: number })[] = [];
  /** How the broker's socket accepts the next message. */
  takes: boolean | Promise<boolean> = true;
  readonly publisher: MqttPublisher;

  constructor(change: Partial<MqttSettings> = {}) {
    this.publisher = new MqttPublisher(
      { ...settings, ...change },
      {
        hostName: 'nas',
        clock: this.time,
        setTimer: this.time.setTimer,
        publish: (message) => {
          this.sent.push({ ...message, atMs: this.time.monotonicMs() });
          return Promise.resolve(this.takes);
        },
      },
    );
  }

  async model(...ups: readonly MqttUps[]): Promise<void> {
    const order = ups.map((one) => one.row.groupId);
    this.publisher.apply({ full: true, ups: [...ups], order, redundancyGroups: [] });
    await settled();
  }

  async connect(): Promise<void> {
    this.publisher.connection(true);
    await settled();
  }

  get topics(): readonly string[] {
    return this.sent.map(({ topic }) => topic);
  }

  get gaps(): readonly number[] {
    return this.sent.slice(1).map(({ atMs }, index) => atMs - (this.sent[index]?.atMs ?? 0));
  }
}

describe('the MQTT publisher', () => {
  it('publishes nothing without a model, and nothing without a broker', async () => {
    const bench = new Bench();
    await bench.connect();
    expect(bench.sent).to.deep.equal([]);
    const away = new Bench();
    await away.model(shown());
    await away.time.pass(60_000);
    expect(away.sent).to.deep.equal([]);
  });

  it('repeats an unchanged status every publish interval', async () => {
    const bench = new Bench();
    await bench.model(shown());
    await bench.connect();
    await bench.time.pass(30_000);
    expect(bench.gaps).to.deep.equal([10_000, 10_000, 10_000]);
    const moments = bench.sent.map(
      ({ payload }) => (JSON.parse(payload) as { generatedAt: number }).generatedAt,
    );
    expect(new Set(moments).size).to.equal(4);
  });

  it('publishes a change immediately, and restarts the interval', async () => {
    const bench = new Bench();
    await bench.model(shown());
    await bench.connect();
    await bench.time.pass(4_000);
    await bench.model(shown({ batteryCharge: 50 }));
    await bench.time.pass(10_000);
    expect(bench.gaps).to.deep.equal([4_000, 10_000]);
    expect(bench.sent[1]?.payload).to.contain('"batteryCharge":50');
  });

  it('publishes at most four changes a second, with the last value', async () => {
    const bench = new Bench();
    await bench.connect();
    for (let charge = 0; charge < 100; charge += 1) {
      await bench.model(shown({ batteryCharge: charge }));
      await bench.time.pass(10);
    }
    await bench.time.pass(250);
    expect(bench.sent.length).to.be.within(4, 6);
    expect(bench.sent.at(-1)?.payload).to.contain('"batteryCharge":99');
  });

  it('allows more time for a large status', async () => {
    const bench = new Bench();
    await bench.connect();
    const label = 'x'.repeat(2_000_000);
    await bench.model(shown({ label, load: 1 }));
    await bench.model(shown({ label, load: 2 }));
    await bench.time.pass(5_000);
    expect(bench.gaps[0]).to.be.within(2_000, 2_100);
  });

  it('has one message in flight while the broker does not accept, and none after a disconnect', async () => {
    const bench = new Bench();
    await bench.model(shown());
    bench.takes = new Promise(() => undefined);
    await bench.connect();
    for (let load = 0; load < 50; load += 1) {
      await bench.model(shown({ load }));
      await bench.time.pass(1_000);
    }
    expect(bench.sent).to.have.length(1);
  });

  it('does not repeat a message of a broken connection, and starts over on the next', async () => {
    const bench = new Bench({ availability: true });
    await bench.model(shown());
    bench.takes = false;
    await bench.connect();
    expect(bench.topics).to.deep.equal(['svc/nas/availability']);
    bench.publisher.connection(false);
    bench.takes = true;
    await bench.time.pass(60_000);
    await bench.connect();
    expect(bench.topics.slice(1)).to.deep.equal(['svc/nas/availability', 'svc/status']);
    expect(bench.sent.map(({ retain }) => retain)).to.deep.equal([true, true, false]);
  });

  it('publishes over a connection that opens before the message of the last one has failed', async () => {
    const bench = new Bench({ availability: true });
    await bench.model(shown());
    let fail: () => void = () => undefined;
    bench.takes = new Promise((resolve) => (fail = () => resolve(false)));
    await bench.connect();
    bench.publisher.connection(false);
    bench.takes = true;
    await bench.connect();
    fail();
    await settled();
    await bench.time.pass(10_000);
    expect(bench.topics.slice(1)).to.deep.equal(['svc/nas/availability', 'svc/status', 'svc/status']);
  });

  it('repeats its availability every minute: the last will of an older connection may come after it', async () => {
    const bench = new Bench({ availability: true });
    await bench.model(shown());
    await bench.connect();
    await bench.time.pass(125_000);
    const online = bench.sent.filter(({ topic }) => topic === 'svc/nas/availability');
    expect(online.map(({ payload, retain }) => ({ payload, retain }))).to.deep.equal(
      Array.from({ length: 3 }, () => ({ payload: 'online', retain: true })),
    );
    expect(online.map(({ atMs }) => atMs - (online[0]?.atMs ?? 0))).to.deep.equal([0, 60_000, 120_000]);
    bench.sent.length = 0;
    bench.publisher.configure(settings);
    await bench.time.pass(125_000);
    const after = bench.sent.filter(({ topic }) => topic === 'svc/nas/availability');
    expect(after.map(({ payload }) => payload)).to.deep.equal(['']);
  });

  it('removes the documents of a removed UPS, and all of them when discovery is disabled', async () => {
    const bench = new Bench({ discovery: true });
    const [one, other] = [shown(), shown({ name: 'b@127.0.0.1', groupId: 'b-127.0.0.1', label: 'B' })];
    await bench.model(one, other);
    await bench.connect();
    const all = bench.topics.filter((topic) => topic.startsWith('homeassistant/'));
    expect(new Set(all).size).to.equal(all.length);
    bench.sent.length = 0;
    await bench.model(one);
    const emptied = bench.sent.filter(({ payload }) => payload === '').map(({ topic }) => topic);
    expect(emptied).to.deep.equal(all.filter((topic) => topic.includes('/ridethrough_nas_b-')));
    bench.sent.length = 0;
    bench.publisher.configure({ ...settings, discovery: false });
    await settled();
    const rest = bench.sent.filter(({ retain }) => retain);
    expect(rest.map(({ topic }) => topic)).to.deep.equal(
      all.filter((topic) => !topic.includes('/ridethrough_nas_b-')),
    );
    expect(rest.every(({ payload }) => payload === '')).to.equal(true);
  });

  it('removes a document later when the broker was away', async () => {
    const bench = new Bench({ discovery: true });
    await bench.model(shown());
    await bench.connect();
    const count = bench.topics.filter((topic) => topic.startsWith('homeassistant/')).length;
    bench.publisher.connection(false);
    bench.publisher.configure({ ...settings, discovery: false });
    bench.sent.length = 0;
    await bench.connect();
    expect(bench.sent.filter(({ retain, payload }) => retain && payload === '')).to.have.length(count);
  });

  it('repeats no discovery document for a change of readings', async () => {
    const bench = new Bench({ discovery: true });
    await bench.model(shown({ realPower: null }));
    await bench.connect();
    bench.sent.length = 0;
    await bench.model(shown({ realPower: null, load: 99 }));
    await bench.time.pass(1000);
    expect(bench.topics).to.deep.equal(['svc/status', 'svc/nas/status']);
    expect(bench.sent[1]).to.include({ payload: bench.sent[0]?.payload, retain: false });
    await bench.model(shown({ realPower: 120 }));
    expect(bench.topics.filter((topic) => topic.startsWith('homeassistant'))).to.have.length(1);
    await bench.model(shown({ realPower: null }));
    expect(bench.sent.filter(({ payload }) => payload === '')).to.deep.equal([]);
  });
});
