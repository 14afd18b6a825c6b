import { expect } from 'chai';
import type { LogRecord } from '../../../shared/domain/status/log-record.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import type { MqttSession, SessionListener } from '../../../workers/mqtt/client.js';
import type { BrokerTarget } from '../../../workers/mqtt/connection.js';
import { BrokerConnection } from '../../../workers/mqtt/connection.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';

const target: BrokerTarget = {
  broker: { tls: true, host: 'broker.example', port: 8883, username: 'u', password: 'p' },
  clientId: 'ridethrough-0',
  will: null,
  look: 'svc/+/availability',
};

/** A broker that treats every connection as the test says. */
class Bench {
  readonly time = new FakeTime();
  readonly log: LogRecord[] = [];
  readonly attemptsAtMs: number[] = [];
  readonly told: boolean[] = [];
  readonly listeners: SessionListener[] = [];
  parted = 0;
  readonly looks: string[] = [];
  readonly #start = this.time.monotonicMs();
  readonly connection = new BrokerConnection({
    connect: (_opening, listener): MqttSession => {
      this.attemptsAtMs.push(this.time.monotonicMs() - this.#start);
      this.listeners.push(listener);
      return {
        look: (filter) => void this.looks.push(filter),
        publish: () => Promise.resolve(true),
        disconnect: () => ((this.parted += 1), Promise.resolve()),
        destroy: () => undefined,
      };
    },
    authorities: () => Promise.resolve(null),
    setTimer: this.time.setTimer,
    log: loggerTo('mqtt', this.time, (record) => void this.log.push(record)),
    changed: (connected) => void this.told.push(connected),
    heard: () => undefined,
  });

  async begin(): Promise<void> {
    this.connection.configure(target);
    await settled();
  }

  end(reason = 'refuses the connection'): void {
    this.listeners.at(-1)?.ended(reason);
  }

  /** Every attempt of the next `ms` fails immediately. */
  async failFor(ms: number): Promise<void> {
    const end = this.time.monotonicMs() + ms;
    let seen = this.listeners.length - 1;
    while (this.time.monotonicMs() < end) {
      if (this.listeners.length > seen) {
        seen = this.listeners.length;
        this.end();
      }
      await this.time.pass(100);
    }
  }
}

describe('the reconnection to an MQTT broker', () => {
  it('waits 1 s, 2 s, 4 s and so on, up to a minute', async () => {
    const bench = new Bench();
    await bench.begin();
    await bench.failFor(300_000);
    const gaps = bench.attemptsAtMs
      .slice(1)
      .map((at, index) => Math.round((at - (bench.attemptsAtMs[index] ?? 0)) / 1000));
    expect(gaps).to.deep.equal([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('looks for other daemons at the first connection only: some brokers end the one that asks', async () => {
    const bench = new Bench();
    await bench.begin();
    bench.listeners.at(-1)?.connected();
    bench.end();
    await bench.time.pass(2_000);
    bench.listeners.at(-1)?.connected();
    expect(bench.listeners).to.have.length(2);
    expect(bench.looks).to.deep.equal(['svc/+/availability']);
    bench.connection.configure({ ...target, look: 'ups/+/availability' });
    await settled();
    bench.listeners.at(-1)?.connected();
    expect(bench.looks).to.deep.equal(['svc/+/availability', 'ups/+/availability']);
  });

  it('logs each reason once', async () => {
    const bench = new Bench();
    await bench.begin();
    await bench.failFor(120_000);
    expect(bench.log.map(({ level, message }) => `${level}: ${message}`)).to.deep.equal([
      'warning: the broker mqtts://broker.example:8883 refuses the connection. Nothing is published until it is connected again; the next attempts follow at most 60 s apart.',
    ]);
  });

  it('starts again with 1 s after a lasting connection', async () => {
    const bench = new Bench();
    await bench.begin();
    await bench.failFor(20_000);
    await bench.time.pass(60_000);
    bench.listeners.at(-1)?.connected();
    await bench.time.pass(10_000);
    const before = bench.attemptsAtMs.length;
    bench.end('closed the connection');
    await bench.time.pass(999);
    expect(bench.attemptsAtMs).to.have.length(before);
    await bench.time.pass(1);
    expect(bench.attemptsAtMs).to.have.length(before + 1);
    expect(bench.told).to.deep.equal([true, false]);
  });

  it('keeps its backoff for a broker that accepts and then disconnects', async () => {
    const bench = new Bench();
    await bench.begin();
    for (let second = 0; second < 300; second += 1) {
      if (bench.listeners.length > bench.told.length / 2) {
        bench.listeners.at(-1)?.connected();
        bench.end('closed the connection');
      }
      await bench.time.pass(1000);
    }
    expect(bench.attemptsAtMs.length).to.be.at.most(10);
    const texts = bench.log.map(({ message }) => message);
    expect(texts).to.have.length(2);
    expect(texts[1]).to.contain(
      'closed the connection within 10 s: check its access rules, and that no other client has the id ridethrough-0',
    );
    bench.listeners.at(-1)?.connected();
    expect(bench.log).to.have.length(2);
    await bench.time.pass(10_000);
    expect(bench.log.at(-1)?.message).to.equal('connected to the broker mqtts://broker.example:8883');
  });

  it('ignores a reload without a change for MQTT, and reconnects after one with a change', async () => {
    const bench = new Bench();
    await bench.begin();
    bench.listeners[0]?.connected();
    bench.connection.configure({ ...target });
    await settled();
    expect(bench.attemptsAtMs).to.have.length(1);
    bench.connection.configure({ ...target, broker: { ...target.broker, port: 1 } });
    await settled();
    expect({ attempts: bench.attemptsAtMs.length, parted: bench.parted }).to.deep.equal({
      attempts: 2,
      parted: 1,
    });
    bench.listeners[0]?.ended('closed the connection');
    await bench.time.pass(60_000);
    expect(bench.attemptsAtMs).to.have.length(2);
  });

  it('stops when it is closed during the backoff', async () => {
    const bench = new Bench();
    await bench.begin();
    bench.end();
    await bench.connection.close();
    expect(bench.time.pendingTimers).to.equal(0);
    await bench.time.pass(120_000);
    expect(bench.attemptsAtMs).to.have.length(1);
  });
});
