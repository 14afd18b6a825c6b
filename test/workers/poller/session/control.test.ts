import { expect } from 'chai';
import type { NutAnswer } from '../../../../workers/poller/wire/errors.js';
import { answerOf, failureOf, refusalOf } from '../../../../workers/poller/wire/errors.js';
import { FakeTime } from '../../../fixtures/fake-time.js';
import { ControlQueue } from '../../../../workers/poller/session/control.js';
import type { NutTransport } from '../../../../workers/poller/wire/transport.js';

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

/** Records its requests; answers on command. */
class Recorder implements NutTransport {
  readonly asked: string[] = [];
  readonly deadlines: number[] = [];
  disconnects = 0;
  #answers: ((answer: NutAnswer<string>) => void)[] = [];

  readVariables = (): never => neverAsked();
  /** With a name that no device has and no link accepts. */
  listCommands = () =>
    Promise.resolve(
      answerOf(['beeper.mute', 'x'.repeat(257)].map((name) => ({ name, description: 'Mute' }))),
    );
  listWritable = (names: readonly string[]) =>
    Promise.resolve(answerOf(names.map((name) => ({ name, type: '', value: '' }))));
  runCommand = (command: string, value: string | null, ms: number) =>
    this.#ask(`${command} ${value ?? 'null'}`, ms);
  writeVariable = (variable: string, value: string, ms: number) => this.#ask(`${variable}=${value}`, ms);
  disconnect = (): void => void (this.disconnects += 1);
  close = (): void => undefined;

  async answer(answer: NutAnswer<string> = answerOf('SUCCESS')): Promise<void> {
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

describe('the control requests of a poller', () => {
  let transport: Recorder;
  let desk: ControlQueue;
  let time: FakeTime;
  beforeEach(() => {
    transport = new Recorder();
    time = new FakeTime();
    desk = new ControlQueue(transport, control, undefined, time);
  });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  /** The answer of what asks no server; one that does ask would wait for ever. */
  const atOnce = <T>(answer: Promise<T>): Promise<T | 'it waits'> =>
    Promise.race([answer, turn().then(() => 'it waits' as const)]);

  it('execute an allowed command and return its result', async () => {
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
    it(`reject ${JSON.stringify(command)} without asking the server`, async () => {
      expect(await atOnce(desk.run(command, null, 5000))).to.have.nested.property(
        'error.code',
        'NOT_ALLOWED',
      );
      expect(transport.asked).to.deep.equal([]);
    });
  }

  for (const variable of ['ups.timer.shutdown', 'Outlet.1.Switch'])
    it(`reject a write to ${variable} without asking the server, although it is listed`, async () => {
      expect(await atOnce(desk.write(variable, '0', 5000))).to.have.nested.property(
        'error.code',
        'NOT_ALLOWED',
      );
      expect(transport.asked).to.deep.equal([]);
    });

  it('cancel a shutdown countdown', async () => {
    const running = desk.run('shutdown.stop', null, 5000);
    await turn();
    await transport.answer();
    expect(await running).to.have.property('ok', true);
  });

  it('reject a variable outside the allowlist', async () => {
    expect(await atOnce(desk.write('ups.delay.shutdown', '0', 5000))).to.have.nested.property(
      'error.code',
      'NOT_ALLOWED',
    );
    expect(transport.asked).to.deep.equal([]);
  });

  it('read only the listed variables, and none that cuts power', async () => {
    expect(await desk.variables(5000)).to.deep.equal({
      ok: true,
      value: { variables: [{ name: 'ups.id', type: '', value: '' }] },
    });
  });

  it('list the commands of the UPS, without names that do not fit the link', async () => {
    expect(await desk.commands(5000)).to.deep.equal({
      ok: true,
      value: { commands: [{ name: 'beeper.mute', description: 'Mute' }] },
    });
  });

  it('run one at a time, in order', async () => {
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

  it('release the connection when the queue is empty', async () => {
    const both = [desk.run('beeper.mute', null, 5000), desk.run('beeper.mute', null, 5000)];
    await turn();
    await transport.answer();
    expect(transport.disconnects).to.equal(0);
    await transport.answer();
    await Promise.all(both);
    expect(transport.disconnects).to.equal(1);
  });

  it('use the smaller of the deadline of the caller and their own', async () => {
    void desk.run('beeper.mute', null, 5000);
    void desk.run('beeper.mute', null, 300);
    await turn();
    time.advance(100);
    await transport.answer();
    await turn();
    // What has passed since the call is subtracted.
    expect(transport.deadlines).to.deep.equal([1000, 200]);
  });

  it('do not start after their caller has timed out', async () => {
    const first = desk.run('beeper.mute', null, 5000);
    const second = desk.run('test.battery.start', null, 20);
    await turn();
    time.advance(20);
    await transport.answer();
    await first;
    expect(await atOnce(second)).to.have.nested.property('error.code', 'DEADLINE_EXCEEDED');
    expect(transport.asked).to.deep.equal(['beeper.mute null']);
  });

  it('wait for the request of a previous instance to end', async () => {
    const old = desk.run('beeper.mute', null, 5000);
    const next = new ControlQueue(transport, control, desk).run('test.battery.start', null, 5000);
    await turn();
    expect(transport.asked).to.deep.equal(['beeper.mute null']);
    await transport.answer();
    await old;
    await transport.answer();
    expect(await next).to.have.property('ok', true);
  });

  it('reject the thirty-third waiting request', async () => {
    const waiting = Array.from({ length: 32 }, () => desk.run('beeper.mute', null, 50));
    expect(await atOnce(desk.run('beeper.mute', null, 50))).to.have.nested.property(
      'error.code',
      'NUT_ERROR',
    );
    await turn();
    for (const _ of waiting) await transport.answer();
    await Promise.all(waiting);
  });

  for (const [answer, code] of [
    [refusalOf('CMD-NOT-SUPPORTED', 'ERR CMD-NOT-SUPPORTED'), 'UNSUPPORTED'],
    [refusalOf('VAR-NOT-SUPPORTED', 'ERR VAR-NOT-SUPPORTED'), 'UNSUPPORTED'],
    [refusalOf('ACCESS-DENIED', 'ERR ACCESS-DENIED'), 'NUT_REFUSED'],
    [refusalOf('DRIVER-NOT-CONNECTED', 'ERR DRIVER-NOT-CONNECTED'), 'NUT_REFUSED'],
    [refusalOf('INSTCMD-FAILED', 'ERR INSTCMD-FAILED'), 'NUT_ERROR'],
    [failureOf('TIMEOUT', 'the server did not answer within 10 ms'), 'NUT_ERROR'],
  ] as const) {
    it(`return ${code} with the text of the server: ${answer.failure.message}`, async () => {
      const running = desk.run('beeper.mute', null, 5000);
      await turn();
      await transport.answer(answer);
      expect(await running).to.deep.equal({ ok: false, error: { code, message: answer.failure.message } });
    });
  }
});
