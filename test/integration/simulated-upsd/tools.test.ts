import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { rig } from './fixture.js';

type Tool = 'upsc' | 'upscmd' | 'upsrw';

async function tool(name: Tool, ...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(name, args, { timeout: 60_000 })).stdout;
}

/** The result that a tool prints on standard error for success and failure. */
async function outcome(name: Tool, ...args: readonly string[]): Promise<string> {
  const ended = promisify(execFile)(name, args, { timeout: 60_000 });
  return (await ended.catch((error: unknown) => error as { stderr: string })).stderr;
}

describe('NUT tools with the simulated upsd:', () => {
  const { start } = rig();

  it('upsc lists UPSes, clients and every variable', async () => {
    const upsd = await start({ ups: [{ name: 'office', description: 'Under the desk', noise: 0 }] });
    const server = `127.0.0.1:${String(upsd.port)}`;
    expect(await tool('upsc', '-L', server)).to.equal('office: Under the desk\n');
    expect(await tool('upsc', '-c', `office@${server}`)).to.equal('');
    const printed = (await tool('upsc', `office@${server}`)).trim().split('\n');
    expect(printed).to.have.length.greaterThan(45).and.include('ups.status: OL');
    for (const line of printed) {
      const [name = '', value] = line.split(/: (.*)/);
      expect(value).to.equal(upsd.ups('office').value(name), name);
    }
    expect(await tool('upsc', `office@${server}`, 'battery.charge')).to.equal('100\n');
  });

  it('upsc fails where it fails with upsd', async () => {
    const upsd = await start();
    const ask = (ups: string) => outcome('upsc', `${ups}@127.0.0.1:${String(upsd.port)}`);
    expect(await ask('other')).to.contain('Unknown UPS');
    upsd.ups('office').set({ link: 'gone' });
    expect(await ask('office')).to.contain('Driver not connected');
    upsd.ups('office').set({ link: 'stale' });
    expect(await ask('office')).to.contain('Data stale');
  });

  it('upscmd lists commands and waits for the result of one', async () => {
    const upsd = await start({ trackingDelayMs: 100 });
    const target = `office@127.0.0.1:${String(upsd.port)}`;
    const say = (...command: string[]) =>
      outcome('upscmd', '-w', '-u', 'admin', '-p', 'secret', target, ...command);
    expect(await tool('upscmd', '-l', target)).to.contain('load.off - Turn off the load immediately');
    expect(await say('test.battery.start.deep', '30')).to.contain('SUCCESS');
    expect(upsd.ups('office').value('ups.status')).to.equal('TEST OB DISCHRG');
    expect(await say('test.battery.start.deep')).to.contain('FAILED');
    expect(await say('no.such')).to.contain('CMD-NOT-SUPPORTED');
  });

  it('upsrw lists writable variables with their types, and writes one', async () => {
    const upsd = await start();
    const target = `office@127.0.0.1:${String(upsd.port)}`;
    const listed = await tool('upsrw', '-l', target);
    expect(listed).to.contain('[input.sensitivity]').and.contain('Option: "medium" SELECTED');
    expect(listed).to.contain('[ups.id]').and.contain('Type: STRING').and.contain('Maximum length: 16');
    expect(listed).to.match(/\[input\.transfer\.low\][^[]*Type: RANGE/);
    const set = ['-w', '-u', 'admin', '-p', 'secret', target];
    expect(await outcome('upsrw', '-s', 'ups.id=rack #7 "b"', ...set)).to.contain('SUCCESS');
    expect(await tool('upsc', target, 'ups.id')).to.equal('rack #7 "b"\n');
  });
});
