import { expect } from 'chai';
import type { NutAnswer } from '../../../workers/poller/errors.js';
import { answered, failed, refused } from '../../../workers/poller/errors.js';
import { ControlQueue } from '../../../workers/poller/control.js';
import type { NutTransport } from '../../../workers/poller/transport.js';

const control = {
  username: 'admin',
  password: 'secret',
  allowedCommands: [
    'beeper.mute',
    'test.battery.start',
    'shutdown.stop',
    'shutdown.return',
    'load.off',
    'OUTLET.1.LOAD.OFF',
    'driver.killpower',
  ],
  allowedVariables: ['ups.id', 'ups.timer.shutdown', 'Outlet.1.Switch'],
  timeoutMs: 1000,
};

/** Writes down what it is asked; answers when the test says so. */
class Recorder implements NutTransport {
  readonly asked: string[] = [];
  readonly deadlines: number[] = [];
  disconnects = 0;
  #answers: ((answer: NutAnswer<string>) => void)[] = [];

  readVariables = (): never => neverAsked();
  /** With one that no device has and no link carries. */
  listCommands = () =>
    Promise.resolve(
      answered(['beeper.mute', 'x'.repeat(257)].map((name) => ({ name, description: 'Mute' }))),
    );
  listWritable = (names: readonly string[]) =>
    Promise.resolve(answered(names.map((name) => ({ name, type: '', value: '' }))));
  runCommand = (command: string, value: string | null, ms: number) =>
    this.#ask(`${command} ${value ?? 'null'}`, ms);
  writeVariable = (variable: string, value: string, ms: number) => this.#ask(`${variable}=${value}`, ms);
  disconnect = (): void => void (this.disconnects += 1);
  close = (): void => undefined;

  async answer(answer: NutAnswer<string> = answered('SUCCESS')): Promise<void> {
    this.#answers.shift()?.(answer);
    await new Promise((resolve) => setImmediate(resolve));
  }

  #ask(what: string, ms: number): Promise<NutAnswer<string>> {
    this.asked.push(what);
    this.deadlines.push(ms);
    return new Promise((resolve) => this.#answers.push(resolve));
  }
}

function neverAsked(): never {
  throw new Error('the control desk does not poll');
}

describe('the control desk', () => {
  let transport: Recorder;
  let desk: ControlQueue;
  beforeEach(() => {
    transport = new Recorder();
    desk = new ControlQueue(transport, control);
  });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('runs an allowed command and answers with what came of it', async () => {
    const running = desk.run('beeper.mute', null, 5000);
    await turn();
    await transport.answer();
    expect(await running).to.deep.equal({ ok: true, value: { output: 'SUCCESS' } });
    expect(transport.asked).to.deep.equal(['beeper.mute null']);
  });

  for (const command of [
    'beeper.off',
    'BEEPER.MUTE',
    '',
    'shutdown.return',
    'load.off',
    'OUTLET.1.LOAD.OFF',
    'driver.killpower',
  ]) {
    it(`refuses ${JSON.stringify(command)} without asking the server`, async () => {
      expect(await desk.run(command, null, 5000)).to.have.nested.property('error.code', 'NOT_ALLOWED');
      expect(transport.asked).to.deep.equal([]);
    });
  }

  for (const variable of ['ups.timer.shutdown', 'Outlet.1.Switch'])
    it(`refuses to write ${variable} without asking the server, although it is listed`, async () => {
      expect(await desk.write(variable, '0', 5000)).to.have.nested.property('error.code', 'NOT_ALLOWED');
      expect(transport.asked).to.deep.equal([]);
    });

  it('ends a shutdown that counts down', async () => {
    const running = desk.run('shutdown.stop', null, 5000);
    await turn();
    await transport.answer();
    expect(await running).to.have.property('ok', true);
  });

  it('refuses a variable that is not on the list', async () => {
    expect(await desk.write('ups.delay.shutdown', '0', 5000)).to.have.nested.property(
      'error.code',
      'NOT_ALLOWED',
    );
    expect(transport.asked).to.deep.equal([]);
  });

  it('asks only for the variables on the list, and for none that cuts power', async () => {
    expect(await desk.variables(5000)).to.deep.equal({
      ok: true,
      value: { variables: [{ name: 'ups.id', type: '', value: '' }] },
    });
  });

  it('lists the commands of the UPS, without a name that no link carries', async () => {
    expect(await desk.commands(5000)).to.deep.equal({
      ok: true,
      value: { commands: [{ name: 'beeper.mute', description: 'Mute' }] },
    });
  });

  it('carries out one request after the other, in their order', async () => {
    const all = [
      desk.run('beeper.mute', null, 5000),
      desk.write('ups.id', 'a', 5000),
      desk.run('test.battery.start', '10', 5000),
    ];
    await turn();
    expect(transport.asked).to.deep.equal(['beeper.mute null']);
    await transport.answer();
    expect(transport.asked).to.deep.equal(['beeper.mute null', 'ups.id=a']);
    await transport.answer();
    await transport.answer();
    expect(transport.asked.at(-1)).to.equal('test.battery.start 10');
    expect((await Promise.all(all)).every(({ ok }) => ok)).to.equal(true);
  });

  it('gives the connection back when nothing waits any more, not before', async () => {
    const both = [desk.run('beeper.mute', null, 5000), desk.run('beeper.mute', null, 5000)];
    await turn();
    await transport.answer();
    expect(transport.disconnects).to.equal(0);
    await transport.answer();
    await Promise.all(both);
    expect(transport.disconnects).to.equal(1);
  });

  it("gives a request the smaller of its asker's deadline and its own", async () => {
    void desk.run('beeper.mute', null, 5000);
    await turn();
    await transport.answer();
    void desk.run('beeper.mute', null, 300);
    await turn();
    expect(transport.deadlines[0]).to.be.within(900, 1000);
    expect(transport.deadlines[1]).to.be.within(200, 300);
  });

  it('does not begin a request whose asker has given up waiting', async () => {
    const first = desk.run('beeper.mute', null, 5000);
    const second = desk.run('test.battery.start', null, 20);
    await new Promise((resolve) => setTimeout(resolve, 30));
    await transport.answer();
    await first;
    expect(await second).to.have.nested.property('error.code', 'DEADLINE_EXCEEDED');
    expect(transport.asked).to.deep.equal(['beeper.mute null']);
  });

  it('lets what its predecessor began end first', async () => {
    const old = desk.run('beeper.mute', null, 5000);
    const next = new ControlQueue(transport, control, desk).run('test.battery.start', null, 5000);
    await turn();
    expect(transport.asked).to.deep.equal(['beeper.mute null']);
    await transport.answer();
    await old;
    await transport.answer();
    expect(await next).to.have.property('ok', true);
  });

  it('refuses the thirty-third request that waits', async () => {
    const waiting = Array.from({ length: 32 }, () => desk.run('beeper.mute', null, 50));
    expect(await desk.run('beeper.mute', null, 50)).to.have.nested.property('error.code', 'NUT_ERROR');
    await turn();
    for (const _ of waiting) await transport.answer();
    await Promise.all(waiting);
  });

  for (const [answer, code] of [
    [refused('CMD-NOT-SUPPORTED', 'ERR CMD-NOT-SUPPORTED'), 'UNSUPPORTED'],
    [refused('VAR-NOT-SUPPORTED', 'ERR VAR-NOT-SUPPORTED'), 'UNSUPPORTED'],
    [refused('ACCESS-DENIED', 'ERR ACCESS-DENIED'), 'NUT_ERROR'],
    [refused('DRIVER-NOT-CONNECTED', 'ERR DRIVER-NOT-CONNECTED'), 'NUT_ERROR'],
    [failed('TIMEOUT', 'the server did not answer within 10 ms'), 'NUT_ERROR'],
  ] as const) {
    it(`answers ${code} with the server's words: ${answer.failure.message}`, async () => {
      const running = desk.run('beeper.mute', null, 5000);
      await turn();
      await transport.answer(answer);
      expect(await running).to.deep.equal({ ok: false, error: { code, message: answer.failure.message } });
    });
  }
});
