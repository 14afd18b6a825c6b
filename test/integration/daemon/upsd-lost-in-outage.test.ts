// What the daemon shows when upsd stops during an outage, before the failsafe fires: two members of a redundancy group
// and a UPS on line power.
import { expect } from 'chai';
import { configurationFor } from '../../fixtures/one-ups.js';
import { RealUpsd, onLine } from '../../fixtures/real-upsd.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { until } from '../../fixtures/until.js';

const onBattery = 'ups.status: OB\nbattery.charge: 90\nbattery.runtime: 3000\nups.load: 23\n';

describe('a daemon that loses upsd during an outage', () => {
  let upsd: RealUpsd;
  let daemon: RunningDaemon;
  let api: string;
  const startedSeconds = Date.now() / 1000;

  before(async () => {
    upsd = await RealUpsd.start({ ups: { a: onLine, b: onLine, calm: onLine } });
    const at = `127.0.0.1:${String(upsd.port)}`;
    const toml = configurationFor({
      port: upsd.port,
      apiPort: 0,
      checkInterval: 0.5,
      ups: [{ name: 'a' }, { name: 'b' }, { name: 'calm' }],
      more: `[[redundancy_groups]]\nname = "rack"\nis_local = true\nups_sources = ["a@${at}", "b@${at}"]\n[prometheus]\nenabled = true\n`,
    });
    // The failsafe delay is long, so the failsafe causes nothing of this.
    daemon = await startDaemon({ toml: toml.replace('[triggers]\n', '[triggers]\nfailsafe_delay = 300\n') });
    api = `http://127.0.0.1:${String(daemon.apiPort)}`;
    await daemon.seesAll();
    await upsd.rewrite('a', onBattery);
    await upsd.rewrite('b', onBattery);
    await until(rows, (ups) => ups.filter(({ status }) => status === 'OB').length === 2);
    // A good reading of both: each has all `confirmations` from here on.
    await until(status, ({ redundancyGroups: [group] }) =>
      (group?.members ?? []).every(({ health }) => health === 'DEGRADED'),
    );
  });
  after(async () => {
    try {
      await daemon.stop();
    } finally {
      await upsd.stop();
    }
  });

  const status = () => daemon.status();
  const rows = async () => (await status()).ups;
  const ready = async () => {
    const answer = await fetch(`${api}/ready`);
    return { code: answer.status, body: (await answer.json()) as { reasons: string[] } };
  };
  const failedGauge = async () =>
    (await (await fetch(`${api}/metrics`)).text())
      .split('\n')
      .filter((line) => /^svc_ups_connection_failed\{/.test(line));
  const events = async () => {
    const { events: all } = (await daemon.control('events?verbosity=2&limit=1000')) as {
      events: { eventType: string }[];
    };
    return all.map(({ eventType }) => eventType);
  };

  it('reports the UPS on battery and 503 on /ready, and on line power waits for the grace period', async () => {
    expect((await ready()).code).to.equal(200);
    await upsd.stopServer();
    const [a, b, calm] = await until(
      rows,
      (ups) => ups.filter(({ connectionState }) => connectionState === 'FAILED').length === 2,
    );
    for (const row of [a, b]) {
      expect(row).to.include({ status: 'OB', connectionState: 'FAILED', triggerActive: false });
      expect(row?.connectionDetail).to.equal('SERVER_DOWN');
      expect(row?.staleSince).to.be.within(startedSeconds, Date.now() / 1000);
    }
    expect(calm).to.include({ status: 'OL', connectionState: 'GRACE_PERIOD' });
    const { code, body } = await until(ready, (answer) => answer.code === 503);
    expect(code).to.equal(503);
    expect(body.reasons).to.have.length(2);
    expect(body.reasons[0]).to.match(/^UPS a@127\.0\.0\.1:\d+ is FAILED \(SERVER_DOWN\)$/);
    expect((await failedGauge()).map((line) => line.slice(-1))).to.deep.equal(['1', '1', '0']);
    const { redundancyGroups } = await status();
    expect(redundancyGroups[0]?.members.map(({ health }) => health)).to.deep.equal(['DEGRADED', 'DEGRADED']);
    expect(redundancyGroups[0]?.quorumLost).to.equal(false);
  });

  it('clears the report when upsd is back, without connection events in between', async () => {
    await upsd.startServer();
    const back = await until(rows, (ups) => ups.every(({ connectionState }) => connectionState === 'OK'));
    expect(back.map(({ staleSince }) => staleSince)).to.deep.equal([null, null, null]);
    await until(ready, ({ code }) => code === 200);
    expect((await failedGauge()).map((line) => line.slice(-1))).to.deep.equal(['0', '0', '0']);
    const told = await events();
    expect(told).to.include('ON_BATTERY');
    for (const type of ['CONNECTION_LOST', 'CONNECTION_RESTORED', 'CONNECTION_FLAPPING', 'QUORUM_LOST'])
      expect(told).to.not.include(type);
    expect(told.filter((type) => type.startsWith('SHUTDOWN'))).to.deep.equal([]);
    expect(daemon.powerOffs()).to.deep.equal([]);
  });
});
