import { expect } from 'chai';
import { is, until } from '../../fixtures/until.js';
import { rig } from './fixture.js';

describe('a simulated upsd that misbehaves', () => {
  const { start, client, user } = rig();

  it('hangs: reads and does not answer, and answers again afterwards', async () => {
    const seen: string[] = [];
    const upsd = await start({ onQuery: (words) => void seen.push(words.join(' ')) });
    upsd.misbehave({ kind: 'hang' });
    const asker = await client();
    asker.send('LIST VAR office\n');
    await until(() => seen.length, is(1));
    upsd.misbehave(undefined);
    expect(await asker.ask('PROTVER')).to.equal('1.3\n');
  });

  it('applies a fault only to queries that name the selected UPS', async () => {
    const upsd = await start({ ups: [{ name: 'a' }, { name: 'b', noise: 0 }] });
    upsd.misbehave({ kind: 'error', token: 'DATA-STALE' }, 'A');
    expect(
      await (await client()).askAll('GET VAR a ups.status', 'GET VAR b ups.status', 'PROTVER'),
    ).to.deep.equal(['ERR DATA-STALE\n', 'VAR b ups.status "OL"\n', '1.3\n']);
    upsd.misbehave(undefined, 'a');
    expect(await (await client()).ask('LIST VAR a')).to.match(/^BEGIN/);
  });

  it('answers a few bytes a second, complete in the end', async () => {
    const upsd = await start();
    const asker = await client();
    const whole = await asker.ask('GET VAR office ups.model');
    upsd.misbehave({ kind: 'slow', bytesPerSecond: 200 });
    const lengths = new Set<number>();
    asker.send('GET VAR office ups.model\n');
    await until(
      () => {
        lengths.add(asker.received.length);
        return asker.received;
      },
      (text) => text.endsWith('\n'),
    );
    expect(asker.received).to.equal(whole);
    expect(lengths.size).to.be.greaterThan(2);
  });

  it('closes in the middle of a list', async () => {
    const upsd = await start();
    upsd.misbehave({ kind: 'closeMidList', afterRows: 2 });
    const asker = await client();
    expect(await asker.ask('GET VAR office ups.status')).to.equal('VAR office ups.status "OL"\n');
    asker.send('LIST VAR office\n');
    await asker.untilClosed();
    expect(asker.received.split('\n').map((row) => row.slice(0, 14))).to.deep.equal([
      'BEGIN LIST VAR',
      'VAR office bat',
      'VAR office bat',
      '',
    ]);
  });

  it('closes instead of answering', async () => {
    const upsd = await start();
    upsd.misbehave({ kind: 'close' });
    const asker = await client();
    asker.send('PROTVER\n');
    await asker.untilClosed();
    expect(asker.received).to.equal('');
  });

  it('sends configured garbage', async () => {
    const upsd = await start();
    upsd.misbehave({ kind: 'garbage', bytes: '\x00\xff BEGIN\n' });
    expect(await (await client()).ask('LIST VAR office')).to.equal('\x00\xff BEGIN\n');
  });

  it('drops all clients, and rejects new ones meanwhile', async () => {
    const upsd = await start();
    const monitor = await user('monitor', 'pass');
    await monitor.ask('LOGIN office');
    upsd.refuseConnections(true);
    upsd.dropConnections();
    await monitor.untilClosed();
    await (await client()).untilClosed();
    expect(upsd.ups('office').logins).to.equal(0);
    upsd.refuseConnections(false);
    expect(await (await client()).ask('PROTVER')).to.equal('1.3\n');
  });

  it('disconnects a client that sends endlessly and never reads', async () => {
    const upsd = await start();
    const flood = await client();
    flood.pause();
    const lines = 'LIST VAR office\n'.repeat(500);
    while (!flood.closed && upsd.connections > 0) await flood.sent(lines);
    expect(upsd.connections).to.equal(0);
  });
});
