// Commands and writes on the wire: login, tracking, and servers that lack one of them. Over both transports.
import { expect } from 'chai';
import { NutClient } from '../../../workers/poller/session/client.js';
import { NutTools } from '../../../workers/poller/session/tools.js';
import type { NutTransport } from '../../../workers/poller/wire/transport.js';
import { wordsOf } from '../../../workers/poller/wire/wire.js';
import { inTime } from '../../fixtures/in-time.js';
import type { Behaviour, Misbehaving } from '../../fixtures/misbehaving-upsd.js';
import { misbehavingUpsd } from '../../fixtures/misbehaving-upsd.js';
import { tlsOff as tls } from '../../fixtures/poller-settings.js';

const login = { username: 'admin', password: 'a "b" \\ #c' };
const patientMs = 20_000;

/** Answers by the first two words of a line; the last answer of a list repeats. */
function scripted(answers: Readonly<Record<string, string | string[]>>): Behaviour {
  return (line, socket) => {
    const [verb = '', second = ''] = wordsOf(line) ?? [];
    const answer = answers[`${verb} ${second}`] ?? answers[verb] ?? 'ERR UNKNOWN-COMMAND';
    const text = typeof answer === 'string' ? answer : answer.length > 1 ? answer.shift() : answer[0];
    socket.write(`${text ?? ''}\n`);
  };
}

const accounts = { USERNAME: 'OK', PASSWORD: 'OK' };
const id = '324CC4F7-2E28-4F2F-8A62-D282815E7FF7';

for (const kind of ['network', 'tools'] as const) {
  describe(`a command over the ${kind} transport`, () => {
    let server: Misbehaving;
    let transport: NutTransport;
    afterEach(async () => {
      transport.close();
      await server.stop();
    });
    async function start(behaviour: Behaviour): Promise<void> {
      server = await misbehavingUpsd(behaviour);
      const { host, port } = server;
      transport =
        kind === 'network'
          ? new NutClient({ host, port, ups: 'ups', login, tracks: true, tls, notice: () => undefined })
          : new NutTools({ name: `ups@${host}:${String(port)}`, login });
    }
    const heardWords = (): (readonly string[] | undefined)[] =>
      server.received.map(wordsOf).filter((words) => words?.[0] !== 'LOGOUT' && words?.[0] !== 'STARTTLS');

    it('logs in, quotes where needed, and waits until the driver has executed it', async () => {
      await start(
        scripted({
          ...accounts,
          'SET TRACKING': 'OK',
          INSTCMD: `OK TRACKING ${id}`,
          'GET TRACKING': ['PENDING', 'PENDING', 'SUCCESS'],
        }),
      );
      const done = await transport.runCommand('test.battery.start', '10 s', patientMs);
      expect(done).to.deep.equal({ ok: true, value: 'SUCCESS' });
      expect(heardWords().slice(0, 4)).to.deep.equal([
        ['USERNAME', login.username],
        ['PASSWORD', login.password],
        ['SET', 'TRACKING', 'ON'],
        ['INSTCMD', 'ups', 'test.battery.start', '10 s'],
      ]);
    });

    it('fails when the driver fails, even if the server accepted it', async () => {
      await start(
        scripted({
          ...accounts,
          'SET TRACKING': 'OK',
          INSTCMD: `OK TRACKING ${id}`,
          'GET TRACKING': 'ERR FAILED',
        }),
      );
      const done = await transport.runCommand('beeper.mute', null, patientMs);
      expect(done).to.have.nested.property('failure.code', 'FAILED');
    });

    it('is accepted, not done, on a server without tracking', async () => {
      await start(scripted({ ...accounts, INSTCMD: 'OK' }));
      expect(await transport.runCommand('beeper.mute', null, patientMs)).to.deep.equal({
        ok: true,
        value: 'OK',
      });
    });

    it('is sent once when the server rejects it for lack of tracking', async () => {
      await start(scripted({ ...accounts, INSTCMD: 'OK' }));
      await transport.runCommand('beeper.mute', null, patientMs);
      expect(server.received.filter((line) => line.startsWith('INSTCMD'))).to.have.length(1);
    });

    it('writes a value with quotes, backslashes and hashes unchanged', async () => {
      const value = 'rack "7" \\ #1 = x';
      await start(scripted({ ...accounts, 'SET TRACKING': 'OK', 'SET VAR': 'OK' }));
      expect(await transport.writeVariable('ups.id', value, patientMs)).to.have.property('ok', true);
      expect(heardWords()).to.deep.include(['SET', 'VAR', 'ups', 'ups.id', value]);
    });

    it('says that it may have been done when its answer is lost', async () => {
      await start((line, socket) => {
        if (line.startsWith('SET VAR')) return;
        socket.write(line.startsWith('SET TRACKING') ? 'ERR UNKNOWN-COMMAND\n' : 'OK\n');
      });
      expect(await transport.writeVariable('ups.id', 'x', 600))
        .to.have.nested.property('failure.message')
        .that.matches(/^it is not known whether it was done: /);
    });

    it('times out when the server never confirms it', async () => {
      await start(
        scripted({
          ...accounts,
          'SET TRACKING': 'OK',
          INSTCMD: `OK TRACKING ${id}`,
          'GET TRACKING': 'PENDING',
        }),
      );
      const done = await inTime(800, transport.runCommand('beeper.mute', null, 400));
      expect(done).to.have.nested.property('failure.detail', 'TIMEOUT');
    });
  });
}

describe('the network transport', () => {
  let server: Misbehaving;
  let client: NutClient;
  afterEach(async () => {
    client.close();
    await server.stop();
  });
  async function start(behaviour: Behaviour): Promise<void> {
    server = await misbehavingUpsd(behaviour);
    const { host, port } = server;
    client = new NutClient({ host, port, ups: 'ups', login, tracks: true, tls, notice: () => undefined });
  }

  it('continues without a login on a server without accounts, and does not retry the login', async () => {
    await start(scripted({ INSTCMD: 'OK' }));
    for (let i = 0; i < 2; i += 1) {
      expect(await client.runCommand('beeper.mute', null, patientMs)).to.have.property('ok', true);
      client.disconnect();
    }
    expect(server.received.filter((line) => /^(?:USERNAME|PASSWORD)/.test(line))).to.have.length(2);
  });

  it('says of a command that was not sent only why', async () => {
    await start(() => undefined);
    expect(await client.runCommand('beeper.mute', null, 300))
      .to.have.nested.property('failure.message')
      .that.matches(/^the server did not answer/);
    expect(server.received.some((line) => line.startsWith('INSTCMD'))).to.equal(false);
  });

  it('never sends a command twice, even if the connection breaks before the answer', async () => {
    await start((line, socket) => {
      if (line.startsWith('INSTCMD') && server.received.filter((l) => l.startsWith('INSTCMD')).length > 1)
        socket.destroy();
      else socket.write('OK\n');
    });
    expect(await client.runCommand('beeper.mute', null, patientMs)).to.have.property('ok', true);
    const broken = await client.runCommand('beeper.mute', null, patientMs);
    expect(broken).to.have.nested.property('failure.detail', 'SERVER_DOWN');
    expect(server.received.filter((line) => line.startsWith('INSTCMD'))).to.have.length(2);
  });

  it('lists choices and ranges of a variable, and remembers what the server does not support', async () => {
    const rows = (of: string, ...lines: string[]): string =>
      [`BEGIN LIST ${of}`, ...lines, `END LIST ${of}`].join('\n');
    await start((line, socket) => {
      const answers: Record<string, string> = {
        'LIST RW ups': rows('RW ups', 'RW ups a.choice "x"', 'RW ups a.range "90"', 'RW ups a.other "1"'),
        'GET TYPE ups a.choice': 'TYPE ups a.choice RW ENUM STRING:8',
        'GET TYPE ups a.range': 'TYPE ups a.range RW RANGE NUMBER',
        'LIST ENUM ups a.choice': rows(
          'ENUM ups a.choice',
          'ENUM ups a.choice "x"',
          'ENUM ups a.choice "y \\"z\\""',
        ),
        'LIST RANGE ups a.range': rows(
          'RANGE ups a.range',
          'RANGE ups a.range "85" "95"',
          'RANGE ups a.range "a" "b"',
        ),
      };
      socket.write(`${answers[line] ?? (/^(?:USER|PASS|SET)/.test(line) ? 'OK' : 'ERR INVALID-ARGUMENT')}\n`);
    });
    const listed = await client.listWritable(['a.choice', 'a.range'], patientMs);
    expect(listed.ok && listed.value).to.deep.equal([
      { name: 'a.choice', type: 'ENUM STRING:8', value: 'x', enum: ['x', 'y "z"'] },
      { name: 'a.range', type: 'RANGE NUMBER', value: '90', range: [{ min: 85, max: 95 }] },
    ]);
    for (let i = 0; i < 2; i += 1)
      expect(await client.listCommands(patientMs)).to.deep.equal({ ok: true, value: [] });
    expect(server.received.filter((line) => line.startsWith('LIST CMD'))).to.have.length(1);
  });
});

describe('the tools transport', () => {
  const path = process.env['PATH'];
  afterEach(() => {
    process.env['PATH'] = path;
  });

  it('fails with TOOL_MISSING when the program is not installed', async () => {
    process.env['PATH'] = '/nonexistent';
    const tools = new NutTools({ name: 'ups@127.0.0.1', login });
    const failures = await Promise.all([
      tools.readVariables(patientMs),
      tools.listCommands(patientMs),
      tools.runCommand('beeper.mute', null, patientMs),
    ]);
    for (const answer of failures) expect(answer).to.have.nested.property('failure.detail', 'TOOL_MISSING');
  });
});
