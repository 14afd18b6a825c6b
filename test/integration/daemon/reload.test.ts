// Every sentence of specification/api-writes.md#reload, on a real daemon.
import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { ReloadReport } from '../../../shared/protocol/api.js';
import { decode } from '../../../shared/domain/base/decode.js';
import { requestDaemon } from '../../../scripts/commands/control/control-socket.js';
import { heldPort } from '../../fixtures/held-port.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { isAtLeast, isEmpty, until } from '../../fixtures/until.js';

interface Sequence {
  readonly active: boolean;
  readonly steps?: readonly { readonly id: string; readonly state: string }[];
}

describe('a reload of the running daemon', () => {
  let upsd: SimulatedUpsd;
  let daemon: RunningDaemon;
  const asked: string[] = [];
  const count = (query: string): number => asked.filter((words) => words === query).length;
  before(async () => {
    upsd = await startSimulatedUpsd({
      ups: ['office', 'rack-a', 'rack-b'].map((name) => ({ name, noise: 0 as const })),
      onQuery: (words) => void asked.push(words.join(' ')),
    });
    daemon = await startDaemon({ toml: base() });
    await daemon.seesAll();
  });
  after(async () => {
    await daemon.stop();
    await upsd.stop();
  });

  const reload = async (toml: string): Promise<ReloadReport> => {
    daemon.configure(toml);
    const told = await requestDaemon(daemon.controlSocket, 'reload', ReloadReport, {
      method: 'POST',
      withinMs: 120_000,
    });
    if (!told.ok) throw new Error(`${told.message} ${JSON.stringify(told.details)}`);
    return told.value;
  };
  const base = (more = ''): string => configurationFor({ port: upsd.port, checkInterval: 0.2, more });
  const group = (): string => {
    const at = `127.0.0.1:${String(upsd.port)}`;
    const rack = ['rack-a', 'rack-b'].map(
      (name) => `[[ups]]\nname = "${name}@${at}"\ncheck_interval = 0.2\n`,
    );
    return `${rack.join('')}[[redundancy_groups]]\nname = "rack-1"\nups_sources = ["rack-a@${at}", "rack-b@${at}"]\n`;
  };
  const server = (): string =>
    '[[ups.remote_servers]]\nname = "nas"\nhost = "127.0.0.1"\nport = 9\nuser = "root"\nenabled = false\n';

  it('adds and removes UPSes, groups and servers without a polling gap for the others', async () => {
    const before = count('LIST VAR office');
    const connections = count('STARTTLS');
    const added = await reload(base(`${group()}`));
    const at = `127.0.0.1:${String(upsd.port)}`;
    expect(added.applied).to.deep.equal([
      'redundancy_groups[rack-1]',
      `ups[rack-a@${at}]`,
      `ups[rack-b@${at}]`,
    ]);
    expect(added.restartedWorkers).to.deep.equal(
      ['rack-a', 'rack-b'].map((name) => `poller:${name}-127.0.0.1-${String(upsd.port)}`),
    );
    await until(
      () => daemon.status(),
      ({ ups, redundancyGroups }) =>
        redundancyGroups.length === 1 && ups.every((one) => one.connectionState === 'OK'),
    );
    const withServer = base().replace('[triggers]', `${server()}[triggers]`);
    const moved = await reload(withServer);
    expect(moved.applied).to.include(`ups[office@${at}].remote_servers[nas]`);
    await until(async () => (await daemon.status()).redundancyGroups, isEmpty);
    const back = await reload(base());
    for (const { restartedWorkers } of [added, moved, back])
      expect(restartedWorkers).not.to.include(`poller:office-127.0.0.1-${String(upsd.port)}`);
    await until(() => count('LIST VAR office'), isAtLeast(before + 3));
    // The first line of each connection: a restarted poller makes another connection.
    expect(count('STARTTLS') - connections, 'connections of the new pollers').to.equal(2);
    expect(daemon.log()).not.to.match(/lost the (worker|process)/);
  });

  it('changes the retention of the history and moves the API to another port', async () => {
    const second = await heldPort();
    const at = (port: number) => base(`[api]\nenabled = true\nport = ${String(port)}\n`);
    await reload(at(0));
    const first = await daemon.apiListens();
    const answers = () => fetch(`http://127.0.0.1:${String(first)}/health`).catch(() => null);
    expect((await answers())?.status).to.equal(200);
    const report = await reload(`${at(second)}[statistics.retention]\nraw_hours = 48\n`);
    expect(report.applied).to.deep.equal(['api.port', 'statistics.retention.raw_hours']);
    expect(report.restartRequired).to.deep.equal([]);
    await until(
      () =>
        fetch(`http://127.0.0.1:${String(second)}/api/v1/config`).then(
          (answer) => answer.text(),
          () => '',
        ),
      (config) => config.includes('"rawHours":48') && config.includes(`"port":${String(second)}`),
    );
    expect(await answers()).to.equal(null);
  });

  it('keeps a running outage and its clocks', async () => {
    const slow = (threshold: number) =>
      base().replace('[triggers]', `[triggers]\nlow_battery_threshold = ${String(threshold)}`);
    await reload(slow(10));
    upsd.ups('office').set({ mainsVolts: 0 });
    await until(async () => (await daemon.status()).ups[0]?.timeOnBattery ?? 0, isAtLeast(2));
    const before = (await daemon.status()).ups[0]?.timeOnBattery ?? 0;
    const report = await reload(slow(11));
    expect(report.applied).to.deep.equal(['triggers.low_battery_threshold']);
    const after = (await daemon.status()).ups[0]?.timeOnBattery ?? 0;
    expect(after).to.be.at.least(before);
    expect(daemon.powerOffs()).to.deep.equal([]);
    expect(daemon.log().split('ON_BATTERY').length - 1).to.be.at.most(2);
    upsd.ups('office').set({ mainsVolts: 230 });
    await daemon.logged('POWER_RESTORED');
  });

  it('lets a running sequence finish with the plan it started with', async () => {
    const local = (command: string) => base().replace('command = ["{shutdown}"]', `command = [${command}]`);
    const go = join(temporaryFolder(), 'go');
    await reload(local(`"/bin/sh", "-c", "until [ -e ${go} ]; do sleep 0.05; done"`));
    upsd.ups('office').set({ fsd: true });
    await until(
      async () => (await daemon.control('sequence')) as Sequence,
      ({ steps }) => steps?.some(({ state }) => state === 'running') === true,
    );
    const report = await reload(local('"{shutdown}", "never"'));
    expect(report.applied).to.deep.equal(['local_shutdown.command']);
    writeFileSync(go, '');
    const ended = await until(
      async () => (await daemon.control('sequence')) as Sequence,
      ({ active }) => !active,
    );
    expect(ended.steps?.find(({ id }) => id.startsWith('local_poweroff'))?.state).to.equal('done');
    expect(daemon.powerOffs()).to.deep.equal([]);
  });

  it('merges simultaneous SIGHUPs, and rejects an invalid file as a whole', async () => {
    await reload(base());
    for (let times = 0; times < 100; times += 1) daemon.signal('SIGHUP');
    const count = (): number => daemon.log().split('CONFIG_RELOAD: signal: reload: ok').length - 1;
    await until(count, (done) => done >= 1);
    // Reloads run one after another: this one after all that the signals have requested.
    await reload(base());
    expect(count()).to.be.lessThan(10);
    daemon.configure(`${base()}[behavior]\ndry_run = true\n[api]\nport = 99999\n`);
    const told = await requestDaemon(daemon.controlSocket, 'reload', ReloadReport, {
      method: 'POST',
      withinMs: 120_000,
    });
    expect(told.ok).to.equal(false);
    expect(JSON.stringify(told)).to.contain('api.port');
    const refused = await reload(base());
    expect(decode(ReloadReport, refused).ok).to.equal(true);
    // Nothing of the invalid file was applied: a return to the valid one changes nothing.
    expect(refused.applied).to.deep.equal([]);
  });
});
