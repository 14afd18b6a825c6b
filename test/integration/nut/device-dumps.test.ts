// Reports of real devices: both transports must parse them alike, and as upsc prints them.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { Reading } from '../../../shared/domain/ups/reading.js';
import { NutClient } from '../../../workers/poller/session/client.js';
import { readingOf } from '../../../workers/poller/reading/reading.js';
import { NutTools } from '../../../workers/poller/session/tools.js';
import { skipFor } from '../../fixtures/skip.js';
import { deviceDumps, noDumps } from '../../fixtures/device-dumps.js';
import { tlsOff as tls } from '../../fixtures/poller-settings.js';
import { RealUpsd } from '../../fixtures/real-upsd.js';

const run = promisify(execFile);

const deadlineMs = 60_000;

/** `name: value` lines as upsc prints them; independent of the transport under test. */
async function printedBy(target: string): Promise<Record<string, string>> {
  const { stdout } = await run('upsc', [target], { encoding: 'utf8', timeout: deadlineMs });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => [line.split(': ', 1)[0] ?? '', line.replace(/^[^:]*: /, '')]),
  );
}

describe('the reading of a real device', () => {
  const dumps = deviceDumps();
  let upsd: RealUpsd | undefined;
  const nameOf = (index: number): string => `ups${String(index)}`;

  before(async function () {
    skipFor(this, dumps.length === 0 && noDumps);
    const ups = dumps.map(({ text }, i) => [nameOf(i), text] as const);
    upsd = await RealUpsd.start({ ups: Object.fromEntries(ups), maxAgeSeconds: 60 });
  });
  after(() => upsd?.stop());

  for (const [index, { file }] of dumps.entries()) {
    it(`${file} is the same over the network and through the tools`, async () => {
      if (upsd === undefined) throw new Error('no upsd');
      const { host, port } = upsd;
      const ups = nameOf(index);
      const name = `${ups}@${host}:${String(port)}`;
      const client = new NutClient({ host, port, ups, login: null, tls, notice: () => undefined });
      const tools = new NutTools({ name, login: null });
      const [network, program, printed] = await Promise.all([
        client.readVariables(deadlineMs),
        tools.readVariables(deadlineMs),
        printedBy(name),
      ]);
      client.close();
      if (!network.ok || !program.ok) throw new Error(JSON.stringify([network, program]));
      expect(network.value).to.deep.equal(printed);
      expect(Object.keys(network.value)).to.have.length.above(5);
      expect(readingOf(network.value)).to.deep.equal(readingOf(program.value));
      expect(program.value).to.deep.equal(network.value);
      expect(Reading.is(readingOf(network.value))).to.equal(true);
    });
  }
});
