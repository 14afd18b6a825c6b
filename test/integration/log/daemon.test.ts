import { expect } from 'chai';
import { configurationFor } from '../../fixtures/one-ups.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { skipFor } from '../../fixtures/skip.js';
import { until } from '../../fixtures/until.js';
import { Fixture } from './fixture.js';

describe('the log of a root daemon without the accounts of the package', () => {
  let fixture: Fixture;
  let daemon: RunningDaemon | undefined;
  before(function () {
    skipFor(this, process.getuid?.() !== 0 && 'only root can run a daemon with a log process that is root');
  });
  beforeEach(() => {
    fixture = new Fixture();
    daemon = undefined;
  });
  afterEach(async () => {
    await daemon?.stop();
    await fixture.end();
  });

  it('reaches the local syslog socket with the name and pid of the daemon', async () => {
    const { packets } = await fixture.datagrams('dev-log');
    const toml = configurationFor({
      port: 1,
      more: `[logging.syslog]\nenabled = true\naddress = "${fixture.path('dev-log')}"\nfacility = "local3"\n`,
    });
    daemon = await startDaemon({ toml });
    await daemon.logged('the user ridethrough-log does not exist: log runs as root');
    const tag = `ridethrough[${String(daemon.pid)}]: `;
    await until(
      () => packets,
      (list) => list.some((packet) => packet.includes(`${tag}supervisor: ridethrough `)),
    );
    for (const packet of packets)
      expect(packet)
        .to.match(/^<\d+>[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d ridethrough\[\d+\]: /)
        .and.to.contain(tag);
    expect(daemon.log()).not.to.contain('logger reports');
  });
});
