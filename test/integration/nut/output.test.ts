// The output cut, with the simulated upsd, whose UPS really switches off, and with the real one.
import { expect } from 'chai';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import type { UpsSpec } from '../../../scripts/simulated-upsd/simulated-ups.js';
import { NutClient } from '../../../workers/poller/session/client.js';
import type { OutputSettings } from '../../../workers/poller/session/output.js';
import { checkOutput, cutOutput } from '../../../workers/poller/session/output.js';
import { NutTools } from '../../../workers/poller/session/tools.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import { inTime } from '../../fixtures/in-time.js';
import { pollerSettings, tlsOff as tls } from '../../fixtures/poller-settings.js';
import { account, RealUpsd } from '../../fixtures/real-upsd.js';
import { PollerUnderTest } from './worker-harness.js';

const login = { username: 'operator', password: 'se cr#t' };
const order: OutputSettings = { ...login, command: 'shutdown.return', offDelaySeconds: 120 };
/** Nothing here uses it up: the programs of NUT take their time on a busy machine. */
const budgetMs = 60_000;

describe('the output of a UPS', () => {
  let upsd: SimulatedUpsd | undefined;
  const asked: string[] = [];
  beforeEach(() => void (asked.length = 0));
  afterEach(async () => {
    await upsd?.stop();
    upsd = undefined;
  });

  const start = async (
    ups: Partial<UpsSpec> = {},
    actions: readonly 'SET'[] = ['SET'],
  ): Promise<SimulatedUpsd> =>
    (upsd = await startSimulatedUpsd({
      // The clock of the simulated UPS stops, with its countdowns.
      clock: new FakeTime(),
      ups: [{ name: 'office', noise: 0, ...ups }],
      users: [{ name: login.username, password: login.password, actions, instcmds: ['ALL'] }],
      onQuery: (words) => {
        if (words[0] === 'INSTCMD' || words[0] === 'SET') asked.push(words.join(' '));
      },
    }));
  const cut = (
    { host, port }: { host: string; port: number },
    change: Partial<OutputSettings> = {},
    deadlineMs = budgetMs,
  ) =>
    cutOutput(
      { output: { ...order, ...change } },
      (user) =>
        new NutClient({ ups: 'office', host, port, tls, login: user, tracks: true, notice: () => undefined }),
      deadlineMs,
      () => Promise.resolve(void asked.push('INSTCMD waits')),
    );
  const commands = () => asked.filter((words) => words.startsWith('INSTCMD'));

  it('is cut after the delay that was written and read back', async () => {
    const server = await start();
    expect(await cut(server)).to.have.property('ok', true);
    expect(server.ups('office').value('ups.delay.shutdown')).to.equal('120');
    expect(commands()).to.deep.equal(['INSTCMD office shutdown.return']);
    expect(server.ups('office').value('ups.timer.shutdown')).to.equal('120');
  });

  const table = (delay: string | undefined, offered = 'shutdown.return'): Partial<UpsSpec> => ({
    table: {
      variables: { 'ups.status': 'OB LB', ...(delay === undefined ? {} : { 'ups.delay.shutdown': delay }) },
      commands: { [offered]: { description: 'Turn off the load and return when power is back' } },
    },
  });

  for (const command of ['load.off.delay', 'shutdown.reboot.graceful'])
    // usbhid-ups and snmp-ups take a default of their own (20 s) where the command has no value, not ups.delay.shutdown.
    it(`is cut by ${command} after that delay, which the command carries itself`, async () => {
      const server = await start(table('120', command));
      await cut(server, { command });
      expect(commands()).to.deep.equal([`INSTCMD office ${command} 120`]);
    });

  it('is cut the same way through the tools of NUT', async () => {
    const server = await start();
    const name = `office@${server.host}:${String(server.port)}`;
    const outcome = await cutOutput(
      { output: order },
      (user) => new NutTools({ name, login: user }),
      budgetMs,
    );
    expect(outcome).to.have.property('ok', true);
    expect(server.ups('office').value('ups.timer.shutdown')).to.equal('120');
  });

  for (const [before, driver, then] of [
    ['30', 'usbhid-ups', '180'],
    ['120', 'usbhid-ups', '180'],
    ['121', 'usbhid-ups', '121'],
    ['0', 'usbhid-ups', '0'],
    ['30', 'nutdrv_qx', '180'],
  ] as const)
    it(`is cut with ups.delay.start ${before} of ${driver} at ${then} s`, async () => {
      const server = await start({ driver });
      server.ups('office').set({ variables: { 'ups.delay.start': before } });
      expect(await cut(server)).to.have.nested.property('value.warning', '');
      expect(server.ups('office').value('ups.delay.start')).to.equal(then);
      expect(commands()).to.deep.equal(['INSTCMD office shutdown.return']);
    });

  const fixedStart = (driver: string, start: string): Partial<UpsSpec> => ({
    table: {
      ...table('120').table,
      variables: {
        'ups.status': 'OB LB',
        'driver.name': driver,
        'ups.delay.shutdown': '120',
        'ups.delay.start': start,
      },
      kinds: { 'ups.delay.shutdown': { description: '', writable: true } },
    },
  });

  it('stays on with usbhid-ups whose start is due before the cut and stays so', async () => {
    expect(await cut(await start(fixedStart('usbhid-ups', '120')))).to.have.nested.property(
      'error.message',
      'ups.delay.start reads 120 and does not change to 180: with usbhid-ups an output that is cut after 120 s ' +
        'would not come back; set ondelay in ups.conf above that; the output stays on',
    );
    expect(commands()).to.deep.equal([]);
  });

  it('stays on with mge-shut and newhidups, the same driver', async () => {
    for (const driver of ['mge-shut', 'newhidups']) {
      const outcome = await cut(await start(fixedStart(driver, '30')));
      expect(outcome, driver)
        .to.have.nested.property('error.message')
        .that.contains(`with ${driver} an output that is cut after 120 s would not come back`);
    }
    expect(commands()).to.deep.equal([]);
  });

  for (const [driver, delay, warning] of [
    ['nutdrv_qx', '60', /reads 60: below 180 s some devices of nutdrv_qx do not start/],
    [
      'tripplite_usb',
      '60',
      /reads 60, too early .* comes back only if this UPS counts that time from the cut/,
    ],
    ['apcsmart', '60', /^$/],
    ['usbhid-ups', '-1', /reads -1: some UPSes then leave the output off/],
    ['usbhid-ups', '121', /^$/],
  ] as const)
    it(`is cut with ${driver} whose start stays at ${delay} s, with a warning where that may be too early`, async () => {
      const outcome = await cut(await start(fixedStart(driver, delay)));
      expect(outcome).to.have.nested.property('value.warning').that.matches(warning);
      const asks = 'INSTCMD office shutdown.return';
      expect(commands()).to.deep.equal(driver === 'apcsmart' ? [asks, 'INSTCMD waits', asks] : [asks]);
    });

  it('is judged for a drill, to which nothing is written or sent', async () => {
    const judged = async (spec: Partial<UpsSpec>) => {
      const server = await start(spec);
      const { host, port } = server;
      const client = (user: typeof login) =>
        new NutClient({ ups: 'office', host, port, tls, login: user, tracks: true, notice: () => undefined });
      const outcome = await checkOutput({ output: order }, client, budgetMs);
      await server.stop();
      return outcome;
    };
    const early = await judged(fixedStart('usbhid-ups', '30'));
    expect(early).to.have.nested.property('value.verdict', 'may_not_return');
    expect(early)
      .to.have.nested.property('value.reason')
      .that.matches(/reads 30, too early/);
    expect(await judged(fixedStart('nutdrv_qx', '180'))).to.have.nested.property('value.verdict', 'returns');
    expect(await judged(table('180', 'load.on'))).to.have.nested.property(
      'error.message',
      'the UPS does not offer shutdown.return',
    );
    expect(await judged(table(undefined))).to.have.nested.property(
      'error.message',
      'the UPS does not show ups.delay.shutdown: without that delay its output is not cut',
    );
    expect(asked.filter((words) => words !== 'SET TRACKING ON')).to.deep.equal([]);
  });

  it('is cut by a UPS whose fixed delay is long enough', async () => {
    expect(await cut(await start(table('180')))).to.have.property('ok', true);
    expect(commands()).to.have.lengthOf(1);
  });

  for (const [what, spec, change, reason] of [
    ['that waits too short a time', table('20'), {}, /^ups\.delay\.shutdown reads 20, less than the 120 s/],
    ['that does not say how long it waits', table(undefined), {}, /^ups\.delay\.shutdown cannot be read/],
    [
      'that allows no delay that long',
      {},
      { offDelaySeconds: 900 },
      /reads 20, less than the 900 s of off_delay \(write failed: /,
    ],
    [
      'that does not offer the command',
      table('180', 'load.on'),
      {},
      /^the UPS does not offer shutdown\.return$/,
    ],
    ['that refuses the password', {}, { password: 'wrong' }, /^ups\.delay\.shutdown reads 20.*write failed/],
  ] as const)
    it(`stays on with a UPS ${what}`, async () => {
      const outcome = await cut(await start(spec), change);
      expect(outcome).to.have.nested.property('error.message').that.matches(reason);
      expect(commands()).to.deep.equal([]);
    });

  it('stays on when the server does not answer, which is reported within the budget', async () => {
    const server = await start();
    server.misbehave({ kind: 'hang' });
    expect(await inTime(2_000, cut(server, {}, 1_000))).to.have.property('ok', false);
  });

  it('is cut by the poller in its process, which uses only its own settings', async () => {
    const { host, port } = await start();
    const poller = new PollerUnderTest();
    try {
      poller.configure(pollerSettings({ name: `office@${host}:${String(port)}`, host, port, output: order }));
      await poller.untilPolls(1);
      expect(await poller.request('command.run', { command: 'shutdown.return', value: null })).to.include({
        kind: 'failure',
      });
      expect(commands()).to.deep.equal([]);
      expect(await poller.request('output.off', {})).to.include({ kind: 'answer' });
      expect(commands()).to.deep.equal(['INSTCMD office shutdown.return']);
    } finally {
      poller.stop();
    }
  });

  it('stays on with a real upsd, whose dummy-ups accepts the delay and lacks the command', async () => {
    const real = await RealUpsd.start({ ups: { office: 'ups.status: OL\nups.delay.shutdown: 20\n' } });
    try {
      const outcome = await cut(real, account);
      expect(outcome).to.have.nested.property('error.message', 'the UPS does not offer shutdown.return');
      // The delay is written and read back, and the driver rejects the command that upsd lists.
      expect(await cut(real, { ...account, command: 'load.off' })).to.have.nested.property(
        'error.message',
        'load.off: ERR UNKNOWN',
      );
    } finally {
      await real.stop();
    }
  });
});
