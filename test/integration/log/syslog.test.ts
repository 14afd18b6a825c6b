import { expect } from 'chai';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { record } from '../../workers/log/record.js';
import { Fixture } from './fixture.js';
import { heldPort } from '../../fixtures/held-port.js';
import { descendants, isAlive } from '../../fixtures/processes.js';
import { until } from '../../fixtures/until.js';

describe('the local syslog outlet', () => {
  let fixture: Fixture;
  beforeEach(() => {
    fixture = new Fixture();
  });
  afterEach(() => fixture.end());

  const settings = () => ({ syslog: { address: fixture.path('dev-log'), facility: 'local3' } });

  it('writes RFC 3164 packets with the daemon as tag, in order', async () => {
    const { packets } = await fixture.datagrams('dev-log');
    const log = await fixture.log(settings(), fixture.path('stderr'));
    await log.write([record({ level: 'error', message: 'one' }), record({ message: 'two\n<0>forged' })]);
    await until(() => packets.length === 2);
    const tag = `ridethrough[${String(process.pid)}]: `;
    expect(packets[0]).to.match(/^<155>[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d ridethrough\[/);
    expect(packets[0]?.split(tag)[1]).to.equal('policy: one');
    expect(packets[1]?.split(tag)[1]).to.equal('policy: two\\n<0>forged');
  });

  it('writes at most 1024 bytes a packet', async () => {
    const { packets } = await fixture.datagrams('dev-log');
    const log = await fixture.log(settings(), fixture.path('stderr'));
    await log.write([record({ message: 'ü'.repeat(3000) }), record({ message: 'after' })]);
    await until(() => packets.length === 2);
    expect(Buffer.byteLength(packets[0] ?? '')).to.be.within(1020, 1024);
    expect(packets[0]).to.match(/ü \[cut\]$/);
    expect(packets[1]).to.match(/policy: after$/);
  });

  it('buffers lines while the socket is absent, at the start and later', async () => {
    const log = await fixture.log(settings(), fixture.path('stderr'));
    await log.write([record({ message: 'before' })]);
    await until(() => fixture.text('stderr').includes('cannot be written (ENOENT'));
    const first = await fixture.datagrams('dev-log');
    await until(() => first.packets.some((packet) => packet.endsWith('before')));
    first.process.kill('SIGKILL');
    await once(first.process, 'exit');
    rmSync(fixture.path('dev-log'));
    await log.write([record({ message: 'between' })]);
    const second = await fixture.datagrams('dev-log');
    await until(() => second.packets.some((packet) => packet.endsWith('between')));
  });

  it('does not block on a socket that stalls, and catches up when it continues', async () => {
    const { packets, process: daemon } = await fixture.datagrams('dev-log');
    const log = await fixture.log(settings(), fixture.path('stderr'));
    daemon.kill('SIGSTOP');
    for (let n = 0; n < 20; n += 1)
      await log.write(
        Array.from({ length: 100 }, (_, m) => record({ message: `line ${String(n * 100 + m)}` })),
      );
    await log.heartbeat();
    await log.heartbeat();
    daemon.kill('SIGCONT');
    await until(() => packets.length === 2000);
    expect(packets.map((packet) => Number(/line (\d+)$/.exec(packet)?.[1]))).to.deep.equal(
      Array.from({ length: 2000 }, (_, n) => n),
    );
  });

  it('reports an error of logger immediately, without filling the log', async () => {
    await fixture.datagrams('dev-log');
    const path = process.env['PATH'];
    const complainer = `#!/bin/sh\necho "logger: send message failed: Operation not permitted" >&2
while read -r line; do echo "logger: send message failed: Operation not permitted" >&2; echo "$line" | cut -c1-40 >&2; done\n`;
    writeFileSync(fixture.path('logger'), complainer, { mode: 0o755 });
    process.env['PATH'] = `${fixture.directory}:${path ?? ''}`;
    const log = await fixture
      .log(settings(), fixture.path('stderr'))
      .finally(() => (process.env['PATH'] = path));
    await log.write([record({ message: 'one' })]);
    const said = () =>
      fixture
        .text('stderr')
        .split('\n')
        .filter((line) => line.includes('logger reports'));
    await until(() => said().length >= 2);
    expect(said()[0]).to.match(
      /WARNING log: syslog at .*dev-log: logger reports "logger: send message failed: Operation not permitted": /i,
    );
    // A report of an error must not cause another error report.
    await log.write(Array.from({ length: 500 }, (_, n) => record({ message: `line ${String(n)}` })));
    await log.write([record({ message: 'the last line' })]);
    await until(() => fixture.text('stderr').includes('the last line'));
    await log.heartbeat();
    expect(said().length).to.be.at.most(8);
    for (const line of said()) expect(line.length).to.be.below(700);
  });

  it('leaves no child process when the log process is killed', async () => {
    const { packets, process: daemon } = await fixture.datagrams('dev-log');
    const log = await fixture.log(settings(), fixture.path('stderr'));
    await log.write([record({ message: 'one' })]);
    await until(() => packets.length === 1);
    const children = descendants(log.child.pid ?? 0).map(({ pid }) => pid);
    expect(children).to.have.length(1);
    daemon.kill('SIGSTOP');
    await log.write(Array.from({ length: 2000 }, () => record({ message: 'x'.repeat(500) })));
    await log.kill();
    await until(() => !isAlive(children[0] ?? 0));
  });
});

describe('the UDP syslog outlet', () => {
  let fixture: Fixture;
  beforeEach(() => {
    fixture = new Fixture();
  });
  afterEach(() => fixture.end());

  it('sends one RFC 3164 packet a line', async () => {
    const { socket, packets, port } = await listening(0);
    const log = await fixture.log(
      { syslog: { address: `127.0.0.1:${String(port)}`, facility: 'daemon' } },
      fixture.path('stderr'),
    );
    await log.write([record({ level: 'warning', ups: 'office' }), record({ message: 'two' })]);
    await until(() => packets.length === 2);
    socket.close();
    expect(packets[0]).to.match(
      /^<28>[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [^ .]+ ridethrough\[\d+\]: policy ups=office: on line power$/,
    );
  });

  it('survives a host that refuses packets, and continues when it listens', async () => {
    const port = await heldPort();
    const log = await fixture.log(
      { syslog: { address: `127.0.0.1:${String(port)}`, facility: 'daemon' } },
      fixture.path('stderr'),
    );
    // The rejection of a packet is reported with a later one.
    for (let n = 0; !fixture.text('stderr').includes('ECONNREFUSED'); n += 1) {
      await log.write([record({ message: `line ${String(n)}` })]);
      await log.heartbeat();
    }
    const back = await listening(port);
    await log.write([record({ message: 'the last line' })]);
    await until(() => back.packets.some((packet) => packet.endsWith('the last line')));
    back.socket.close();
  });
});

async function listening(port: number) {
  const socket = createSocket('udp4');
  const packets: string[] = [];
  socket.on('message', (packet) => void packets.push(packet.toString()));
  socket.bind(port, '127.0.0.1');
  await once(socket, 'listening');
  return { socket, packets, port: socket.address().port };
}
