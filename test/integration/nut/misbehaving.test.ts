import { expect } from 'chai';
import type { Socket } from 'node:net';
import { mock } from 'node:test';
import { systemClock } from '../../../shared/runtime/clock.js';
import { NutClient } from '../../../workers/poller/session/client.js';
import { NutTools } from '../../../workers/poller/session/tools.js';
import type { NutAnswer } from '../../../workers/poller/wire/errors.js';
import type { Behaviour, Misbehaving } from '../../fixtures/misbehaving-upsd.js';
import { dribble, flood, goodList, misbehavingUpsd } from '../../fixtures/misbehaving-upsd.js';
import { settled } from '../../fixtures/fake-time.js';
import { heldPort } from '../../fixtures/held-port.js';
import { inTime } from '../../fixtures/in-time.js';
import { tlsOff } from '../../fixtures/poller-settings.js';
import { until } from '../../fixtures/until.js';

/** Short, because several of these servers use it up. */
const deadlineMs = 400;
/** For polls that end before their deadline. */
const patientMs = 20_000;
/** A poll that exceeds its deadline by more than this was stuck, not late. */
const lateMs = 400;
const rows = (count: number, row: (i: number) => string): string =>
  `BEGIN LIST VAR ups\n${Array.from({ length: count }, (_, i) => row(i)).join('')}END LIST VAR ups\n`;

const oneRow = rows(1, () => 'VAR ups a "1"\n');

function client(port: number, mode: 'off' | 'opportunistic' = 'off'): NutClient {
  const tls = { ...tlsOff, mode };
  return new NutClient({ host: '127.0.0.1', port, ups: 'ups', login: null, tls, notice: () => undefined });
}

function detailOf(answer: NutAnswer<unknown>): string {
  return answer.ok ? 'OK' : answer.failure.detail;
}

/** The behaviour of each server, the expected detail, and whether the tools give the same. */
const servers: readonly (readonly [string, Behaviour, string])[] = [
  ['never answers', () => undefined, 'TIMEOUT'],
  ['answers one byte a second', (_line, socket) => dribble(socket, 'BEGIN LIST VAR ups\n', 1000), 'TIMEOUT'],
  [
    'answers without end, one small row at a time',
    (_line, socket) => {
      socket.write('BEGIN LIST VAR ups\n');
      dribble(socket, 'VAR ups a "1"\n'.repeat(1000), 1);
    },
    'TIMEOUT',
  ],
  [
    'closes in the middle of a list',
    (_line, socket) => void socket.end('BEGIN LIST VAR ups\nVAR ups a "1"\n'),
    'SERVER_DOWN',
  ],
  ['closes without an answer', (_line, socket) => void socket.end(), 'SERVER_DOWN'],
  ['resets the connection', (_line, socket) => void socket.resetAndDestroy(), 'SERVER_DOWN'],
  [
    'answers 10 MB of rows',
    (_line, socket) => {
      socket.write('BEGIN LIST VAR ups\n');
      flood(socket, 10_000_000, `VAR ups a "${'x'.repeat(480)}"\n`.repeat(20));
    },
    'PROTOCOL_ERROR',
  ],
  [
    'answers 100,000 variables',
    (_line, socket) => void socket.write(rows(100_000, (i) => `VAR ups v${String(i)} "1"\n`)),
    'PROTOCOL_ERROR',
  ],
  [
    'answers 10 MB without a line break',
    (_line, socket) => flood(socket, 10_000_000, 'x'.repeat(65_536)),
    'PROTOCOL_ERROR',
  ],
  [
    'answers a list with a wrong END',
    (_line, socket) => void socket.write('BEGIN LIST VAR ups\nVAR ups a "1"\nEND LIST VAR other\n'),
    'PROTOCOL_ERROR',
  ],
  [
    'answers binary rubbish',
    (_line, socket) => void socket.write(Buffer.from(Array.from({ length: 600 }, (_, i) => (i * 97) % 256))),
    'PROTOCOL_ERROR',
  ],
  [
    'answers a web page',
    (_line, socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    'PROTOCOL_ERROR',
  ],
  [
    'says more than it was asked',
    (_line, socket) => void socket.write(`${rows(1, () => 'VAR ups a "1"\n')}VAR ups b "2"\n`),
    'PROTOCOL_ERROR',
  ],
  ...(
    [
      ['UNKNOWN-COMMAND', 'PROTOCOL_ERROR'],
      ['DATA-STALE', 'DATA_STALE'],
      ['DRIVER-NOT-CONNECTED', 'DRIVER_NOT_CONNECTED'],
      ['UNKNOWN-UPS', 'UNKNOWN_UPS'],
      ['ACCESS-DENIED', 'ACCESS_DENIED'],
      ['USERNAME-REQUIRED', 'ACCESS_DENIED'],
    ] as const
  ).map(
    ([code, detail]) =>
      [
        `answers ERR ${code} to everything`,
        (_line, socket) => void socket.write(`ERR ${code} and more words\n`),
        detail,
      ] as const satisfies readonly [string, Behaviour, string],
  ),
];

describe('a poll of a server that', () => {
  let server: Misbehaving;
  afterEach(() => server.stop());

  for (const [what, behaviour, detail] of servers) {
    it(`${what} fails with ${detail} within its deadline`, async () => {
      server = await misbehavingUpsd(behaviour);
      const transport = client(server.port);
      // The deadline must not end what is judged by its answer.
      const limitMs = detail === 'TIMEOUT' ? deadlineMs : patientMs;
      const answer = await inTime(deadlineMs + lateMs, transport.readVariables(limitMs));
      expect(detailOf(answer)).to.equal(detail);
      const message = answer.ok ? '' : answer.failure.message;
      expect(message).to.have.length.within(1, 1024);
      transport.close();
      await until(() => server.connections() === 0);
    });
  }

  for (const [what, behaviour] of [
    ['ends its lines with LF CR', (_line, socket) => void socket.write(oneRow.replaceAll('\n', '\n\r'))],
    ['ends its list with an empty line', (_line, socket) => void socket.write(`${oneRow}\r\n`)],
    ['ends its list without a line break', (_line, socket) => void socket.end(oneRow.trimEnd())],
    [
      'ends its list with an empty line that comes later',
      (_line, socket) => {
        socket.write(oneRow);
        setTimeout(() => socket.write('\n'), 20);
      },
    ],
  ] as const satisfies readonly (readonly [string, Behaviour])[])
    it(`${what} is read`, async () => {
      server = await misbehavingUpsd(behaviour);
      const transport = client(server.port);
      for (let i = 0; i < 2; i += 1) {
        expect(await transport.readVariables(patientMs)).to.deep.equal({ ok: true, value: { a: '1' } });
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      transport.close();
    });

  it('is slow fails with TIMEOUT and the advice to poll less often', async () => {
    server = await misbehavingUpsd((line, socket) => {
      if (line.startsWith('LIST')) socket.write('BEGIN LIST VAR ups\n');
      else goodList(line, socket);
    });
    const transport = client(server.port);
    expect(await transport.readVariables(deadlineMs)).to.have.nested.property(
      'failure.message',
      `the server did not end its answer within ${String(deadlineMs)} ms; where it is slow, a longer check_interval gives it up to 10 s`,
    );
    transport.close();
  });

  it('speaks first fails with PROTOCOL_ERROR', async () => {
    server = await misbehavingUpsd(goodList, (socket) => void socket.write('Welcome!\n'));
    const transport = client(server.port);
    expect(detailOf(await transport.readVariables(patientMs))).to.equal('PROTOCOL_ERROR');
    transport.close();
  });

  it('answers nothing fails with TIMEOUT through the tools, and leaves no process', async () => {
    server = await misbehavingUpsd(() => undefined);
    const tools = new NutTools({ name: `ups@127.0.0.1:${String(server.port)}`, login: null });
    expect(detailOf(await tools.readVariables(deadlineMs))).to.equal('TIMEOUT');
    await until(() => server.connections() === 0);
    tools.close();
  });

  it('answers 100,000 variables fails with PROTOCOL_ERROR through the tools', async () => {
    const answer = `BEGIN LIST VAR ups\n${'VAR ups ups.mfr "x"\n'.repeat(100_000)}END LIST VAR ups\n`;
    server = await misbehavingUpsd((_line, socket) => void socket.write(answer));
    const tools = new NutTools({ name: `ups@127.0.0.1:${String(server.port)}`, login: null });
    expect(detailOf(await tools.readVariables(patientMs))).to.equal('PROTOCOL_ERROR');
    tools.close();
  });
});

describe('the connection to a server', () => {
  let server: Misbehaving | undefined;
  afterEach(() => {
    mock.reset();
    return server?.stop();
  });

  it('to a closed port fails with SERVER_DOWN immediately', async () => {
    const transport = client(await heldPort());
    expect(detailOf(await inTime(1_000, transport.readVariables(patientMs)))).to.equal('SERVER_DOWN');
    transport.close();
  });

  it('is kept from poll to poll', async () => {
    server = await misbehavingUpsd(goodList);
    const transport = client(server.port);
    for (let i = 0; i < 5; i += 1) expect(detailOf(await transport.readVariables(patientMs))).to.equal('OK');
    expect(server.accepted()).to.equal(1);
    transport.close();
  });

  it('is never reused after a missed deadline: a late answer is discarded', async () => {
    let first: Socket | undefined;
    server = await misbehavingUpsd((line, socket) => {
      if ((first ??= socket) !== socket) goodList(line, socket);
    });
    const transport = client(server.port);
    expect(detailOf(await transport.readVariables(deadlineMs))).to.equal('TIMEOUT');
    await until(() => first);
    first?.write('BEGIN LIST VAR ups\nVAR ups late "1"\nEND LIST VAR ups\n');
    const next = await transport.readVariables(patientMs);
    expect(next.ok && next.value).to.deep.equal({ 'ups.status': 'OL' });
    expect(server.accepted()).to.equal(2);
    transport.close();
  });

  it('costs no poll when the server closes it while it is idle', async () => {
    server = await misbehavingUpsd((line, socket) => {
      goodList(line, socket);
      socket.end();
    });
    const transport = client(server.port);
    for (let i = 0; i < 3; i += 1) expect(detailOf(await transport.readVariables(patientMs))).to.equal('OK');
    expect(server.accepted()).to.equal(3);
    transport.close();
  });

  it('is used before the server drops it for idleness', async () => {
    server = await misbehavingUpsd(goodList);
    const { received, port } = server;
    const transport = new NutClient({
      host: '127.0.0.1',
      port,
      ups: 'ups',
      login: null,
      tls: tlsOff,
      notice: () => undefined,
      idleMs: 50,
    });
    await transport.readVariables(patientMs);
    await until(() => received.filter((line) => line === 'VER').length >= 2);
    expect(server.accepted()).to.equal(1);
    transport.close();
  });

  it('is not retried in a loop after a failure, and delays a poll by one second at most', async () => {
    server = await misbehavingUpsd(
      (_line, socket) => void socket.write('ERR UNKNOWN-COMMAND\n'),
      (socket) => socket.destroy(),
    );
    // The pauses grow by this clock, which stands still: they are the same on a busy machine.
    const nowMs = systemClock.monotonicMs();
    mock.method(systemClock, 'monotonicMs', () => nowMs);
    const transport = client(server.port);
    const polls = async (): Promise<void> => {
      for (let i = 0; i < 4; i += 1) await transport.readVariables(patientMs);
    };
    await inTime(4 * deadlineMs, polls());
    expect(server.accepted()).to.equal(4);
    mock.timers.enable({ apis: ['setTimeout'] });
    const next = transport.readVariables(patientMs);
    await settled();
    expect(server.accepted()).to.equal(4);
    mock.timers.tick(1_000);
    mock.timers.reset();
    await until(() => server?.accepted() === 5);
    transport.close();
    await next;
  });

  it('continues in plain text on a server without TLS, and asks for TLS once', async () => {
    server = await misbehavingUpsd((line, socket) => {
      goodList(line, socket);
      if (line !== 'STARTTLS') socket.end();
    });
    const transport = client(server.port, 'opportunistic');
    for (let i = 0; i < 3; i += 1) expect(detailOf(await transport.readVariables(patientMs))).to.equal('OK');
    expect(server.received.filter((line) => line === 'STARTTLS')).to.have.length(1);
    transport.close();
  });
});
