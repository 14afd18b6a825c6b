// upsmon of Debian beside the daemon, and docs/nut.md, whose every command runs here.
import { expect } from 'chai';
import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { upsmonCommand } from '../../fixtures/real-upsmon.js';
import { RealUpsd } from '../../fixtures/real-upsd.js';
import { program } from '../../fixtures/ridethrough.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { harmless, startDaemon } from '../../fixtures/running-daemon.js';
import { until } from '../../fixtures/until.js';

const user = '[monuser]\n password = secret\n upsmon secondary\n';
const onLine = 'ups.status: OL\nbattery.charge: 100\nbattery.runtime: 2400\nups.load: 23\n';
const low = 'battery.runtime: 3000\nups.load: 23\n';

describe('upsmon beside the daemon', () => {
  let upsd: RealUpsd;
  let daemon: RunningDaemon;
  let upsmon: ChildProcess | undefined;
  const etc = (): string => join(upsd.directory, 'etc');
  const name = (): string => `office@localhost:${String(upsd.port)}`;
  const marker = (): string => join(upsd.directory, 'upsmon-has-shut-down');

  beforeEach(async () => {
    upsd = await RealUpsd.start({ ups: { office: onLine }, moreUsers: user });
  });
  afterEach(async () => {
    await daemon.stop();
    if (upsmon !== undefined && upsmon.exitCode === null) {
      upsmon.kill('SIGKILL');
      await once(upsmon, 'exit');
    }
    upsmon = undefined;
    await upsd.stop();
  });

  /** Both start; each shuts down by creating a file. */
  async function start(powerValue: number): Promise<void> {
    const lines = [
      `MONITOR ${name()} ${String(powerValue)} monuser secret secondary`,
      `SHUTDOWNCMD "touch ${marker()}"`,
      ...[
        `MINSUPPLIES ${String(Math.min(1, powerValue))}`,
        'POLLFREQ 1',
        'POLLFREQALERT 1',
        'HOSTSYNC 1',
        'FINALDELAY 0',
        'DEADTIME 15',
      ],
    ];
    writeFileSync(join(etc(), 'upsmon.conf'), `${lines.join('\n')}\n`, { mode: 0o600 });
    const env = { ...process.env, NUT_CONFPATH: etc(), NUT_ALTPIDPATH: join(upsd.directory, 'run') };
    const [program, ...words] = upsmonCommand;
    upsmon = spawn(program, [...words, '-p', '-F'], { stdio: 'ignore', env });
    const settings = '[triggers]\non_battery_stabilization_delay = 0\nconfirmations = 1\n';
    daemon = await startDaemon({
      toml: `[[ups]]\nname = "${name()}"\nis_local = true\nvalue_hold = 0\n${settings}${harmless}`,
      env: { NUT_CONFPATH: etc() },
    });
    await daemon.seesAll();
  }

  /** A command line of docs/nut.md, with the port, the folder and the configuration of this test. */
  function shown(line: string): string {
    const bin = join(upsd.directory, 'bin');
    mkdirSync(bin, { recursive: true });
    const config = join(daemon.directory, 'config.toml');
    const script = `#!/bin/sh\nexec ${process.execPath} ${program} "$@" --config ${config}\n`;
    writeFileSync(join(bin, 'ridethrough'), script, { mode: 0o755 });
    const ran = spawnSync('sh', ['-c', here(line)], {
      encoding: 'utf8',
      timeout: 60_000,
      env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}:/usr/bin:/bin`, NUT_CONFPATH: etc() },
    });
    expect(ran.status, `${line}\n${ran.stderr}`).to.equal(0);
    return ran.stdout;
  }
  const here = (text: string): string =>
    text.replaceAll('localhost', `localhost:${String(upsd.port)}`).replaceAll('/etc/nut', etc());

  it('is the last resort: the daemon acts below its threshold, upsmon at LB', async () => {
    await start(1);
    await daemon.logged(/upsmon \(.*, it runs\) powers this machine off .* the last resort/);
    await upsd.rewrite('office', `ups.status: OB DISCHRG\nbattery.charge: 15\n${low}`);
    await daemon.poweredOff();
    expect(existsSync(marker()), 'upsmon has not acted').to.equal(false);
    await upsd.rewrite('office', `ups.status: OB DISCHRG LB\nbattery.charge: 9\n${low}`);
    await until(() => existsSync(marker()));
  });

  it('only watches with a power value of 0', async () => {
    await start(0);
    await daemon.logged(/upsmon \(.*, it runs\) only watches/);
    await upsd.rewrite('office', `ups.status: OB DISCHRG LB\nbattery.charge: 9\n${low}`);
    await daemon.poweredOff();
    // It still runs and has seen what the daemon has seen: it polls every second.
    await upsd.rewrite('office', onLine);
    await daemon.logged(/POWER_RESTORED/);
    expect(upsmon?.exitCode).to.equal(null);
    expect(existsSync(marker())).to.equal(false);
  });

  it('is described by docs/nut.md, whose every command prints what the page shows', async () => {
    await start(1);
    const page = readFileSync('docs/nut.md', 'utf8');
    const blocks = [...page.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
      block.split(/^\$ /m).slice(1),
    );
    expect(blocks).to.have.length.at.least(5);
    for (const block of blocks) {
      const [command = '', ...lines] = block.trimEnd().split('\n');
      const printed = shown(command).replaceAll(/read \d+ s ago/g, 'read 0 s ago');
      for (const line of lines) expect(printed.split('\n'), command).to.include(here(line));
    }
  });
});
