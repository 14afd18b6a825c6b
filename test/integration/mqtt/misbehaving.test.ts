import { expect } from 'chai';
import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { Broker } from '../../fixtures/broker.js';
import type { LoopbackServer } from '../../fixtures/loopback-server.js';
import { onLoopback } from '../../fixtures/loopback-server.js';
import { inTime } from '../../fixtures/in-time.js';
import { includes, until } from '../../fixtures/until.js';
import type { MqttSession, SessionLimits, MqttSessionOptions } from '../../../workers/mqtt/client.js';
import { loadClient, usualLimits } from '../../../workers/mqtt/client.js';

const limits: SessionLimits = { ...usualLimits, keepaliveSeconds: 1, drainMs: 200 };
/** For brokers that never answer. The others have the time of a busy machine. */
const impatient: SessionLimits = { ...limits, connectMs: 400 };
const welcome = Buffer.from([0x20, 2, 0, 0]);

class Attempt {
  readonly warnings: string[] = [];
  session: MqttSession | undefined;

  async to(port: number, change: Partial<MqttSessionOptions> = {}, within = limits): Promise<this> {
    const client = await loadClient(undefined, within);
    if (!client.ok) throw new Error(client.reason);
    const broker = { tls: false, host: '127.0.0.1', port, username: '', password: '', ...change.broker };
    this.session = client.connect(
      { clientId: 'ridethrough-test', authorities: null, will: null, ...change, broker: { ...broker, port } },
      {
        connected: () => void this.warnings.push('connected'),
        ended: (reason) => void this.warnings.push(reason),
      },
    );
    return this;
  }

  async end(): Promise<string> {
    await until(
      () => this.warnings,
      (list) => list.some((word) => word !== 'connected'),
    );
    return this.warnings.at(-1) ?? '';
  }
}

describe('a connection to a misbehaving broker', () => {
  let server: LoopbackServer;
  let sockets: Socket[];
  let behave: (socket: Socket) => void;
  let port: number;
  beforeEach(async () => {
    sockets = [];
    const meet = (socket: Socket): void => {
      sockets.push(socket.resume());
      behave(socket);
    };
    server = await onLoopback(createServer(meet));
    ({ port } = server);
  });
  afterEach(() => server.close());

  it('is given up when the broker never answers', async () => {
    behave = () => undefined;
    expect(await (await new Attempt().to(port, {}, impatient)).end()).to.equal('does not answer');
    await until(() => sockets[0]?.closed);
  });

  it('is given up when the broker never speaks TLS', async () => {
    behave = () => undefined;
    const broker = { tls: true, host: '127.0.0.1', port, username: '', password: '' };
    expect(await (await new Attempt().to(port, { broker }, impatient)).end()).to.equal('does not answer');
  });

  it('fails when the broker closes it immediately', async () => {
    behave = (socket) => socket.end();
    expect(await (await new Attempt().to(port)).end()).to.equal('closed the connection');
  });

  it('fails when the broker answers in another protocol', async () => {
    behave = (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n');
    const reason = await (await new Attempt().to(port, {}, impatient)).end();
    expect(reason).to.be.oneOf(['does not speak MQTT', 'does not answer']);
  });

  it('fails with the reason of a broker that rejects it', async () => {
    behave = (socket) => socket.write(Buffer.from([0x20, 2, 0, 2]));
    expect(await (await new Attempt().to(port)).end()).to.equal('does not accept the id of this client');
  });

  it('is closed when the broker floods it with messages nobody asked for', async () => {
    // A message of 200 MB, as long as the peer reads.
    behave = (socket) => {
      socket.write(Buffer.concat([welcome, Buffer.from([0x30, 0x80, 0x80, 0x80, 0x64])]));
      const pour = (): void => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536)));
      };
      socket.on('drain', pour);
      pour();
    };
    expect(await (await new Attempt().to(port)).end()).to.equal('sends far more data than expected');
    expect(sockets[0]?.bytesWritten).to.be.below(16 * 1024 * 1024);
  });

  it('is given up when the broker freezes during publication, and delays no message', async () => {
    const broker = await Broker.start();
    const attempt = await new Attempt().to(broker.openPort);
    await until(() => attempt.warnings, includes('connected'));
    broker.signal('SIGSTOP');
    const message = { topic: 'svc/status', payload: 'x'.repeat(200_000), retain: false };
    const sending = async (): Promise<void> => {
      while (await attempt.session?.publish(message));
    };
    const sent = sending();
    expect(await attempt.end()).to.equal('closed the connection');
    await sent;
    expect(await attempt.session?.publish(message)).to.equal(false);
    await broker.stop();
  });

  it('is closed without a reply to the disconnect', async () => {
    const broker = await Broker.start();
    const will = { topic: 'svc/availability', payload: 'offline' };
    const attempt = await new Attempt().to(broker.openPort, { will });
    await until(() => attempt.warnings, includes('connected'));
    broker.signal('SIGSTOP');
    const message = { topic: 'svc/status', payload: 'x'.repeat(20_000_000), retain: false };
    void attempt.session?.publish(message);
    await inTime(1_000, attempt.session?.disconnect() ?? Promise.reject(new Error('no session')));
    await broker.stop();
  });
});

describe('the loader of the MQTT library', () => {
  it('returns an error when the library is missing, and does not exit', async () => {
    const loaded = await loadClient(() => Promise.reject(new Error("Cannot find package 'async-mqtt'")));
    expect(loaded).to.deep.equal({ ok: false, reason: "Cannot find package 'async-mqtt'" });
  });
});
