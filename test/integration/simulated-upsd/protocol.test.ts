import { expect } from 'chai';
import { systemClock } from '../../../shared/runtime/clock.js';
import { is, until } from '../../fixtures/until.js';
import { rig } from './fixture.js';

describe('the simulated upsd', () => {
  const { start, client, user } = rig();

  it('lists its UPSes', async () => {
    await start({ ups: [{ name: 'a', description: 'The "big" one' }, { name: 'b' }] });
    expect(await (await client()).ask('LIST UPS')).to.equal(
      'BEGIN LIST UPS\nUPS a "The \\"big\\" one"\nUPS b "Description unavailable"\nEND LIST UPS\n',
    );
  });

  it('lists variables in order and returns each alone', async () => {
    await start();
    const asker = await client();
    const rows = (await asker.ask('LIST VAR office')).split('\n');
    expect(rows[0]).to.equal('BEGIN LIST VAR office');
    expect(rows.slice(1, -2)).to.deep.equal(rows.slice(1, -2).sort());
    expect(rows).to.include('VAR office ups.status "OL"');
    expect(await asker.ask('GET VAR office ups.status')).to.equal('VAR office ups.status "OL"\n');
  });

  it('describes variables and their allowed values', async () => {
    await start();
    const asker = await client();
    expect(
      await asker.askAll(
        'GET TYPE office battery.charge',
        'GET TYPE office input.transfer.low',
        'GET TYPE office input.sensitivity',
        'GET DESC office ups.load',
        'GET CMDDESC office load.off',
        'GET UPSDESC office',
        'LIST ENUM office input.sensitivity',
        'LIST RANGE office input.transfer.low',
        'LIST ENUM office battery.charge',
      ),
    ).to.deep.equal([
      'TYPE office battery.charge NUMBER\n',
      'TYPE office input.transfer.low RW RANGE NUMBER\n',
      'TYPE office input.sensitivity RW ENUM STRING:10\n',
      'DESC office ups.load "Load on UPS (percent of full)"\n',
      'CMDDESC office load.off "Turn off the load immediately"\n',
      'UPSDESC office "Unavailable"\n',
      'BEGIN LIST ENUM office input.sensitivity\nENUM office input.sensitivity "low"\n' +
        'ENUM office input.sensitivity "medium"\nENUM office input.sensitivity "high"\n' +
        'END LIST ENUM office input.sensitivity\n',
      'BEGIN LIST RANGE office input.transfer.low\nRANGE office input.transfer.low "160" "200"\n' +
        'END LIST RANGE office input.transfer.low\n',
      'BEGIN LIST ENUM office battery.charge\nEND LIST ENUM office battery.charge\n',
    ]);
  });

  it('answers several lines of one packet in order', async () => {
    await start();
    const asker = await client();
    asker.send('GET VAR office ups.status\nGET VAR off');
    asker.send('ice ups.model\nLOGOUT\n');
    await asker.untilClosed();
    expect(asker.received).to.equal(
      'VAR office ups.status "OL"\nVAR office ups.model "Simulated LI-1500"\nOK Goodbye\n',
    );
  });

  it('counts logins as long as their connections last', async () => {
    const upsd = await start();
    const [monitor, watcher] = [await user('monitor', 'pass'), await client()];
    expect(await monitor.askAll('LOGIN office', 'LOGIN office')).to.deep.equal([
      'OK\n',
      'ERR ALREADY-LOGGED-IN\n',
    ]);
    expect(await watcher.ask('GET NUMLOGINS office')).to.equal('NUMLOGINS office 1\n');
    expect(await watcher.ask('LIST CLIENT office')).to.contain('CLIENT office 127.0.0.1\n');
    expect(await monitor.ask('LOGOUT')).to.equal('OK Goodbye\n');
    await monitor.untilClosed();
    await until(() => watcher.ask('GET NUMLOGINS office'), is('NUMLOGINS office 0\n'));
    expect(upsd.ups('office').logins).to.equal(0);
  });

  it('grants the role of primary, and FSD with it, to a primary only', async () => {
    const upsd = await start();
    expect(await (await user('monitor', 'pass')).askAll('PRIMARY office', 'FSD office')).to.deep.equal([
      'ERR ACCESS-DENIED\n',
      'ERR ACCESS-DENIED\n',
    ]);
    const primary = await user('primary', 'first');
    expect(await primary.askAll('PRIMARY office', 'MASTER office', 'FSD office')).to.deep.equal([
      'OK PRIMARY-GRANTED\n',
      'OK MASTER-GRANTED\n',
      'OK FSD-SET\n',
    ]);
    expect(await (await client()).ask('GET VAR office ups.status')).to.equal(
      'VAR office ups.status "FSD OL"\n',
    );
    upsd.ups('office').set({ fsd: false });
    expect(await primary.ask('GET VAR office ups.status')).to.equal('VAR office ups.status "OL"\n');
  });

  it('writes a variable and returns the new value immediately', async () => {
    await start();
    const admin = await user('admin', 'secret');
    expect(
      await admin.askAll(
        'SET VAR office ups.id "rack \\"7\\" \\\\ \\#1"',
        'GET VAR office ups.id',
        'SET VAR office ups.model "x"',
        'SET VAR office no.such "x"',
        'SET VAR office input.sensitivity "extreme"',
        'SET VAR office input.transfer.low "100"',
        'SET VAR office ups.id "a name of far too many letters"',
        'SET VAR office',
      ),
    ).to.deep.equal([
      'OK\n',
      'VAR office ups.id "rack \\"7\\" \\\\ \\#1"\n',
      'ERR READONLY\n',
      'ERR VAR-NOT-SUPPORTED\n',
      'ERR INVALID-VALUE\n',
      'ERR INVALID-VALUE\n',
      'ERR TOO-LONG\n',
      'ERR INVALID-ARGUMENT\n',
    ]);
    expect(await (await user('tester', 'test')).ask('SET VAR office ups.id "x"')).to.equal(
      'ERR ACCESS-DENIED\n',
    );
  });

  it('executes an instant command for users with the permission', async () => {
    const upsd = await start();
    const tester = await user('tester', 'test');
    expect(
      await tester.askAll(
        'INSTCMD office load.off',
        'INSTCMD office no.such',
        'INSTCMD office TEST.battery.start.quick',
      ),
    ).to.deep.equal(['ERR ACCESS-DENIED\n', 'ERR CMD-NOT-SUPPORTED\n', 'OK\n']);
    expect(upsd.ups('office').value('ups.status')).to.equal('TEST OB DISCHRG');
    expect(await tester.ask('LIST CMD office')).to.contain('CMD office test.battery.start.quick\n');
  });

  it('tracks the result of a request', async () => {
    let aheadMs = 0;
    const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
    const upsd = await start({ trackingDelayMs: 60_000, clock });
    const admin = await user('admin', 'secret');
    expect(await admin.askAll('GET TRACKING', 'SET TRACKING ON', 'GET TRACKING')).to.deep.equal([
      'OFF\n',
      'OK\n',
      'ON\n',
    ]);
    const outcome = async (order: string): Promise<string[]> => {
      const id = /^OK TRACKING ([0-9A-F-]{36})\n$/.exec(await admin.ask(order))?.[1] ?? 'none';
      const first = await admin.ask(`GET TRACKING ${id}`);
      aheadMs += 60_000;
      return [first, await admin.ask(`GET TRACKING ${id}`)];
    };
    expect(await outcome('SET VAR office ups.delay.start 60')).to.deep.equal(['PENDING\n', 'SUCCESS\n']);
    upsd.ups('office').set({ mainsVolts: 0 });
    expect(await outcome('INSTCMD office test.battery.start.quick')).to.deep.equal([
      'PENDING\n',
      'ERR FAILED\n',
    ]);
    expect(await outcome('INSTCMD office load.off soon')).to.deep.equal([
      'PENDING\n',
      'ERR INVALID-ARGUMENT\n',
    ]);
    expect(await admin.ask('GET TRACKING 00000000-0000-0000-0000-000000000000')).to.equal('ERR UNKNOWN\n');
  });

  it('distinguishes an unknown UPS, a missing driver and stale data', async () => {
    const upsd = await start();
    const asker = await client();
    expect(await asker.ask('LIST VAR other')).to.equal('ERR UNKNOWN-UPS\n');
    upsd.ups('office').set({ link: 'gone' });
    expect(await asker.ask('LIST VAR office')).to.equal('ERR DRIVER-NOT-CONNECTED\n');
    upsd.ups('office').set({ link: 'stale' });
    expect(await asker.ask('GET VAR office ups.status')).to.equal('ERR DATA-STALE\n');
    expect(await asker.ask('GET UPSDESC office')).to.equal('UPSDESC office "Unavailable"\n');
    upsd.ups('office').set({ link: 'ok' });
    expect(await asker.ask('GET VAR office ups.status')).to.equal('VAR office ups.status "OL"\n');
  });

  it('disconnects a client that is silent for too long', async () => {
    let aheadMs = 0;
    const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
    await start({ idleTimeoutMs: 60_000, clock });
    const [silent, busy] = [await client(), await client()];
    for (; !silent.closed; aheadMs += 1_000) await busy.ask('PROTVER');
    expect(busy.closed).to.equal(false);
  });

  it('listens on loopback only', async () => {
    const refused = await start({ host: '0.0.0.0' }).catch((error: unknown) => String(error));
    expect(refused).to.match(/listens on loopback only, not on 0\.0\.0\.0/);
  });
});
