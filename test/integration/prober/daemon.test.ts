import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestDaemon } from '../../../scripts/commands/control/control-socket.js';
import type { EventsBody, StatusBody } from '../../../shared/http/bodies.js';
import type { RemoteHealthBody } from '../../../shared/http/device-bodies.js';
import { ReloadReport } from '../../../shared/protocol/api.js';
import { Broker } from '../../fixtures/broker.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { descendants, isAlive } from '../../fixtures/processes.js';
import { RealUpsd, onBattery, onLine } from '../../fixtures/real-upsd.js';
import { program } from '../../fixtures/ridethrough.js';
import { remoteServerToml } from '../../fixtures/remote-server-toml.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { isAbove, until } from '../../fixtures/until.js';
import type { HttpServer } from '../notify/http-server.js';
import { fine, startHttp } from '../notify/http-server.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { bootedHost } from './booted-host.js';

const leaping = `--import ${new URL('../../fixtures/jumping-clock.js', import.meta.url).href}`;

describe('the health of remote servers in a running daemon', () => {
  bootedHost();
  let upsd: RealUpsd;
  let sshd: PrivateSshd;
  let push: HttpServer;
  let broker: Broker | undefined;
  let daemon: RunningDaemon;
  /** Every command that ran on the server. */
  let commands: string;
  let folder: string;

  beforeEach(async () => {
    folder = temporaryFolder();
    commands = join(folder, 'commands');
    const shell = join(folder, 'shell');
    writeFileSync(commands, '');
    writeFileSync(
      shell,
      `#!/bin/sh\necho "$SSH_ORIGINAL_COMMAND" >>${commands}\nexec sh -c "$SSH_ORIGINAL_COMMAND"\n`,
    );
    chmodSync(shell, 0o755);
    broker = undefined;
    [upsd, sshd, push] = await Promise.all([
      RealUpsd.start({ ups: { office: onLine } }),
      PrivateSshd.start({ shell }),
      startHttp(fine),
    ]);
  });
  afterEach(async () => {
    await daemon.stop();
    await Promise.all([upsd.stop(), sshd.stop(), push.close(), broker?.stop()]);
  });

  const toml = (health = '', server = '', mqtt = ''): string =>
    configurationFor({
      port: upsd.port,
      checkInterval: 0.2,
      apiPort: 0,
      more: `
[behavior]
dry_run = true
[notifications]
urls = ["webhook+http://127.0.0.1:${String(push.port)}/hook"]
${mqtt}
[remote_health]
interval = 60
${health}
${remoteServerToml({ name: 'nas', ...sshd.login })}connect_timeout = 30
${server}
`,
    });
  const start = async (text: string): Promise<void> => {
    daemon = await startDaemon({ toml: text, env: { NODE_OPTIONS: leaping } });
  };
  const get = async (path: string): Promise<string> =>
    (await fetch(`http://127.0.0.1:${String(daemon.apiPort)}${path}`)).text();
  const row = async () => (JSON.parse(await get('/api/v1/remote-health')) as RemoteHealthBody).servers[0];
  const status = (wanted: string, failures = 0) =>
    until(row, (now) => now?.status === wanted && now.consecutiveFailures === failures);
  /** Advances to the next probe and waits for its end. */
  const probed = async (wanted: string, failures = 0) => {
    const before = commandsRun().length;
    daemon.signal('SIGUSR1');
    const now = await status(wanted, failures);
    if (wanted === 'HEALTHY') await until(commandsRun, (run) => run.length > before);
    return now;
  };
  const commandsRun = (): readonly string[] => readFileSync(commands, 'utf8').split('\n').slice(0, -1);
  const metric = async (): Promise<string> => {
    const text = await get('/metrics');
    const [, seen] = /^svc_remote_health_status\{[^}]*status="(\w+)"\} 1$/m.exec(text) ?? [];
    expect(text.match(/^svc_remote_health_status\{.*\} 1$/gm)).to.have.length(1);
    return seen ?? 'none';
  };
  const events = async () => {
    const body = JSON.parse(await get('/api/v1/events?verbosity=1')) as EventsBody;
    return body.events
      .filter(({ eventType }) => eventType.startsWith('REMOTE_'))
      .map(({ eventType, detail, category }) => ({ eventType, detail, category }));
  };
  const told = () =>
    push.received.map(({ body }) => String(body['eventType'])).filter((type) => type.startsWith('REMOTE_'));
  const ready = async (): Promise<number> =>
    (await fetch(`http://127.0.0.1:${String(daemon.apiPort)}/ready`)).status;

  it('reports a target that goes down and up in events, messages, metrics, readiness and MQTT, once each', async () => {
    broker = await Broker.start();
    const heard = await broker.listen('svc/status');
    const published = () =>
      heard.flatMap(({ payload }) => {
        const [shown] = (JSON.parse(payload) as StatusBody).ups[0]?.remoteHealth ?? [];
        return shown === undefined ? [] : [`${shown.status} ${String(shown.consecutiveFailures)}`];
      });
    // The row changes with the first assessment of the battery, some seconds after the start.
    const mqtt = `[battery_health]\nenabled = false\n[mqtt]\nenabled = true\nbroker = "mqtt://127.0.0.1:${String(broker.port)}"\npublish_interval = 3600\n`;
    await start(toml('', '', mqtt));
    const first = await status('HEALTHY');
    await until(published, (list) => list.includes('HEALTHY 0'));
    await until(async () => (await get('/api/v1/ups')).includes('"connectionState":"OK"'));
    await until(ready, (code) => code === 200);
    expect(await metric()).to.equal('HEALTHY');
    expect(first).to.deep.include({ server: 'nas', groupKind: 'ups', lastError: null });

    const calm = published().length;
    const firstAt = first?.lastCheckedAt ?? 0;
    // Times are whole seconds: within the same second, two probes look the same.
    await until(() => Math.floor(Date.now() / 1000), isAbove(firstAt));
    daemon.signal('SIGUSR1');
    await until(row, (now) => (now?.lastCheckedAt ?? 0) > firstAt);

    const since = () => published().slice(calm);
    // A broker gets the newest status: each before the next.
    const seen = async (wanted: string, failures: number) => {
      await probed(wanted, failures);
      await until(since, (list) => list.includes(`${wanted} ${String(failures)}`));
    };
    await sshd.down();
    await seen('DEGRADED', 1);
    expect([await metric(), await ready()]).to.deep.equal(['DEGRADED', 200]);
    await seen('FAILED', 2);
    expect([await metric(), await ready()]).to.deep.equal(['FAILED', 503]);
    expect(await get('/ready')).to.contain('the server nas is FAILED');
    await seen('FAILED', 3);
    await sshd.up();
    await seen('HEALTHY', 0);
    await until(told, (list) => list.length >= 2);
    expect([await metric(), await ready()]).to.deep.equal(['HEALTHY', 200]);

    const why = `connection refused by 127.0.0.1:${String(sshd.port)}: check that sshd runs there`;
    const wanted = [
      ['REMOTE_HEALTH_HEALTHY', 'nas: UNKNOWN -> HEALTHY: its first probe is good'],
      ['REMOTE_HEALTH_DEGRADED', `nas: HEALTHY -> DEGRADED: ${why}`],
      ['REMOTE_HEALTH_FAILED', `nas: DEGRADED -> FAILED: ${why}`],
      ['REMOTE_HEALTH_HEALTHY', 'nas: FAILED -> HEALTHY: good again after 3 failed probes in a row'],
    ].map(([eventType, detail]) => ({ eventType, detail, category: 'diagnostics' }));
    expect(await until(events, (list) => list.length >= wanted.length)).to.deep.equal(wanted);
    expect(told()).to.deep.equal(['REMOTE_HEALTH_FAILED', 'REMOTE_HEALTH_HEALTHY']);
    const changes = ['DEGRADED 1', 'FAILED 2', 'FAILED 3', 'HEALTHY 0'];
    expect(since()).to.deep.equal(changes);
    expect(new Set(commandsRun())).to.deep.equal(new Set(['true']));
    expect(daemon.log()).to.contain('REMOTE_HEALTH_FAILED: nas: DEGRADED -> FAILED');
  });

  it('keeps its states across a reload and an exit of the prober', async () => {
    await sshd.down();
    await start(toml('failure_threshold = 1'));
    await status('FAILED', 1);
    daemon.configure(toml('failure_threshold = 1\nnotify_on_recovery = false'));
    daemon.signal('SIGHUP');
    await daemon.logged('CONFIG_RELOAD');
    expect(await row()).to.include({ status: 'FAILED', consecutiveFailures: 1 });
    const [prober] = descendants(daemon.pid).filter(({ command }) => command.includes('prober/worker.js'));
    process.kill(prober?.pid ?? 0, 'SIGKILL');
    await until(() => !isAlive(prober?.pid ?? 0));
    expect(await row()).to.include({ status: 'FAILED', consecutiveFailures: 1 });
    await until(
      async () => (await daemon.control('ready')) as { workers: { name: string; state: string }[] },
      ({ workers }) => workers.some(({ name, state }) => name === 'prober' && state === 'ready'),
    );
    await sshd.up();
    await probed('HEALTHY');
    await until(events, (list) => list.length === 2);
    expect(told()).to.deep.equal(['REMOTE_HEALTH_FAILED']);
  });

  it('never runs a shutdown command, neither after a reload nor after a start', async () => {
    const own = 'shutdown_command = "/opt/never --run"\n';
    await start(toml('', own));
    await status('HEALTHY');
    // `run` is the start; both read the configuration with the same program, so once is enough for `validate`.
    const words = ['validate', 'run'];
    for (const [probe, why] of [
      ['/opt/never --run', 'runs the command of'],
      ['sudo -n never --run', 'shutdown_command'],
      ['docker kill x', 'as a shutdown does'],
      ['kill 1', 'begins with'],
    ] as const) {
      daemon.configure(toml(`probe_command = "${probe}"\n`, own));
      const reload = await requestDaemon(daemon.controlSocket, 'reload', ReloadReport, {
        method: 'POST',
        withinMs: 120_000,
      });
      expect(JSON.stringify(reload)).to.contain('RELOAD_REJECTED').and.to.contain(why).and.to.contain('use');
      for (const word of words.splice(0, 2, 'run')) {
        const file = join(daemon.directory, 'config.toml');
        const ran = spawnSync(process.execPath, [program, word, '--config', file], {
          encoding: 'utf8',
          timeout: 60_000,
        });
        expect([word, ran.status]).to.deep.equal([word, 78]);
        expect(ran.stderr).to.contain(`remote_health.probe_command: "${probe}"`);
      }
    }
    await probed('HEALTHY');
    expect(commandsRun().filter((text) => !text.includes('ridethrough-'))).to.satisfy((run: string[]) =>
      run.every((text) => text.includes('true')),
    );
    expect(commandsRun().join('\n')).not.to.match(/never|docker|kill 1/);
  });

  it('can be off, and starts with a reload', async () => {
    await start(toml('enabled = false'));
    expect(await row()).to.include({ status: 'DISABLED', lastCheckedAt: null });
    expect(await metric()).to.equal('DISABLED');
    daemon.configure(toml());
    daemon.signal('SIGHUP');
    await status('HEALTHY');
    daemon.configure(toml('', 'enabled = false'));
    daemon.signal('SIGHUP');
    await status('DISABLED');
  });

  it('pauses during an outage, and resumes afterwards', async () => {
    await start(toml());
    await status('HEALTHY');
    await upsd.rewrite('office', onBattery);
    await until(
      () => daemon.status(),
      ({ ups }) => ups[0]?.status === 'OB DISCHRG',
    );
    const before = commandsRun().length;
    daemon.signal('SIGUSR1');
    // A probe that is due starts at the next tick, and there are four a second.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(commandsRun()).to.have.length(before);
    await upsd.rewrite('office', onLine);
    await until(commandsRun, (run) => run.length > before);
  });
});
