import { expect } from 'chai';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { Broker } from '../../fixtures/broker.js';
import { inTime } from '../../fixtures/in-time.js';
import { until } from '../../fixtures/until.js';
import type { SessionOptions, Session } from '../../../workers/mqtt/client.js';
import { loadClient, usualLimits } from '../../../workers/mqtt/client.js';

const limits = { ...usualLimits, connectMs: 400, keepaliveSeconds: 1, partingMs: 200 };
const welcome = Buffer.from([0x20, 2, 0, 0]);

class Attempt {
  readonly told: string[] = [];
  session: Session | undefined;

  async to(port: number, change: Partial<SessionOptions> = {}): Promise<this> {
    const client = await loadClient(undefined, limits);
    if (!client.ok) throw new Error(client.reason);
    const broker = { tls: false, host: '127.0.0.1', port, username: '', password: '', ...change.broker };
    this.session = client.connect(
      { clientId: 'ridethrough-test', authorities: null, will: null, ...change, broker: { ...broker, port } },
      { connected: () => void this.told.push('connected'), ended: (reason) => void this.told.push(reason) },
    );
    return this;
  }

  async end(withinMs: number): Promise<string> {
    await until(
      () => this.told,
      (list) => list.some((word) => word !== 'connected'),
      withinMs,
    );
    return this.told.at(-1) ?? '';
  }
}

describe('a connection to a broker that misbehaves', () => {
  let server: Server;
  let sockets: Socket[];
  let behave: (socket: Socket) => void;
  let port: number;
  beforeEach(async () => {
    sockets = [];
    server = createServer((socket) => {
      sockets.push(socket.resume());
      socket.on('error', () => undefined);
      behave(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('that accepts and never speaks is given up', async () => {
    behave = () => undefined;
    expect(await (await new Attempt().to(port)).end(2000)).to.equal('does not answer');
    await until(() => sockets[0]?.closed, Boolean);
  });

  it('that never speaks TLS is given up', async () => {
    behave = () => undefined;
    const broker = { tls: true, host: '127.0.0.1', port, username: '', password: '' };
    expect(await (await new Attempt().to(port, { broker })).end(2000)).to.equal('does not answer');
  });

  it('that closes at once', async () => {
    behave = (socket) => socket.end();
    expect(await (await new Attempt().to(port)).end(2000)).to.equal('closed the connection');
  });

  it('that answers with something else', async () => {
    behave = (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n');
    const reason = await (await new Attempt().to(port)).end(2000);
    expect(reason).to.be.oneOf(['does not speak MQTT', 'does not answer']);
  });

  it('that refuses with a reason', async () => {
    behave = (socket) => socket.write(Buffer.from([0x20, 2, 0, 2]));
    expect(await (await new Attempt().to(port)).end(2000)).to.equal('does not accept the id of this client');
  });

  it('that pours out what nobody asked for is left', async () => {
    // A message of 200 MB, as long as somebody takes it.
    behave = (socket) => {
      socket.write(Buffer.concat([welcome, Buffer.from([0x30, 0x80, 0x80, 0x80, 0x64])]));
      const pour = (): void => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536)));
      };
      socket.on('drain', pour);
      pour();
    };
    expect(await (await new Attempt().to(port)).end(2000)).to.equal('sends far more data than expected');
    expect(sockets[0]?.bytesWritten).to.be.below(16 * 1024 * 1024);
  });

  it('that freezes is noticed although messages go out, and keeps none of them waiting', async () => {
    const broker = await Broker.start();
    const attempt = await new Attempt().to(broker.openPort);
    await until(
      () => attempt.told,
      (told) => told.includes('connected'),
    );
    broker.signal('SIGSTOP');
    const message = { topic: 'svc/status', payload: 'x'.repeat(200_000), retain: false };
    const sending = async (): Promise<void> => {
      while (await attempt.session?.publish(message));
    };
    const sent = sending();
    expect(await attempt.end(5000)).to.equal('closed the connection');
    await sent;
    expect(await attempt.session?.publish(message)).to.equal(false);
    await broker.stop();
  });

  it('that takes no goodbye is left without one', async () => {
    const broker = await Broker.start();
    const will = { topic: 'svc/availability', payload: 'offline' };
    const attempt = await new Attempt().to(broker.openPort, { will });
    await until(
      () => attempt.told,
      (told) => told.includes('connected'),
    );
    broker.signal('SIGSTOP');
    const message = { topic: 'svc/status', payload: 'x'.repeat(20_000_000), retain: false };
    void attempt.session?.publish(message);
    await inTime(1_000, attempt.session?.disconnect() ?? Promise.reject(new Error('no session')));
    await broker.stop();
  });
});

describe('the MQTT library', () => {
  it('that is not there is an answer, not an end', async () => {
    const loaded = await loadClient(() => Promise.reject(new Error("Cannot find package 'async-mqtt'")));
    expect(loaded).to.deep.equal({ ok: false, reason: "Cannot find package 'async-mqtt'" });
  });
});
