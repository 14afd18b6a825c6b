// The delay before the output is cut, as the UPS takes it, and the requests for the cut.
import { expect } from 'chai';
import { NutClient } from '../../../workers/poller/session/client.js';
import type { OutputSettings } from '../../../workers/poller/session/output.js';
import { cutOutput } from '../../../workers/poller/session/output.js';
import type { Misbehaving } from '../../fixtures/misbehaving-upsd.js';
import { misbehavingUpsd } from '../../fixtures/misbehaving-upsd.js';
import { tlsOff as tls } from '../../fixtures/poller-settings.js';

const order = { username: 'operator', password: 'x', command: 'shutdown.return' };
const budgetMs = 60_000;
const shutdown = 'ups.delay.shutdown';
const cutRequest = 'INSTCMD office shutdown.return';

interface Device {
  readonly driver: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** The values that a delay may have; without them any. */
  readonly lists?: Readonly<Record<string, readonly string[]>>;
  /** What the driver makes of a value that is written. */
  readonly takes?: (value: string) => string;
}

describe('the delay of an output', () => {
  let server: Misbehaving;
  const sent: string[] = [];
  const shown = new Map<string, string>();
  afterEach(async () => {
    sent.length = 0;
    shown.clear();
    await server.stop();
  });

  const start = async ({ driver, variables = {}, lists = {}, takes = (value) => value }: Device) => {
    for (const [name, value] of Object.entries({
      ...{ 'ups.status': 'OB', 'driver.name': driver, [shutdown]: '20' },
      ...variables,
    }))
      shown.set(name, value);
    server = await misbehavingUpsd((line, socket) => {
      sent.push(line);
      const [verb = '', what = '', , name = '', value = ''] = line.split(' ');
      const rows = (all: readonly string[]) => {
        const query = `LIST ${what} office${name === '' ? '' : ` ${name}`}`;
        return [`BEGIN ${query}`, ...all, `END ${query}`].join('\n');
      };
      const list = {
        CMD: () => ['CMD office shutdown.return'],
        VAR: () => [...shown].map(([key, text]) => `VAR office ${key} "${text}"`),
        RW: () => Object.keys(lists).map((key) => `RW office ${key} "${shown.get(key) ?? ''}"`),
        ENUM: () => (lists[name] ?? []).map((text) => `ENUM office ${name} "${text}"`),
      }[what];
      const isRefused = verb === 'SET' && lists[name]?.includes(value) === false;
      if (verb === 'SET' && what === 'VAR' && !isRefused) shown.set(name, takes(value));
      const answer =
        verb === 'LIST'
          ? rows(list?.() ?? [])
          : verb === 'GET' && what === 'TYPE'
            ? `TYPE office ${name} RW ENUM`
            : isRefused
              ? 'ERR INVALID-VALUE'
              : 'OK';
      socket.write(`${answer}\n`);
    });
  };
  const cut = (offDelaySeconds: number) =>
    cutOutput(
      { output: { ...order, offDelaySeconds } satisfies OutputSettings },
      (login) => {
        const { host, port } = server;
        return new NutClient({ ups: 'office', host, port, tls, login, notice: () => undefined });
      },
      budgetMs,
      () => Promise.resolve(void sent.push('INSTCMD waits')),
    );
  const changes = () => sent.filter((line) => /^(?:SET VAR|INSTCMD)/.test(line));

  /** As the real driver lists those of a Smart-UPS 1500. */
  const smart = (driver: string): Device => ({
    driver,
    variables: { [shutdown]: '020', 'ups.delay.start': '000' },
    lists: { [shutdown]: ['020', '180', '300', '600'], 'ups.delay.start': ['000', '060', '180', '300'] },
  });

  for (const driver of ['apcsmart', 'apcsmart-old'])
    it(`is the next longer one of a list, and ${driver} gets the two requests that it wants`, async () => {
      await start(smart(driver));
      expect(await cut(120)).to.have.nested.property('value.warning', '');
      expect(changes()).to.deep.equal([
        `SET VAR office ${shutdown} 180`,
        ...[cutRequest, 'INSTCMD waits', cutRequest],
      ]);
    });

  it('leaves the output on where every one of the list is too short', async () => {
    await start(smart('apcsmart'));
    expect(await cut(900)).to.have.nested.property(
      'error.message',
      'ups.delay.shutdown reads 020, less than the 900 s of off_delay (write failed: ERR INVALID-VALUE); the output stays on',
    );
    expect(changes()).to.deep.equal([`SET VAR office ${shutdown} 900`]);
  });

  const minutes = (value: string) => String(Math.floor(Number(value) / 60) * 60);

  for (const [driver, data] of [
    ['nutdrv_qx', 'Q1 0.07'],
    ['blazer_usb', ''],
    ['usbhid-ups', 'CyberPower HID 0.6'],
  ] as const)
    it(`is in whole minutes with ${driver} ${data}, where the device rounds down to them`, async () => {
      await start({ driver, variables: { 'driver.version.data': data }, takes: minutes });
      expect(await cut(90)).to.have.property('ok', true);
      expect(changes()).to.deep.equal([`SET VAR office ${shutdown} 120`, cutRequest]);
    });

  it('is the next whole minute where it reads back too short', async () => {
    await start({ driver: 'powercom', takes: minutes });
    expect(await cut(90)).to.have.property('ok', true);
    expect(changes()).to.deep.equal([
      ...[`SET VAR office ${shutdown} 90`, `SET VAR office ${shutdown} 120`],
      cutRequest,
    ]);
  });

  it('is that of the file with any other', async () => {
    await start({ driver: 'usbhid-ups', variables: { 'driver.version.data': 'MGE HID 1.46' } });
    expect(await cut(90)).to.have.property('ok', true);
    expect(changes()).to.deep.equal([`SET VAR office ${shutdown} 90`, cutRequest]);
  });
});
